import { MOST_DATES } from '@beltway/contracts/series';
import { instantOf } from '@beltway/contracts/times';
import { whenText } from '@beltway/contracts/when';
import { X } from 'lucide-react';
import { DateField } from '../../lib/event-form/date-field.tsx';
import type { Bound } from '../../lib/form.ts';
import { Field, Select, TextField } from '../../ui/field.tsx';
import { IconButton } from '../../ui/button.tsx';
import type { LaunchForm } from './launch-form.ts';
import { RepeatChoice, choicesFor, daysOfForm, isCounted, leavesOut } from './repeat.ts';

interface RepeatFieldProps {
  values: LaunchForm;
  bind: <Name extends keyof LaunchForm & string>(name: Name) => Bound<LaunchForm[Name]>;
}

/** Whether the event takes place more than once, and all its dates before they are launched. */
export function RepeatField({ values, bind }: RepeatFieldProps) {
  const { eventDate, eventStartTime, repeat, moreDates } = values;
  const days = daysOfForm(values);
  const hint = leavesOut(values);
  const { value, error, onChange } = bind('repeat');
  const add = (day: string) => bind('moreDates').onChange([...new Set([...moreDates, day])].sort());
  const when = (day: string) =>
    whenText({ eventDate: instantOf(day).toISOString(), eventStartTime: eventStartTime || '00:00' }, new Date());
  return (
    <div className="grid gap-4 rounded-md bg-sunken p-4">
      <div className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_10rem]">
        <Field label="How often" error={error}>
          <Select value={value} onChange={(chosen) => onChange(RepeatChoice.parse(chosen.target.value))}>
            {choicesFor(eventDate, repeat).map(([choice, words]) => (
              <option key={choice} value={choice}>
                {words}
              </option>
            ))}
          </Select>
        </Field>
        {isCounted(repeat) && (
          <TextField
            {...bind('repeatCount')}
            label="How many dates"
            type="number"
            inputMode="numeric"
            min="2"
            max={MOST_DATES}
          />
        )}
      </div>
      {repeat === 'dates' && moreDates.length + 1 < MOST_DATES && (
        <DateField label="Add a date" value="" error={bind('moreDates').error} onChange={add} />
      )}
      {days.length > 0 && (
        <div>
          <p aria-live="polite" className="text-note font-strong">
            {days.length} dates, each an event with its own tickets
          </p>
          {hint && <p className="text-note text-ink-soft">{hint}</p>}
          <ol
            aria-label="All dates"
            className="mt-2 grid grid-cols-[repeat(auto-fill,minmax(min(13rem,100%),1fr))] gap-x-4 text-note tabular"
          >
            {days.map((day) => (
              <li key={day} className="flex min-h-8 items-center justify-between gap-2">
                {when(day)}
                {repeat === 'dates' && day !== eventDate && (
                  <IconButton
                    label={`Leave out ${when(day)}`}
                    onClick={() => bind('moreDates').onChange(moreDates.filter((other) => other !== day))}
                  >
                    <X aria-hidden className="size-4" />
                  </IconButton>
                )}
              </li>
            ))}
          </ol>
        </div>
      )}
    </div>
  );
}
