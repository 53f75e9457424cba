import type { Event } from '@beltway/contracts/catalog';
import type { ReactNode } from 'react';
import { isAllHeld, isEnded, saleState, ticketsAvailable } from '../../lib/event-facts.ts';
import { formatCount, formatMoment, formatPrice } from '../../lib/format.ts';
import { Badge } from '../../ui/badge.tsx';

interface TicketsPanelProps {
  event: Event;
  /** Shown when there are no tickets to sell. */
  fallback?: ReactNode;
}

/** From here on scarcity is worth a word of warning. */
const FEW = 10;

/** The price, how many are left, and how many were sold if any (docs/product.md#event-cards). */
export function TicketsPanel({ event, fallback = null }: TicketsPanelProps) {
  const state = saleState(event);
  if (state === 'none') return fallback;
  if (state === 'ended')
    return (
      <p className="text-note text-ink-soft">
        {event.status === 'cancelled'
          ? 'This event was cancelled.'
          : isEnded(event)
            ? 'This event is over.'
            : 'Ticket sales have ended.'}
      </p>
    );
  const left = ticketsAvailable(event);
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1.5 md:justify-start md:items-center lg:block">
      <p className="tabular font-display text-heading font-strong">
        <span className="sr-only">Price: </span>
        {formatPrice(event.ticketPrice ?? 0)}
      </p>
      <p className="text-note text-ink-soft lg:mb-2.5">all-in, no fees added</p>
      <p className="flex flex-wrap items-center gap-1.5">
        {state === 'sold-out' ? (
          <Badge tone="danger">None left</Badge>
        ) : (
          <Badge tone={left <= FEW ? 'warning' : 'success'}>{formatCount(left)} available</Badge>
        )}
        {event.soldTickets > 0 && <Badge>{formatCount(event.soldTickets)} sold</Badge>}
      </p>
      {state === 'not-yet' && event.ticketSalesStartTime && (
        <p className="w-full text-note lg:mt-1.5 text-ink-soft">
          On sale from {formatMoment(event.ticketSalesStartTime)}
        </p>
      )}
      {state === 'on-sale' && isAllHeld(event) && (
        <p className="w-full text-note lg:mt-1.5 text-ink-soft">
          All of them are in checkouts right now. Some may come back within minutes.
        </p>
      )}
    </div>
  );
}
