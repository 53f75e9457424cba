import { instantOf } from '@beltway/contracts/common/times';
import type { EventForm } from '../../lib/event-form/event-form.ts';
import { deadlineOf } from '../../lib/refunds/deadline.ts';

/** A field as the API takes it. */
function sent(name: string, value: EventForm[keyof EventForm]): unknown {
  if (name === 'eventDate' && value) return instantOf(String(value)).toISOString();
  return name === 'refundDeadlineHours' ? deadlineOf(String(value)) : value;
}

/** The body of PATCH /api/events/:id: only what is different, so that nobody else's change is undone. */
export function changesOf(before: EventForm, form: EventForm): Partial<Record<keyof EventForm, unknown>> {
  const isSame = (name: keyof EventForm) => String(form[name]) === String(before[name]);
  const changed = Object.entries(form).filter(([name]) => !isSame(name as keyof EventForm));
  return Object.fromEntries(changed.map(([name, value]) => [name, sent(name, value)]));
}
