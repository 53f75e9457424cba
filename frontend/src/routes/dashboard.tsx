import type { Event } from '@beltway/contracts/catalog';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { byCreation, ownEventsQuery, salesQuery, sumOf } from '../features/dashboard/api.ts';
import { EventSales } from '../features/dashboard/event-sales.tsx';
import { Figures } from '../features/dashboard/figures.tsx';
import { explain } from '../lib/http.ts';
import { usePageTitle } from '../lib/page-title.ts';
import { useStock } from '../lib/realtime.ts';
import { useSession } from '../lib/session.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { EmptyState, ErrorState, Loading, Skeleton } from '../ui/states.tsx';

/** Events on the page at first, and more with each press. */
const PAGE = 24;

/** All own events, and what they have sold. */
export function Component() {
  usePageTitle('Your events');
  const { user } = useSession();
  const mine = useQuery({ ...ownEventsQuery(user?.id ?? 0), enabled: user !== null });
  return (
    <div className="page grid gap-6 py-8 lg:py-12">
      <h1 className="text-heading">Your events</h1>
      {mine.isPending ? (
        <Loading label="Your events are loading" className="grid gap-4">
          <Skeleton className="h-24" />
          <Skeleton className="h-40" />
          <Skeleton className="h-40" />
        </Loading>
      ) : mine.isLoadingError ? (
        <ErrorState
          title="Your events could not be loaded"
          message={explain(mine.error)}
          onRetry={() => void mine.refetch()}
          retrying={mine.isFetching}
        />
      ) : mine.data.length === 0 ? (
        <EmptyState title="No events yet" action={<ButtonLink to="/">Home</ButtonLink>}>
          Launch your first event with ‘Launch My Event’, and its sales show here as they happen.
        </EmptyState>
      ) : (
        <Events events={mine.data} />
      )}
    </div>
  );
}

function Events({ events }: { events: Event[] }) {
  const [shown, setShown] = useState(PAGE);
  const page = [...events].sort(byCreation).slice(0, shown);
  useStock(page.map(({ id }) => id));
  const sales = useQuery(salesQuery());
  const money = sales.data && { revenue: sumOf(sales.data, 'revenue'), share: sumOf(sales.data, 'share') };
  return (
    <>
      <Figures
        events={events.length}
        tickets={events.reduce((sum, event) => sum + event.soldTickets, 0)}
        money={money ?? (sales.isError ? null : undefined)}
      />
      <ul className="grid gap-3 md:grid-cols-2 xl:grid-cols-3">
        {page.map((event) => (
          <li key={event.id} className="grid">
            <EventSales event={event} sales={sales.data?.find(({ eventId }) => eventId === event.id)} heading="h2" />
          </li>
        ))}
      </ul>
      {events.length > shown && (
        <Button variant="secondary" className="justify-self-center" onClick={() => setShown(shown + PAGE)}>
          Show more
        </Button>
      )}
    </>
  );
}
