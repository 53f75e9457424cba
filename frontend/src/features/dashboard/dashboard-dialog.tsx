import { EventList, type Event } from '@beltway/contracts/catalog';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { ticketsAvailable } from '../../lib/event-facts.ts';
import { When } from '../../lib/event-lines.tsx';
import { formatPrice } from '../../lib/format.ts';
import { explain } from '../../lib/http.ts';
import { apiQuery } from '../../lib/query.ts';
import { useStock } from '../../lib/realtime.ts';
import { useSession } from '../../lib/session.ts';
import { Badge } from '../../ui/badge.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { EmptyState, ErrorState, Loading, Skeleton } from '../../ui/states.tsx';

interface DashboardDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Specification 1, section 9: the three most recent. */
const SHOWN = 3;

/** Newest first, as they were put up. */
const byCreation = (one: Event, other: Event) =>
  Date.parse(other.createdAt) - Date.parse(one.createdAt) || other.id - one.id;

const revenueOf = ({ soldTickets, ticketPrice }: Event) => soldTickets * Number(ticketPrice ?? 0);

/** The user's own events and how they sell, live. All figures are counted, none are made up. */
export function DashboardDialog({ open, onOpenChange }: DashboardDialogProps) {
  const { user } = useSession();
  const mine = useQuery({
    ...apiQuery(EventList, '/api/users', user?.id ?? 0, 'events'),
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
        <Figures events={mine.data} onLeave={() => onOpenChange(false)} />
      )}
    </Dialog>
  );
}

function Figures({ events, onLeave }: { events: Event[]; onLeave: () => void }) {
  useStock(events.map(({ id }) => id));
  const sold = events.reduce((sum, event) => sum + event.soldTickets, 0);
  const revenue = events.reduce((sum, event) => sum + revenueOf(event), 0);
  const facts: [string, string][] = [
    ['Events', String(events.length)],
    ['Tickets sold', sold.toLocaleString('en-US')],
    ['Ticket sales', formatPrice(revenue)],
    ['Your share, 95 %', formatPrice(revenue * 0.95)],
  ];
  return (
    <div className="grid gap-6 pt-1">
      <dl className="grid grid-cols-2 gap-3 sm:grid-cols-4">
        {facts.map(([name, value]) => (
          <div key={name} className="rounded-md bg-sunken p-4">
            <dt className="text-note text-ink-soft">{name}</dt>
            <dd className="mt-1 text-title font-strong tabular">{value}</dd>
          </div>
        ))}
      </dl>
      <p className="-mt-3 text-note text-ink-soft">Counted at each event’s price of today, without refunded tickets.</p>
      <section aria-labelledby="recent-events">
        <h3 id="recent-events" className="mb-3 text-title">
          Most recent
        </h3>
        <ul className="grid gap-3">
          {[...events]
            .sort(byCreation)
            .slice(0, SHOWN)
            .map((event) => (
              <li key={event.id}>
                <Link
                  to={`/event/${event.id}`}
                  onClick={onLeave}
                  className="grid gap-2 rounded-md border border-line bg-surface p-4 transition-colors duration-(--duration-fast) hover:border-ink"
                >
                  <span className="flex flex-wrap items-center justify-between gap-2">
                    <span className="font-strong">{event.title}</span>
                    {event.status === 'cancelled' && <Badge tone="danger">Cancelled</Badge>}
                  </span>
                  <When event={event} className="text-note text-ink-soft" />
                  <Sales event={event} />
                </Link>
              </li>
            ))}
        </ul>
      </section>
    </div>
  );
}

function Sales({ event }: { event: Event }) {
  if (!event.hasTickets || !event.totalTickets)
    return <span className="text-note text-ink-soft">Sells no tickets</span>;
  const share = Math.min(100, (event.soldTickets / event.totalTickets) * 100);
  return (
    <span className="grid gap-1.5">
      <span className="flex justify-between gap-3 text-note tabular">
        <span>
          {event.soldTickets} of {event.totalTickets} sold
        </span>
        <span>
          {ticketsAvailable(event)} left · {formatPrice(revenueOf(event))}
        </span>
      </span>
      <span aria-hidden className="block h-2 overflow-hidden rounded-full bg-sunken">
        <span className="block h-full rounded-full bg-accent" style={{ width: `${share}%` }} />
      </span>
    </span>
  );
}
