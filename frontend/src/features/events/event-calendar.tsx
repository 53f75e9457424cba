import type { Event } from '@beltway/contracts/catalog/events';
import { categoryOf, type MetroLine } from '@beltway/contracts/catalog/categories';
import { onFirstUse } from '@beltway/contracts/common/on-first-use';
import { dayAt, dayOf, eachDayOf } from '@beltway/contracts/common/times';
import { createContext, use, useContext, useEffect, useRef, useState } from 'react';
import { DayPicker, type DayButtonProps } from 'react-day-picker';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { useClock } from '../../lib/time/clock.ts';
import { useWholeSearch } from '../../lib/events/event-search.ts';
import { isPostponed, soonestFirst } from '../../lib/events/event-facts.ts';
import { LineDot } from '../../lib/events/event-lines.tsx';
import { EventTile } from '../../lib/events/event-tile.tsx';
import { formatLongDate } from '../../lib/i18n/format.ts';
import { explain } from '../../lib/http/http.ts';
import { language, locale, perLanguage } from '../../lib/i18n/language.ts';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { Meta } from '../../ui/meta.tsx';
import { ErrorState, Loading, Skeleton } from '../../ui/states.tsx';
import { partOfDays, weeksOf } from './view-search.ts';
import { texts } from './views.texts.en.ts';

const asDate = (day: string) => new Date(`${day}T12:00:00`);
const asDay = (date: Date) =>
  [date.getFullYear(), String(date.getMonth() + 1).padStart(2, '0'), String(date.getDate()).padStart(2, '0')].join('-');
const spoken = perLanguage(() => new Intl.DateTimeFormat(locale(), { dateStyle: 'full' }));

/** The calendar's Spanish locale, loaded when needed. */
const calendarInSpanish = onFirstUse(async () => (await import('react-day-picker/locale/es')).es);

const later = (one: string, other: string) => (one > other ? one : other);

/** The number of titles that fit into a day on wide screens. */
const TITLES = 2;

type Days = ReadonlyMap<string, readonly Event[]>;
const EventsOfDays = createContext<Days>(new Map());

/** The maximum number of a month's events that load without a click. */
const MOST = 500;

/**
 * The events of a month, in weeks from Sunday; arrow keys move between days, and the chosen day's events are listed
 * below.
 */
export function EventCalendar({ search }: { search: URLSearchParams }) {
  const t = useTexts(texts);
  const now = useClock();
  const today = dayAt(now);
  const [chosen, setChosen] = useState(today);
  const { first, last } = weeksOf(chosen);
  const month = useWholeSearch(partOfDays(search, first, last), MOST);
  const { error, isPending, isFetching, isStale, isLoadingOn, isWhole, refetch } = month;
  if (isPending)
    return (
      <Loading label={t('loadingCalendar')}>
        <Skeleton className="h-96 rounded-lg" />
      </Loading>
    );
  if (!month.data && error)
    return (
      <ErrorState
        title={t('eventsNotLoaded')}
        message={explain(error)}
        onRetry={() => void refetch()}
        retrying={isFetching}
      />
    );
  const dated = month.events.filter((event) => !isPostponed(event));
  const onDays = soonestFirst(dated, now).flatMap((event) => eachDayOf(event).map((day) => ({ day, event })));
  const days: Days = new Map(
    [...Map.groupBy(onDays, ({ day }) => day)].map(([day, ofDay]) => [day, ofDay.map(({ event }) => event)]),
  );
  const events = days.get(chosen) ?? [];
  // Events load in date order, so all days before the last loaded day are complete.
  const loadedTo = isStale ? first : dated.map(({ eventDate }) => dayOf(eventDate)).reduce(later, first);
  const isKnown = (day: string) => isWhole || day < loadedTo;
  const countOf = (day: string) => days.get(day)?.length ?? 0;
  return (
    <EventsOfDays value={days}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6 xl:grid-cols-[minmax(0,1fr)_22rem] xl:items-start">
        <DayPicker
          mode="single"
          required
          weekStartsOn={0}
          showOutsideDays
          {...(language() === 'es' && { locale: use(calendarInSpanish()) })}
          month={asDate(chosen)}
          // The calendar always shows the month of the chosen day.
          onMonthChange={(shown: Date) => {
            const wanted = asDay(shown).slice(0, 7);
            if (wanted !== chosen.slice(0, 7)) setChosen(today.startsWith(wanted) ? today : `${wanted}-01`);
          }}
          selected={asDate(chosen)}
          onSelect={(date: Date) => setChosen(asDay(date))}
          today={asDate(today)}
          labels={{
            labelDayButton: (date, { today: isToday, selected }) =>
              [
                isToday ? t('todayIs', { day: spoken().format(date) }) : spoken().format(date),
                isKnown(asDay(date)) || countOf(asDay(date)) > 0
                  ? t('countOfDay', { count: countOf(asDay(date)) })
                  : t('dayNotLoaded'),
                ...(selected ? [t('selected')] : []),
              ].join(', '),
          }}
          components={{ DayButton }}
          classNames={{
            root: 'relative rounded-lg border border-line bg-surface p-2 sm:p-4',
            month_caption: 'flex min-h-11 items-center px-2 font-display text-title font-strong',
            nav: 'absolute end-2 top-2 flex max-[18rem]:static sm:end-4 sm:top-4',
            button_previous: 'grid size-11 place-items-center rounded-full hover:bg-ink/8',
            button_next: 'grid size-11 place-items-center rounded-full hover:bg-ink/8',
            chevron: 'size-5 fill-current',
            month_grid: 'w-full table-fixed border-collapse',
            weekday: 'pb-1 text-note font-regular text-ink-soft',
            day: 'h-14 border border-line p-0 align-top sm:h-24',
            today: '[&_[data-number]]:bg-accent [&_[data-number]]:text-on-accent',
            outside: '[&_[data-number]]:text-ink-soft',
          }}
        />
        <section aria-labelledby="day-title" aria-live="polite">
          <h3 id="day-title" className="mb-3 text-title">
            {formatLongDate(`${chosen}T17:00:00Z`)}
          </h3>
          {events.length === 0 && isKnown(chosen) && <p className="text-ink-soft">{t('nothingThatDay')}</p>}
          {events.length > 0 && (
            <ul className="grid grid-cols-[minmax(0,1fr)] gap-3">
              {events.map((event) => (
                <li key={event.id}>
                  <EventTile event={event} />
                </li>
              ))}
            </ul>
          )}
          {!isKnown(chosen) && (
            <div className={cx('grid justify-items-start gap-3', events.length > 0 && 'mt-4')}>
              <p className="text-ink-soft">
                {error ? explain(error) : t(isStale || isLoadingOn ? 'loadingCalendar' : 'moreInMonth')}
              </p>
              {(error || (!isStale && !isLoadingOn)) && (
                <Button variant="secondary" pending={isFetching} onClick={() => void month.fetchNextPage()}>
                  {t('more')}
                </Button>
              )}
            </div>
          )}
        </section>
      </div>
    </EventsOfDays>
  );
}

/** A day with its number and its events: on a phone a dot for each Metro line, on wide screens the first titles. */
function DayButton({ day, modifiers, className: _, 'aria-label': spokenDay, ...rest }: DayButtonProps) {
  const t = useTexts(texts);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (modifiers.focused) button.current?.focus();
  }, [modifiers.focused]);
  const events = useContext(EventsOfDays).get(asDay(day.date)) ?? [];
  const lines = [...new Set(events.map(({ tags }): MetroLine => categoryOf(tags).line))];
  return (
    <button
      {...rest}
      ref={button}
      className={cx(
        'flex size-full flex-col items-start gap-1 overflow-hidden p-1 text-start -outline-offset-2 hover:bg-ink/8',
        modifiers.selected && 'bg-accent-soft',
      )}
    >
      {/* The accessible name has the full date instead of the day's number. */}
      <span className="sr-only">{spokenDay}</span>
      <span
        aria-hidden
        data-number
        className="tabular grid size-6 shrink-0 place-items-center rounded-full text-note font-strong"
      >
        {day.date.getDate()}
      </span>
      <span aria-hidden className="flex flex-wrap gap-0.5 px-1 sm:hidden">
        {lines.slice(0, 4).map((line) => (
          <LineDot key={line} line={line} className="!size-2" />
        ))}
      </span>
      <span className="grid w-full grid-cols-[minmax(0,1fr)] gap-0.5 max-sm:hidden">
        {events.slice(0, TITLES).map((event) => (
          <span key={event.id} className="flex min-w-0 items-center gap-1 text-note leading-tight">
            <LineDot line={categoryOf(event.tags).line} className="!size-2" />
            <span className="min-w-0 truncate">{event.title}</span>
          </span>
        ))}
        {events.length > TITLES && (
          <Meta as="span" className="leading-tight">
            {t('moreOfDay', { count: String(events.length - TITLES) })}
          </Meta>
        )}
      </span>
    </button>
  );
}
