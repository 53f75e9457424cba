import type { Event } from '@beltway/contracts/catalog';
import type { ReactNode } from 'react';
import {
  checkoutPath,
  FREE_ENTRY,
  isAllHeld,
  isEnded,
  isFree,
  isPostponed,
  saleState,
  ticketsAvailable,
  type SaleState,
} from '../../lib/event-facts.ts';
import { formatCount, formatMoment, formatPrice } from '../../lib/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { buttonClass, ButtonLink } from '../../ui/button.tsx';

/** Why no ticket can be bought: the text, and the label in the button's place. */
function closed(event: Event, state: SaleState): { why: string; sign: string } {
  if (event.status === 'cancelled')
    return { why: 'This event was cancelled. Every ticket is refunded.', sign: 'Cancelled' };
  if (state === 'postponed') return { why: 'Tickets are sold again when the event has a new date.', sign: 'Postponed' };
  if (state === 'sold-out') return { why: 'Every ticket is sold.', sign: 'Sold Out' };
  if (state === 'not-yet')
    return {
      why: `Sales start on ${formatMoment(event.ticketSalesStartTime ?? event.eventDate)}.`,
      sign: 'Not on sale yet',
    };
  if (isEnded(event)) return { why: 'This event is over. No more tickets are sold.', sign: 'Event ended' };
  return { why: 'Ticket sales for this event have ended.', sign: 'Sales ended' };
}

/** The text for an event without a sale. */
function unsold(event: Event): ReactNode {
  const say = (title: string, words: string) => (
    <>
      <p className="text-title font-strong">{title}</p>
      <p className="mt-1 text-ink-soft">{words}</p>
    </>
  );
  if (event.status === 'cancelled') return say('Cancelled', 'This event does not take place.');
  if (isPostponed(event)) return say('Postponed', 'A new date is to come.');
  if (isEnded(event)) return say('Event ended', 'This event is over.');
  if (isFree(event)) return say(FREE_ENTRY, 'Come by; you need nothing from here.');
  return say('No tickets here', 'It sells no tickets on Beltway. What it takes to get in stands in its description.');
}

/**
 * Price, what is left, and the one thing to do next; each reason why not has words of its own. On a phone the button stands in a bar
 * above the navigation, in reach of the thumb from anywhere on the page.
 */
export function TicketsBox({ event }: { event: Event }) {
  const state = saleState(event);
  if (state === 'none')
    return (
      <section aria-label="Tickets" className="rounded-lg bg-sunken px-5 py-4">
        {unsold(event)}
      </section>
    );
  const left = ticketsAvailable(event);
  const price = formatPrice(event.ticketPrice ?? 0);
  return (
    <section aria-label="Tickets" className="grid gap-3 rounded-lg border border-line bg-surface p-5 shadow-card">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <p>
          <span className="block font-display text-heading font-strong tabular">{price}</span>
          <span className="text-note text-ink-soft">per ticket, nothing added</span>
        </p>
        {event.soldTickets > 0 && <Badge tone="accent">{formatCount(event.soldTickets)} sold</Badge>}
      </div>
      {state === 'on-sale' ? (
        <>
          <p aria-live="polite" className="text-ink-soft tabular">
            {isAllHeld(event)
              ? 'All that is left is in other baskets right now. Some may come back within minutes.'
              : `${formatCount(left)} of ${formatCount(event.totalTickets ?? 0)} available`}
          </p>
          <div
            data-dock="buy"
            className="docked:fixed docked:inset-x-0 docked:bottom-[calc(3.5rem+env(safe-area-inset-bottom))] docked:z-20 docked:flex docked:items-center docked:gap-4 docked:border-t docked:border-line docked:bg-ground docked:px-4 docked:py-2.5"
          >
            <p aria-hidden className="hidden shrink-0 text-title font-strong tabular docked:block">
              {price}
            </p>
            <ButtonLink to={checkoutPath(event)} className="w-full">
              Buy Tickets
            </ButtonLink>
          </div>
        </>
      ) : (
        <>
          <p aria-live="polite" className="text-ink-soft">
            {closed(event, state).why}
          </p>
          <span
            className={buttonClass('secondary', 'w-full cursor-default border-transparent bg-sunken text-ink-soft')}
          >
            {closed(event, state).sign}
          </span>
        </>
      )}
    </section>
  );
}
