import type { Event } from '@beltway/contracts/catalog';
import { eventPath, isEnded, type SaleState } from '../../lib/event-facts.ts';
import { formatMoment } from '../../lib/format.ts';
import { serverNow } from '../../lib/server-clock.ts';
import { SuggestedEvents } from '../../lib/suggested-events.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { Countdown } from '../../ui/countdown.tsx';
import { EmptyState } from '../../ui/states.tsx';

const SOON_MS = 60 * 60_000;

/** The text of docs/product.md#checkout, and the reason where there is one to tell. */
export function NotAvailable({ event, state }: { event: Event; state: SaleState }) {
  const start = event.ticketSalesStartTime;
  return (
    <div className="page grid gap-8 py-12">
      <EmptyState
        heading="h1"
        title={state === 'sold-out' ? 'Sold Out' : 'Tickets Not Available'}
        action={
          <>
            <ButtonLink to={eventPath(event)}>Back to the event</ButtonLink>
            <ButtonLink to="/" variant="secondary">
              Find another event
            </ButtonLink>
          </>
        }
      >
        <p>Ticket sales are not currently available for this event.</p>
        {state === 'sold-out' ? (
          <p className="mt-1">Every ticket for {event.title} is sold.</p>
        ) : (
          <>
            {event.status !== 'cancelled' && isEnded(event) && <p className="mt-1">{event.title} is over.</p>}
            {state === 'not-yet' && start && <p className="mt-1">They start on {formatMoment(start)}.</p>}
            {state === 'not-yet' && start && Date.parse(start) - serverNow() < SOON_MS && (
              <p className="mt-1">
                <Countdown until={start} /> to go: this page then holds a ticket for you by itself.
              </p>
            )}
            {state === 'postponed' && (
              <p className="mt-1">{event.title} is postponed. Tickets are sold again when it has a new date.</p>
            )}
            {event.status === 'cancelled' && <p className="mt-1">{event.title} was cancelled by its organiser.</p>}
          </>
        )}
      </EmptyState>
      {state !== 'not-yet' && <SuggestedEvents insteadOf={event.id} />}
    </div>
  );
}
