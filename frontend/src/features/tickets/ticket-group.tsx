import type { Ticket, TicketEvent } from '@beltway/contracts/ticketing';
import { CalendarDays, MapPin } from 'lucide-react';
import { Link } from 'react-router-dom';
import { formatLongDate, formatTimes } from '../../lib/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { Poster } from '../../ui/poster.tsx';
import { TicketCard } from './ticket-card.tsx';

/** The tickets of one order under the event they are for. */
export function TicketGroup({
  event,
  tickets,
  heading = 'h2',
}: {
  event: TicketEvent;
  tickets: Ticket[];
  heading?: 'h2' | 'h3';
}) {
  const Heading = heading;
  return (
    <section className="grid gap-4">
      <header className="flex gap-4">
        <Poster
          src={event.imageUrl}
          alt=""
          className="aspect-square w-20 shrink-0 rounded-md sm:aspect-[16/10] sm:w-36"
        />
        <div className="grid content-center gap-1">
          <Heading className="text-title font-strong">
            <Link to={`/event/${event.id}`} className="hover:underline">
              {event.title}
            </Link>
          </Heading>
          <p className="flex items-center gap-2 text-note text-ink-soft">
            <CalendarDays aria-hidden className="size-4 shrink-0" />
            {formatLongDate(event.eventDate)}, {formatTimes(event.eventStartTime, event.eventEndTime)}
          </p>
          <p className="flex items-center gap-2 text-note text-ink-soft">
            <MapPin aria-hidden className="size-4 shrink-0" />
            {event.location}
          </p>
          {event.status === 'cancelled' && (
            <p>
              <Badge tone="danger">Cancelled</Badge>
            </p>
          )}
        </div>
      </header>
      <div className="grid gap-3 xl:grid-cols-2">
        {tickets.map((ticket, index) => (
          <TicketCard key={ticket.id} ticket={ticket} position={`Ticket ${index + 1} of ${tickets.length}`} />
        ))}
      </div>
    </section>
  );
}
