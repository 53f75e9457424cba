import { instantOf } from '@beltway/contracts/times';
import type { EventForm } from '../../lib/event-form/event-form.ts';

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
