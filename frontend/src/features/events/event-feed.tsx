import type { Event } from '@beltway/contracts/catalog/events';
import { useDeferredValue } from 'react';
import { textsNow, useTexts, type TextsOf } from '../../lib/i18n/catalog.ts';
import { formatCount } from '../../lib/i18n/format.ts';
import { useEventSearch } from '../../lib/events/event-search.ts';
import { explain } from '../../lib/http/http.ts';
import { useStock } from '../../lib/realtime/realtime.ts';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { Meta } from '../../ui/meta.tsx';
import { EmptyState, ErrorState, Loading, Skeleton } from '../../ui/states.tsx';
import { EventCard } from './event-card.tsx';
import { isFiltering, type EventFilter } from './filter.ts';
import { SubscribeMenu } from './subscribe-menu.tsx';
import { texts } from './texts.en.ts';

const PAGE = 24;
const FIRST_CARDS = 3;
/** As many beside each other as there is room for: three on a desk. */
export const eventGrid = 'grid grid-cols-[minmax(0,1fr)] gap-4 md:grid-cols-2 md:gap-5 xl:grid-cols-3';

interface EventFeedProps {
  filter: EventFilter;
  /** The filter as the API takes it. */
  search: URLSearchParams;
  onClear: () => void;
  onSubmitEvent: () => void;
}

/** The events that match, page by page. While another search is under way what was found stays in sight, paler. */
export function EventFeed({ filter, search, onClear, onSubmitEvent }: EventFeedProps) {
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
          {isStale ? t('searching') : countText(t, events.length, hasNextPage)}
        </Meta>
        <SubscribeMenu filter={filter} />
      </div>
      <div aria-busy={isStale} className={cx('transition-opacity duration-(--duration-base)', isStale && 'opacity-60')}>
        {events.length === 0 ? (
          <EmptyState title={t('noMatch')} action={<Button onClick={onClear}>{t('clearFilters')}</Button>}>
            {t('noMatchWhy')}
          </EmptyState>
        ) : (
          <Cards events={events} hasPriority={filtering} />
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

/** The first are shown at once, the others as soon as the browser has a moment: twenty-four cards at a time would hold it up. */
function Cards({ events, hasPriority }: { events: Event[]; hasPriority: boolean }) {
  const shown = useDeferredValue(events, events.slice(0, FIRST_CARDS));
  return (
    <ul className={eventGrid}>
      {shown.map((event, at) => (
        <li key={event.id}>
          <EventCard event={event} priority={at === 0 && hasPriority} />
        </li>
      ))}
    </ul>
  );
}

/** "24 events", and that there are more. */
const countText = (t: TextsOf<typeof texts>, count: number, more: boolean): string => {
  const number = formatCount(count);
  return more ? t('firstOf', { number }) : t('found', { count, number });
};

const FeedSkeleton = () => (
  <Loading label={textsNow(texts)('loading')} className={eventGrid}>
    {[1, 2, 3].map((at) => (
      <div key={at} className="rounded-lg border border-line bg-surface">
        <Skeleton className="aspect-2/1 rounded-b-none rounded-t-[15px]" />
        <div className="grid gap-2.5 p-4">
          <Skeleton className="h-5 w-40" />
          <Skeleton className="h-6 w-4/5" />
          <Skeleton className="h-4 w-1/2" />
          <Skeleton className="h-9 w-full" />
          <Skeleton className="mt-4 h-6 w-24" />
          <Skeleton className="h-11 rounded-full" />
        </div>
      </div>
    ))}
  </Loading>
);
