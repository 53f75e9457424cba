import type { Event } from '@beltway/contracts/catalog/events';
import { dayOf, instantOf, zonedText } from '@beltway/contracts/common/times';
import { z } from 'zod';
import { chosenDeadline } from '../refunds/deadline.ts';

/** The typed values of both event forms. The fields have the same names as in the API. */
export const EventForm = z.object({
  title: z.string(),
  description: z.string(),
  /** Empty: a poster is generated. */
  imageUrl: z.string(),
  location: z.string(),
  /** The exact street address; empty if there is none. Missing in drafts from an earlier release. */
  address: z.string().catch(''),
  tags: z.array(z.string()).readonly(),
  /** yyyy-mm-dd */
  eventDate: z.string(),
  /** yyyy-mm-dd; empty for an event of one day. */
  eventLastDate: z.string(),
  eventStartTime: z.string(),
  eventEndTime: z.string(),
  /** Missing in drafts from an earlier release. */
  freeEntry: z.boolean().catch(false),
  ticketPrice: z.string(),
  totalTickets: z.string(),
  /** yyyy-mm-ddThh:mm in New York; empty: sales start immediately, and end with the event. */
  ticketSalesStartTime: z.string(),
  ticketSalesEndTime: z.string(),
  /** One of `REFUND_DEADLINES`, or other hours set through the API. */
  refundDeadlineHours: z.string(),
});
export type EventForm = z.infer<typeof EventForm>;

/** Nothing typed yet. */
export const emptyEvent: EventForm = {
  title: '',
  description: '',
  imageUrl: '',
  location: '',
  address: '',
  tags: [],
  eventDate: '',
  eventLastDate: '',
  eventStartTime: '',
  eventEndTime: '',
  freeEntry: false,
  ticketPrice: '',
  totalTickets: '',
  ticketSalesStartTime: '',
  ticketSalesEndTime: '',
  refundDeadlineHours: chosenDeadline(undefined),
};

/** Converts between an instant and the field's date and time in New York. */
export const clockOf = (instant: string | null): string => (instant ? zonedText(new Date(instant)).slice(0, 16) : '');
export const momentOf = (clock: string): string => instantOf(clock.slice(0, 10), clock.slice(11, 16)).toISOString();

const isPoster = (imageUrl: string) => imageUrl.startsWith('/media/posters/');

/**
 * Converts an event to form values: null and the date of a postponed event become empty; fields with the same name are
 * copied.
 */
export function formOf(event: Event): EventForm {
  const given = Object.fromEntries(Object.entries(event).filter(([, value]) => value !== null));
  return EventForm.parse({
    ...emptyEvent,
    ...given,
    imageUrl: event.imageUrl && !isPoster(event.imageUrl) ? event.imageUrl : '',
    eventDate: event.status === 'postponed' ? '' : dayOf(event.eventDate),
    eventLastDate: event.eventLastDate ? dayOf(event.eventLastDate) : '',
    totalTickets: String(event.totalTickets ?? ''),
    ticketSalesStartTime: clockOf(event.ticketSalesStartTime),
    ticketSalesEndTime: clockOf(event.ticketSalesEndTime),
    refundDeadlineHours: chosenDeadline(event.refundDeadlineHours),
  });
}
