import type { Event } from '@beltway/contracts/catalog/events';
import { currentDayOf } from '@beltway/contracts/common/times';
import { useDeferredValue } from 'react';
import { textsNow, useTexts, type TextsOf } from '../../lib/i18n/catalog.ts';
import { useEventClock } from '../../lib/events/event-clock.ts';
import { isEnded, isPostponed } from '../../lib/events/event-facts.ts';
import { formatCount, formatLongDate, nearDay } from '../../lib/i18n/format.ts';
import { useEventSearch } from '../../lib/events/event-search.ts';
import { explain } from '../../lib/http/http.ts';
import { useStock } from '../../lib/realtime/realtime.ts';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { Meta } from '../../ui/meta.tsx';
import { EmptyState, ErrorState, Loading, Skeleton } from '../../ui/states.tsx';
import { EventCard } from './event-card.tsx';
import { eventGrid } from './event-grid.ts';
import { isFiltering, type EventFilter } from './filter.ts';
import { SubscribeMenu } from './subscribe-menu.tsx';
import { texts } from './texts.en.ts';

const PAGE = 16;
const FIRST_CARDS = 3;

interface EventFeedProps {
  filter: EventFilter;
  /** The filter as API parameters. */
  search: URLSearchParams;
  onClear: () => void;
  onSubmitEvent: () => void;
  /** Events already shown above the list. */
  above?: readonly Event[];
}

/** The matching events, page by page. While another search loads, the previous results stay visible, dimmed. */
export function EventFeed({ filter, search, onClear, onSubmitEvent, above = [] }: EventFeedProps) {
  const t = useTexts(texts);
  const {
    events,
    data,
    error,
    isPending,
    isFetching,
    isStale,
    hasNextPage,
    isFetchingNextPage,
    fetchNextPage,
    refetch,
  } = useEventSearch(search, PAGE);
  useStock(events.filter(({ hasTickets }) => hasTickets).map(({ id }) => id));

  if (isPending) return <FeedSkeleton />;
  if (!data || (error && isStale))
    return (
      <ErrorState
        title={t('notLoaded')}
        message={explain(error)}
        onRetry={() => void refetch()}
        retrying={isFetching}
      />
    );
  const filtering = isFiltering(filter);
  if (events.length === 0 && !filtering && !isStale)
    return (
      <EmptyState title={t('noEvents')} action={<Button onClick={onSubmitEvent}>{t('submit')}</Button>}>
        {t('noEventsWhy')}
      </EmptyState>
    );
  return (
    <>
      <div className="mb-2 flex flex-wrap items-center justify-between gap-x-3">
        <Meta role="status" className="tabular">
          {isStale
            ? t('searching')
            : hasNextPage
              ? t('allIn')
              : t('found', { count: events.length, number: formatCount(events.length) })}
        </Meta>
        <SubscribeMenu filter={filter} />
      </div>
      <div aria-busy={isStale} className={cx('transition-opacity duration-(--duration-base)', isStale && 'opacity-60')}>
        {events.length === 0 ? (
          <EmptyState title={t('noMatch')} action={<Button onClick={onClear}>{t('clearFilters')}</Button>}>
            {t('noMatchWhy')}
          </EmptyState>
        ) : (
          <Days
            events={events.filter(({ id }) => !above.some((event) => event.id === id))}
            isByDay={filter.sort === ''}
            hasPriority={filtering}
          />
        )}
      </div>
      {hasNextPage && !isStale && (
        <div className="mt-7 grid justify-items-start gap-3">
          {error && <p role="alert">{explain(error)}</p>}
          <Button variant="secondary" pending={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t('more')}
          </Button>
        </div>
      )}
    </>
  );
}

interface DaysProps {
  events: Event[];
  /** True if the events are sorted by day; each day then has a heading. */
  isByDay: boolean;
  hasPriority: boolean;
}

/**
 * Events grouped by day. The first cards render immediately and the others later, because rendering all of them
 * together would block the browser.
 */
function Days({ events, isByDay, hasPriority }: DaysProps) {
  const t = useTexts(texts);
  const shown = useDeferredValue(events, events.slice(0, FIRST_CARDS));
  const now = useEventClock(shown);
  const days = new Map<string, Event[]>();
  for (const event of shown) {
    const day = isByDay ? headingOf(t, event, now) : '';
    days.set(day, [...(days.get(day) ?? []), event]);
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      {[...days].map(([day, ofDay]) => (
        <div key={day}>
          {day && <h2 className="mb-2 text-title">{day}</h2>}
          <ul className={eventGrid}>
            {ofDay.map((event) => (
              <li key={event.id}>
                <EventCard event={event} priority={hasPriority && event === shown[0]} />
              </li>
            ))}
          </ul>
        </div>
      ))}
    </div>
  );
}

/** "Today" or "Sunday, November 29, 2026"; events that are over or have no date get headings of their own. */
function headingOf(t: TextsOf<typeof texts>, event: Event, now: Date): string {
  if (event.eventDate === '' || isPostponed(event)) return t('withoutDate');
  if (isEnded(event, now)) return t('over');
  const day = currentDayOf(event, now);
  return nearDay(day, now) ?? formatLongDate(day);
}

const FeedSkeleton = () => (
  <Loading label={textsNow(texts)('loading')} className={eventGrid}>
    {[1, 2, 3].map((at) => (
      <div key={at} className="rounded-lg border border-line bg-surface max-md:p-3">
        <div className="max-md:flex max-md:gap-3">
          <Skeleton className="size-26 shrink-0 rounded-md md:aspect-5/2 md:size-auto md:rounded-b-none md:rounded-t-[15px]" />
          <div className="grid flex-1 content-start gap-2.5 md:p-4">
            <Skeleton className="h-4 w-32 max-w-full" />
            <Skeleton className="h-6 w-4/5" />
            <Skeleton className="h-4 w-1/2" />
          </div>
        </div>
        <Skeleton className="mt-3 h-11 rounded-full md:mx-4" />
        <Skeleton className="mt-2 mb-1 h-9 md:mx-4" />
      </div>
    ))}
  </Loading>
);
