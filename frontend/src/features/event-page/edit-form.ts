import type { Event } from '@beltway/contracts/catalog';
import { dayOf, instantOf } from '@beltway/contracts/times';
import type { EventForm } from '../../lib/event-form/event-form.ts';

const isPoster = (imageUrl: string) => imageUrl.startsWith('/media/posters/');

export const formOf = (event: Event): EventForm => ({
  title: event.title,
  description: event.description,
  imageUrl: event.imageUrl && !isPoster(event.imageUrl) ? event.imageUrl : '',
  location: event.location,
  tags: event.tags,
  eventDate: dayOf(event.eventDate),
  eventStartTime: event.eventStartTime,
  eventEndTime: event.eventEndTime ?? '',
  ticketPrice: event.ticketPrice ?? '',
  totalTickets: String(event.totalTickets ?? ''),
});

/** The body of PATCH /api/events/:id: only what is different, so that nobody else's change is undone. */
export function changesOf(before: EventForm, form: EventForm): Partial<EventForm> {
  const isSame = (name: keyof EventForm) => String(form[name]) === String(before[name]);
  const changed = Object.entries(form).filter(([name]) => !isSame(name as keyof EventForm));
  return Object.fromEntries(
    changed.map(([name, value]) => [
      name,
      name === 'eventDate' && value ? instantOf(String(value)).toISOString() : value,
    ]),
  );
}
