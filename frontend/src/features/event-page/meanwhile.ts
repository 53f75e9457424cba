import type { EventForm } from '../../lib/event-form/event-form.ts';
import { changesOf } from './edit-form.ts';

/** A field that someone else changed while the form was open. */
export interface Meanwhile {
  field: keyof EventForm;
  /** The current value. */
  theirs: EventForm[keyof EventForm];
  /** The user typed a different value, which the form keeps. */
  isContested: boolean;
}

/** Others' changes to the fields of this form. Changes to other fields only increase the event's version. */
export const meanwhileOf = (before: EventForm, form: EventForm, now: EventForm): Meanwhile[] =>
  (Object.keys(changesOf(before, now)) as Array<keyof EventForm>).flatMap((field) => {
    if (String(before[field]) === String(now[field])) return [];
    const isOwn = String(form[field]) !== String(before[field]);
    return { field, theirs: now[field], isContested: isOwn && String(form[field]) !== String(now[field]) };
  });

/** Merges others' changes: fields edited here keep the typed value, all others take the new value. */
export const merged = (form: EventForm, meanwhile: readonly Meanwhile[]): EventForm => ({
  ...form,
  ...Object.fromEntries(
    meanwhile.filter(({ isContested }) => !isContested).map(({ field, theirs }) => [field, theirs]),
  ),
});
