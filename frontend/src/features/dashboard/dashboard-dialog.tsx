import type { Event } from '@beltway/contracts/catalog';
import { useQuery } from '@tanstack/react-query';
import { formatCount } from '../../lib/format.ts';
import { explain } from '../../lib/http.ts';
import { useStock } from '../../lib/realtime.ts';
import { useSession } from '../../lib/session.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { EmptyState, ErrorState, Loading, Skeleton } from '../../ui/states.tsx';
import { byCreation, ownEventsQuery, salesQuery, sumOf } from './api.ts';
import { EventSales } from './event-sales.tsx';
import { Figures } from './figures.tsx';

interface DashboardDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** The three most recent: docs/product.md#sales-figures */
const SHOWN = 3;

/** The user's own events and how they sell, live. All figures are counted, none are made up. */
export function DashboardDialog({ open, onOpenChange }: DashboardDialogProps) {
  const { user } = useSession();
  const mine = useQuery({
    ...ownEventsQuery(user?.id ?? 0),
    enabled: open && user !== null,
  });
  if (!user) return null;
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Business Dashboard"
      description={`${user.name}, here is how your events are doing.`}
      size="wide"
    >
      {mine.isPending ? (
        <Loading label="Your events are loading" className="grid gap-4">
          <Skeleton className="h-20" />
          <Skeleton className="h-24" />
          <Skeleton className="h-24" />
        </Loading>
      ) : mine.isLoadingError ? (
        <ErrorState
          title="Your events could not be loaded"
          message={explain(mine.error)}
          onRetry={() => void mine.refetch()}
          retrying={mine.isFetching}
        />
      ) : mine.data.length === 0 ? (
        <EmptyState title="No events yet">Launch your first event, and its sales show here as they happen.</EmptyState>
      ) : (
        <Overview events={mine.data} onLeave={() => onOpenChange(false)} />
      )}
    </Dialog>
  );
}

function Overview({ events, onLeave }: { events: Event[]; onLeave: () => void }) {
  useStock(events.map(({ id }) => id));
  const sales = useQuery(salesQuery());
  return (
    <div className="grid gap-6 pt-1">
      <Figures
        events={events.length}
        tickets={events.reduce((sum, event) => sum + event.soldTickets, 0)}
        money={
          sales.data
            ? { revenue: sumOf(sales.data, 'revenue'), share: sumOf(sales.data, 'share') }
            : sales.isError
              ? null
              : undefined
        }
      />
      <section aria-labelledby="recent-events">
        <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
          <h3 id="recent-events" className="text-title">
            Most recent
          </h3>
          <ButtonLink to="/dashboard" variant="quiet" onClick={onLeave}>
            All your events ({formatCount(events.length)})
          </ButtonLink>
        </div>
        <ul className="grid gap-3">
          {[...events]
            .sort(byCreation)
            .slice(0, SHOWN)
            .map((event) => (
              <li key={event.id}>
                <EventSales
                  event={event}
                  sales={sales.data?.find(({ eventId }) => eventId === event.id)}
                  heading="h4"
                  onLeave={onLeave}
                />
              </li>
            ))}
        </ul>
      </section>
    </div>
  );
}
