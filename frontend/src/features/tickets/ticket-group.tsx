import type { Ticket, TicketEvent } from '@beltway/contracts/ticketing';
import { CalendarDays, MapPin } from 'lucide-react';
import { Suspense, useState, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { formatLongDate, formatTimes } from '../../lib/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { cx } from '../../ui/cx.ts';
import { Poster } from '../../ui/poster.tsx';
import { TicketCard } from './ticket-card.tsx';
import { lazily } from '../../lib/lazily.ts';

const CodeDialog = lazily(async () => (await import('./code-dialog.tsx')).CodeDialog);

interface TicketGroupProps {
  event: TicketEvent;
  tickets: Ticket[];
  heading?: 'h2' | 'h3';
  /** What can be done with the whole order. */
  actions?: ReactNode;
}

/** The tickets of one order under the event they are for. */
export function TicketGroup({ event, tickets, heading: Heading = 'h2', actions }: TicketGroupProps) {
  const [large, setLarge] = useState<number | null>(null);
  return (
    <section className="grid gap-4">
      <header className="flex gap-4">
        <Poster
          src={event.imageUrl}
          alt=""
          className="aspect-[16/10] w-24 shrink-0 self-start rounded-md sm:w-36 sm:self-center"
        />
        <div className="grid min-w-0 content-center gap-1">
          <Heading className="text-title font-strong">
            <Link to={`/event/${event.id}`} className="hover:underline">
              {event.title}
            </Link>
          </Heading>
          <p className="flex items-start gap-2 text-note text-ink-soft">
            <CalendarDays aria-hidden className="mt-0.5 size-4 shrink-0" />
            <span>
              {formatLongDate(event.eventDate)},{' '}
              <span className="whitespace-nowrap">{formatTimes(event.eventStartTime, event.eventEndTime)}</span>
            </span>
          </p>
          <p className="flex items-start gap-2 text-note text-ink-soft">
            <MapPin aria-hidden className="mt-0.5 size-4 shrink-0" />
            {event.location}
          </p>
          {event.status === 'cancelled' && (
            <p>
              <Badge tone="danger">Cancelled</Badge>
            </p>
          )}
        </div>
      </header>
      {actions && <div className="grid grid-cols-2 gap-3 sm:flex sm:flex-wrap">{actions}</div>}
      <div className={cx('grid gap-3', tickets.length > 1 ? 'lg:grid-cols-2' : 'max-w-2xl')}>
        {tickets.map((ticket, index) => (
          <TicketCard
            key={ticket.id}
            ticket={ticket}
            position={`Ticket ${index + 1} of ${tickets.length}`}
            compact={tickets.length > 2}
            onEnlarge={() => setLarge(index)}
          />
        ))}
      </div>
      <Suspense>{large !== null && <CodeDialog tickets={tickets} at={large} onShow={setLarge} />}</Suspense>
    </section>
  );
}
