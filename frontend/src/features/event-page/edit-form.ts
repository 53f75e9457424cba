import type { Event } from '@beltway/contracts/catalog';
import { dayOf, instantOf } from '@beltway/contracts/times';

/** What the owner can change, as typed; `eventDate` is the calendar's day as yyyy-mm-dd. */
export interface EditForm {
  title: string;
  description: string;
  location: string;
  eventDate: string;
  eventStartTime: string;
  eventEndTime: string;
  ticketPrice: string;
  totalTickets: string;
}

export const formOf = (event: Event): EditForm => ({
  title: event.title,
  description: event.description,
  location: event.location,
  eventDate: dayOf(event.eventDate),
  eventStartTime: event.eventStartTime,
  eventEndTime: event.eventEndTime ?? '',
  ticketPrice: event.ticketPrice ?? '',
  totalTickets: String(event.totalTickets ?? ''),
});

/** The body of PATCH /api/events/:id: only what is different, so that nobody else's change is undone. */
export function changesOf(event: Event, form: EditForm): Partial<EditForm> {
  const before = formOf(event);
  const changed = Object.entries(form).filter(([name, value]) => value !== before[name as keyof EditForm]);
  return Object.fromEntries(
    changed.map(([name, value]) => [name, name === 'eventDate' && value ? instantOf(value).toISOString() : value]),
  );
}
