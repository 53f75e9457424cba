import type { EventForm } from '../../lib/event-form/event-form.ts';
import { changesOf } from './edit-form.ts';

/** A field that somebody else changed while the form was open. */
export interface Meanwhile {
  field: keyof EventForm;
  /** As it is now. */
  theirs: EventForm[keyof EventForm];
  /** The form has another value of its own in it, and keeps it. */
  isContested: boolean;
}

/** What else happened to the event is no change of the form: its version alone is another one. */
export const meanwhileOf = (before: EventForm, form: EventForm, now: EventForm): Meanwhile[] =>
  Object.keys(changesOf(before, now)).map((name) => {
    const field = name as keyof EventForm;
    const isOwn = String(form[field]) !== String(before[field]);
    return { field, theirs: now[field], isContested: isOwn && String(form[field]) !== String(now[field]) };
  });

/** The form with the changes of others in it: what was typed stays, what was left as it was is theirs. */
export const merged = (form: EventForm, meanwhile: readonly Meanwhile[]): EventForm => ({
  ...form,
  ...Object.fromEntries(
    meanwhile.filter(({ isContested }) => !isContested).map(({ field, theirs }) => [field, theirs]),
  ),
});
