import type { Event } from '@beltway/contracts/catalog';
import { dayOf, instantOf } from '@beltway/contracts/times';
import { z } from 'zod';

/** What the owner can change, as typed; `eventDate` is the calendar's day as yyyy-mm-dd. */
export const EditForm = z.object({
  title: z.string(),
  description: z.string(),
  /** Empty for the poster that is made for an event without a picture. */
  imageUrl: z.string(),
  location: z.string(),
  tags: z.array(z.string()).readonly(),
  eventDate: z.string(),
  eventStartTime: z.string(),
  eventEndTime: z.string(),
  ticketPrice: z.string(),
  totalTickets: z.string(),
});
export type EditForm = z.infer<typeof EditForm>;

const isPoster = (imageUrl: string) => imageUrl.startsWith('/media/posters/');

export const formOf = (event: Event): EditForm => ({
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
export function changesOf(before: EditForm, form: EditForm): Partial<EditForm> {
  const isSame = (name: keyof EditForm) => String(form[name]) === String(before[name]);
  const changed = Object.entries(form).filter(([name]) => !isSame(name as keyof EditForm));
  return Object.fromEntries(
    changed.map(([name, value]) => [
      name,
      name === 'eventDate' && value ? instantOf(String(value)).toISOString() : value,
    ]),
  );
}
