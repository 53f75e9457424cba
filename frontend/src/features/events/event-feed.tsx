import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { eventsQuery } from '../../lib/event-queries.ts';
import { formatCount } from '../../lib/format.ts';
import { explain } from '../../lib/http.ts';
import { useStock } from '../../lib/realtime.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState, ErrorState, Loading, Skeleton } from '../../ui/states.tsx';
import { DayStop } from './day-stop.tsx';
import { byDay, filterEvents, firstOf, isFiltering, type EventFilter } from './filter.ts';

const PAGE = 12;

interface EventFeedProps {
  filter: EventFilter;
  onClear: () => void;
  onSubmitEvent: () => void;
}

/** All events that match, soonest first, as stops along a line. */
export function EventFeed({ filter, onClear, onSubmitEvent }: EventFeedProps) {
  const { data, error, isPending, isFetching, refetch } = useQuery(eventsQuery());
  const [pages, setPages] = useState({ of: filter, count: 1 });
  const count = isSame(pages.of, filter) ? pages.count : 1;
  const found = data ? filterEvents(data, filter) : [];
  const days = firstOf(byDay(found), count * PAGE);
  useStock(days.flatMap(({ events }) => events.filter(({ hasTickets }) => hasTickets).map(({ id }) => id)));

  if (isPending) return <FeedSkeleton />;
  if (error && !data)
    return (
      <ErrorState
        title="The events could not be loaded"
        message={explain(error)}
        onRetry={() => void refetch()}
        retrying={isFetching}
      />
    );
  if (data.length === 0)
    return (
      <EmptyState title="No events yet" action={<Button onClick={onSubmitEvent}>Submit your event</Button>}>
        Nothing has been announced so far. Put on the first one: it takes a title, a date, a place and a few words.
      </EmptyState>
    );
  const more = found.length - count * PAGE;
  return (
    <>
      <p role="status" className="tabular mb-6 text-note text-ink-soft">
        {isFiltering(filter)
          ? `${formatCount(found.length)} of ${formatCount(data.length)} events`
          : `${formatCount(found.length)} ${found.length === 1 ? 'event' : 'events'}`}
      </p>
      {found.length === 0 ? (
        <EmptyState title="Nothing matches" action={<Button onClick={onClear}>Clear Filters</Button>}>
          No event fits these words and tags. Try fewer of them, or see everything.
        </EmptyState>
      ) : (
        <ol>
          {days.map((day, at) => (
            <DayStop key={day.key} day={day} isFirst={at === 0} isLast={at === days.length - 1} />
          ))}
        </ol>
      )}
      {more > 0 && (
        <div className="mt-2 md:pl-36 lg:pl-44">
          <Button variant="secondary" onClick={() => setPages({ of: filter, count: count + 1 })}>
            Load More Events
          </Button>
        </div>
      )}
    </>
  );
}

const isSame = (one: EventFilter, other: EventFilter) =>
  one.q === other.q && one.tag === other.tag && one.line === other.line;

const FeedSkeleton = () => (
  <Loading label="Loading events" className="grid gap-6 md:pl-36 lg:pl-44">
    {[1, 2, 3].map((at) => (
      <div
        key={at}
        className="grid rounded-lg border border-line bg-surface md:grid-cols-[15rem_minmax(0,1fr)] lg:grid-cols-[minmax(0,17rem)_minmax(0,1fr)_15rem] xl:grid-cols-[minmax(0,19rem)_minmax(0,1fr)_15rem]"
      >
        <div className="md:p-3">
          <Skeleton className="aspect-16/10 rounded-t-[15px] md:rounded-md" />
        </div>
        <div className="grid content-start gap-3 p-4 md:px-3 md:py-5">
          <Skeleton className="h-6 w-24 rounded-full" />
          <Skeleton className="h-5 w-40" />
          <Skeleton className="h-8 w-4/5" />
          <Skeleton className="h-5 w-1/2" />
          <Skeleton className="h-9 w-full" />
        </div>
        <div className="flex flex-col gap-3 p-4 md:col-span-2 lg:col-span-1 lg:p-5">
          <Skeleton className="h-8 w-24" />
          <Skeleton className="h-5 w-32" />
          <Skeleton className="mt-auto h-11 rounded-full" />
        </div>
      </div>
    ))}
  </Loading>
);
