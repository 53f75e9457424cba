import type { Event } from '@beltway/contracts/catalog';
import { dayOf, instantOf } from '@beltway/contracts/times';
import { emptyEvent, EventForm } from '../../lib/event-form/event-form.ts';

const isPoster = (imageUrl: string) => imageUrl.startsWith('/media/posters/');

/** An event as the form shows it: null is empty, so is the date of a postponed one, and what both call alike is taken over. */
export function formOf(event: Event): EventForm {
  const given = Object.fromEntries(Object.entries(event).filter(([, value]) => value !== null));
  return EventForm.parse({
    ...emptyEvent,
    ...given,
    imageUrl: event.imageUrl && !isPoster(event.imageUrl) ? event.imageUrl : '',
    eventDate: event.status === 'postponed' ? '' : dayOf(event.eventDate),
    totalTickets: String(event.totalTickets ?? ''),
  });
}

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
