import { instantOf } from '@beltway/contracts/common/times';
import { momentOf, type EventForm } from '../../lib/event-form/event-form.ts';
import { deadlineOf } from '../../lib/refunds/deadline.ts';

/** Converts a field to the API's format. */
function sent(name: string, value: EventForm[keyof EventForm]): unknown {
  if ((name === 'eventDate' || name === 'eventLastDate') && value) return instantOf(String(value)).toISOString();
  if ((name === 'ticketSalesStartTime' || name === 'ticketSalesEndTime') && value) return momentOf(String(value));
  return name === 'refundDeadlineHours' ? deadlineOf(String(value)) : value;
}

/** The body of PATCH /api/events/:id: only the changed fields, so that changes by others are not undone. */
export function changesOf(before: EventForm, form: EventForm): Partial<Record<keyof EventForm, unknown>> {
  const isSame = (name: keyof EventForm) => String(form[name]) === String(before[name]);
  // If only a new first day were sent, the server would move the last day as well.
  const isOfDates = (name: string) => name === 'eventLastDate' && form.eventLastDate !== '' && !isSame('eventDate');
  const changed = Object.entries(form).filter(([name]) => !isSame(name as keyof EventForm) || isOfDates(name));
  return Object.fromEntries(changed.map(([name, value]) => [name, sent(name, value)]));
}
