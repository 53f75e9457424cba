import type { Event } from '@beltway/contracts/catalog';
import { checkoutPath, isAllHeld, saleState, ticketsAvailable } from '../../lib/event-facts.ts';
import { formatMoment, formatPrice } from '../../lib/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { buttonClass, ButtonLink } from '../../ui/button.tsx';

/** Price, what is left, and the one thing to do next; each reason why not has words of its own. */
export function TicketsBox({ event }: { event: Event }) {
  const state = saleState(event);
  if (state === 'none') return null;
  const left = ticketsAvailable(event);
  return (
    <section aria-label="Tickets" className="grid gap-4 rounded-lg border border-line bg-surface p-5 shadow-card">
      <div className="flex flex-wrap items-baseline justify-between gap-2">
        <p>
          <span className="font-display text-heading font-strong tabular">{formatPrice(event.ticketPrice ?? 0)}</span>{' '}
          <span className="text-note text-ink-soft">per ticket, nothing added</span>
        </p>
        {event.soldTickets > 0 && <Badge tone="accent">{event.soldTickets} sold</Badge>}
      </div>
      {state === 'on-sale' ? (
        <>
          <p aria-live="polite" className="text-ink-soft tabular">
            {isAllHeld(event)
              ? 'All that is left is in other baskets right now. Some may come back within minutes.'
              : `${left} of ${event.totalTickets} available`}
          </p>
          <ButtonLink to={checkoutPath(event)} className="w-full">
            Buy Tickets
          </ButtonLink>
        </>
      ) : (
        <>
          <p className="text-ink-soft">
            {state === 'sold-out'
              ? 'Every ticket is sold.'
              : state === 'not-yet'
                ? `Sales start on ${formatMoment(event.ticketSalesStartTime ?? event.eventDate)}.`
                : event.status === 'cancelled'
                  ? 'This event was cancelled. Every ticket is refunded.'
                  : 'Ticket sales for this event have ended.'}
          </p>
          <span className={buttonClass('secondary', 'w-full cursor-default bg-sunken text-ink-soft')}>
            {state === 'sold-out' ? 'Sold Out' : state === 'not-yet' ? 'Not on sale yet' : 'Sales ended'}
          </span>
        </>
      )}
    </section>
  );
}
