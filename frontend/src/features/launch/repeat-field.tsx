import { onTheClocks } from '@beltway/contracts/common/clock-change';
import { MOST_DATES } from '@beltway/contracts/catalog/series';
import { daysAfter, daysBetween } from '@beltway/contracts/common/times';
import X from 'lucide-react/icons/x';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { useClock } from '../../lib/time/clock.ts';
import { DateField } from '../../lib/event-form/date-field.tsx';
import type { Bound } from '../../lib/forms/form.ts';
import { formatWhen } from '../../lib/i18n/format.ts';
import { Field, Select } from '../../ui/field.tsx';
import { IconButton } from '../../ui/button.tsx';
import { Meta } from '../../ui/meta.tsx';
import { NumberField } from '../../ui/number-field.tsx';
import type { LaunchForm } from './launch-form.ts';
import { RepeatChoice, choicesFor, daysOfForm, isCounted, leavesOut } from './repeat.ts';
import { texts } from './texts.en.ts';

interface RepeatFieldProps {
  values: LaunchForm;
  bind: <Name extends keyof LaunchForm & string>(name: Name) => Bound<LaunchForm[Name]>;
}

/** Field for repeating the event, with a preview of all its dates. */
export function RepeatField({ values, bind }: RepeatFieldProps) {
  const t = useTexts(texts);
  const now = useClock();
  const { eventDate, eventLastDate, eventStartTime, repeat, moreDates } = values;
  const days = daysOfForm(values);
  const hint = leavesOut(values);
  const { value, error, onChange } = bind('repeat');
  const add = (day: string) => bind('moreDates').onChange([...new Set([...moreDates, day])].sort());
  const when = (day: string) =>
    formatWhen(
      onTheClocks({
        eventDate: day,
        eventLastDate: eventLastDate && daysAfter(day, daysBetween(eventDate, eventLastDate)),
        eventStartTime: eventStartTime || '00:00',
      }),
      now,
    );
  return (
    <div className="grid gap-4 rounded-md bg-sunken p-4">
      <div className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_10rem]">
        <Field label={t('howOften')} error={error}>
          <Select value={value} onChange={(chosen) => onChange(RepeatChoice.parse(chosen.target.value))}>
            {choicesFor(eventDate, repeat).map(([choice, words]) => (
              <option key={choice} value={choice}>
                {words}
              </option>
            ))}
          </Select>
        </Field>
        {isCounted(repeat) && <NumberField {...bind('repeatCount')} label={t('howMany')} inputMode="numeric" />}
      </div>
      {repeat === 'dates' && moreDates.length + 1 < MOST_DATES && (
        <DateField label={t('addDate')} value="" error={bind('moreDates').error} onChange={add} />
      )}
      {days.length > 0 && (
        <div>
          <p aria-live="polite" className="text-note font-strong">
            {t('datesEach', { count: String(days.length) })}
          </p>
          {hint && <Meta>{hint}</Meta>}
          <ol
            aria-label={t('allDates')}
            className="mt-2 grid grid-cols-[repeat(auto-fill,minmax(min(13rem,100%),1fr))] gap-x-4 text-note tabular"
          >
            {days.map((day) => (
              <li key={day} className="flex min-h-8 items-center justify-between gap-2">
                {when(day)}
                {repeat === 'dates' && day !== eventDate && (
                  <IconButton
                    label={t('leaveOut', { date: when(day) })}
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
