import type { Event } from '@beltway/contracts/catalog/events';
import { dayOf } from '@beltway/contracts/common/times';
import { z } from 'zod';
import { chosenDeadline } from '../refunds/deadline.ts';

/** What both forms of an event hold, as typed, under the names of the API. */
export const EventForm = z.object({
  title: z.string(),
  description: z.string(),
  /** Empty for the poster that is made for an event without a picture. */
  imageUrl: z.string(),
  location: z.string(),
  tags: z.array(z.string()).readonly(),
  /** The calendar's day as yyyy-mm-dd. */
  eventDate: z.string(),
  eventStartTime: z.string(),
  eventEndTime: z.string(),
  ticketPrice: z.string(),
  totalTickets: z.string(),
  /** One of `REFUND_DEADLINES`, or other hours that an API gave. */
  refundDeadlineHours: z.string(),
});
export type EventForm = z.infer<typeof EventForm>;

/** Nothing typed yet. */
export const emptyEvent: EventForm = {
  title: '',
  description: '',
  imageUrl: '',
  location: '',
  tags: [],
  eventDate: '',
  eventStartTime: '',
  eventEndTime: '',
  ticketPrice: '',
  totalTickets: '',
  refundDeadlineHours: chosenDeadline(undefined),
};

const isPoster = (imageUrl: string) => imageUrl.startsWith('/media/posters/');

/** An event as a form shows it: null is empty, so is the date of a postponed one, and what both call alike is taken over. */
export function formOf(event: Event): EventForm {
  const given = Object.fromEntries(Object.entries(event).filter(([, value]) => value !== null));
  return EventForm.parse({
    ...emptyEvent,
    ...given,
    imageUrl: event.imageUrl && !isPoster(event.imageUrl) ? event.imageUrl : '',
    eventDate: event.status === 'postponed' ? '' : dayOf(event.eventDate),
    totalTickets: String(event.totalTickets ?? ''),
    refundDeadlineHours: chosenDeadline(event.refundDeadlineHours),
  });
}
