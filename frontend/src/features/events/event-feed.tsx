import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { soonestFirst } from '../../lib/event-facts.ts';
import { eventsQuery } from '../../lib/event-queries.ts';
import { formatCount } from '../../lib/format.ts';
import { explain } from '../../lib/http.ts';
import { useStock } from '../../lib/realtime.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState, ErrorState, Loading, Skeleton } from '../../ui/states.tsx';
import { EventCard } from './event-card.tsx';
import { filterEvents, isFiltering, type EventFilter } from './filter.ts';

const PAGE = 12;
/** As many beside each other as there is room for: three on a desk. */
const eventGrid = 'grid grid-cols-[minmax(0,1fr)] gap-4 md:grid-cols-2 md:gap-5 xl:grid-cols-3';

interface EventFeedProps {
  filter: EventFilter;
  onClear: () => void;
  onSubmitEvent: () => void;
}

/** All events that match, soonest first. */
export function EventFeed({ filter, onClear, onSubmitEvent }: EventFeedProps) {
  const { data, error, isPending, isFetching, refetch } = useQuery(eventsQuery());
  const [pages, setPages] = useState({ of: filter, count: 1 });
  const count = isSame(pages.of, filter) ? pages.count : 1;
  const found = data ? filterEvents(data, filter) : [];
  const shown = soonestFirst(found).slice(0, count * PAGE);
  useStock(shown.filter(({ hasTickets }) => hasTickets).map(({ id }) => id));

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
      <p role="status" className="tabular mb-4 text-note text-ink-soft">
        {isFiltering(filter)
          ? `${formatCount(found.length)} of ${formatCount(data.length)} events`
          : `${formatCount(found.length)} ${found.length === 1 ? 'event' : 'events'}`}
      </p>
      {found.length === 0 ? (
        <EmptyState title="Nothing matches" action={<Button onClick={onClear}>Clear Filters</Button>}>
          No event fits these words and tags. Try fewer of them, or see everything.
        </EmptyState>
      ) : (
        <ul className={eventGrid}>
          {shown.map((event, at) => (
            <li key={event.id}>
              <EventCard event={event} priority={at === 0 && isFiltering(filter)} />
            </li>
          ))}
        </ul>
      )}
      {more > 0 && (
        <div className="mt-7">
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
  <Loading label="Loading events" className={eventGrid}>
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
