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
  if (state === 'postponed')
    return <p className="text-note text-ink-soft">Tickets are sold again when it has a new date.</p>;
  const left = ticketsAvailable(event);
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <p className="flex flex-wrap items-baseline gap-x-2">
        <span className="tabular font-display text-title font-strong">
          <span className="sr-only">Price: </span>
          {formatPrice(event.ticketPrice ?? 0)}
        </span>
        <span className="text-note text-ink-soft">all-in, no fees added</span>
      </p>
      <p className="ml-auto flex flex-wrap items-center gap-1.5">
        {state === 'sold-out' ? (
          <Badge tone="danger">None left</Badge>
        ) : (
          <Badge tone={left <= FEW ? 'warning' : 'success'}>{formatCount(left)} available</Badge>
        )}
        {event.soldTickets > 0 && <Badge>{formatCount(event.soldTickets)} sold</Badge>}
      </p>
      {state === 'not-yet' && event.ticketSalesStartTime && (
        <p className="w-full text-note text-ink-soft">On sale from {formatMoment(event.ticketSalesStartTime)}</p>
      )}
      {state === 'on-sale' && isAllHeld(event) && (
        <p className="w-full text-note text-ink-soft">
          All of them are in checkouts right now. Some may come back within minutes.
        </p>
      )}
    </div>
  );
}
