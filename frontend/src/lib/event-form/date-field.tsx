import { dayAt } from '@beltway/contracts/common/times';
import CalendarDays from 'lucide-react/icons/calendar-days';
import { useEffect, useRef, useState, type Ref } from 'react';
import { DayPicker } from 'react-day-picker';
import { cx } from '../../ui/cx.ts';
import { controlClass, Field, useFieldProps } from '../../ui/field.tsx';
import { useTexts } from '../i18n/catalog.ts';
import { useClock } from '../time/clock.ts';
import { formatDate, formatLongDate } from '../i18n/format.ts';
import { locale, perLanguage } from '../i18n/language.ts';
import { texts } from './texts.en.ts';

interface DateFieldProps {
  label?: string;
  /** yyyy-mm-dd, or empty. */
  value: string;
  error?: string | undefined;
  /** The first and last day that can be chosen. Past days can never be chosen. */
  from?: string;
  to?: string;
  onChange: (day: string) => void;
}

const asDate = (day: string) => new Date(`${day}T12:00:00`);
const asDay = (date: Date) =>
  [date.getFullYear(), String(date.getMonth() + 1).padStart(2, '0'), String(date.getDate()).padStart(2, '0')].join('-');
const month = perLanguage(() => new Intl.DateTimeFormat(locale(), { month: 'long', year: 'numeric' }));
const weekday = perLanguage(() => new Intl.DateTimeFormat(locale(), { weekday: 'long' }));

/** The event's day: a calendar with weeks from Sunday in which past days cannot be chosen. */
export function DateField({ label, value, error, from = '', to, onChange }: DateFieldProps) {
  const t = useTexts(texts);
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const today = dayAt(useClock());
  const earliest = asDate(from > today ? from : today);
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  // Captures Escape before the dialog receives it, so that it closes the calendar and not the form around it.
  useEffect(() => {
    if (!open) return;
    const onKey = (press: KeyboardEvent) => {
      if (press.key !== 'Escape') return;
      press.stopPropagation();
      setOpen(false);
      button.current?.focus();
    };
    window.addEventListener('keydown', onKey, true);
    return () => window.removeEventListener('keydown', onKey, true);
  }, [open]);
  return (
    <div>
      <Field label={label ?? t('eventDate')} error={error}>
        <DateButton ref={button} value={value} open={open} onClick={() => setOpen(!open)} />
      </Field>
      {open && (
        <div className="mt-2 animate-rise rounded-md border border-line bg-surface p-3">
          <DayPicker
            mode="single"
            autoFocus
            weekStartsOn={0}
            defaultMonth={value ? asDate(value) : earliest}
            startMonth={earliest}
            disabled={to === undefined ? { before: earliest } : [{ before: earliest }, { after: asDate(to) }]}
            labels={{
              // Includes the visible number, for users of speech input (WCAG 2.5.3).
              labelDayButton: (date, { today: isToday, selected }) => {
                const day = formatLongDate(asDay(date));
                const named = isToday ? t('todayIs', { day }) : day;
                return selected ? t('selected', { day: named }) : named;
              },
              labelPrevious: () => t('previousMonth'),
              labelNext: () => t('nextMonth'),
              labelGrid: (date) => month().format(date),
              labelWeekday: (date) => weekday().format(date),
            }}
            formatters={{
              formatCaption: (date) => month().format(date),
              formatWeekdayName: (date) => weekday().format(date).slice(0, 2),
            }}
            selected={value ? asDate(value) : undefined}
            onSelect={(date) => {
              if (!date) return;
              onChange(asDay(date));
              close();
            }}
            classNames={{
              root: 'relative',
              month_caption: 'flex min-h-11 items-center px-2 font-strong',
              nav: 'absolute end-0 top-0 flex',
              button_previous: 'grid size-11 place-items-center rounded-full hover:bg-ink/8 disabled:opacity-40',
              button_next: 'grid size-11 place-items-center rounded-full hover:bg-ink/8',
              chevron: 'size-5 fill-current',
              month_grid: 'w-full table-fixed border-collapse',
              weekday: 'pb-1 text-note font-regular text-ink-soft',
              day: 'p-0 text-center tabular',
              day_button:
                'mx-auto grid h-11 w-full max-w-11 place-items-center rounded-full hover:bg-ink/8 disabled:cursor-not-allowed disabled:opacity-40 disabled:hover:bg-transparent',
              today: 'font-strong text-accent-ink',
              selected: '[&_button]:bg-accent [&_button]:text-on-accent [&_button]:hover:bg-accent-hover',
              outside: 'opacity-40',
            }}
          />
        </div>
      )}
    </div>
  );
}

interface DateButtonProps {
  ref: Ref<HTMLButtonElement>;
  value: string;
  open: boolean;
  onClick: () => void;
}

function DateButton({ ref, value, open, onClick }: DateButtonProps) {
  const t = useTexts(texts);
  return (
    <button
      ref={ref}
      type="button"
      {...useFieldProps()}
      aria-expanded={open}
      onClick={onClick}
      className={cx(
        controlClass,
        'flex items-center justify-between gap-3 text-start tabular',
        !value && 'text-ink-soft',
      )}
    >
      {value ? formatDate(value) : t('noDate')}
      <CalendarDays aria-hidden className="size-5 text-ink-soft" />
    </button>
  );
}
