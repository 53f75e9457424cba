import type { Event } from '@beltway/contracts/catalog/events';
import { dayOf } from '@beltway/contracts/common/times';
import { chosenDeadline } from '../refunds/deadline.ts';
import { emptyEvent, EventForm } from './event-form.ts';

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
