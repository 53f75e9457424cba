import type { Event } from '@beltway/contracts/catalog/events';
import type { ReactNode } from 'react';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { useEventClock } from '../../lib/events/event-clock.ts';
import { isAllHeld, isEnded, saleState, ticketsAvailable } from '../../lib/events/event-facts.ts';
import { formatCount, formatMoment, formatPrice } from '../../lib/i18n/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { cx } from '../../ui/cx.ts';
import { Meta } from '../../ui/meta.tsx';
import { texts } from './texts.en.ts';

interface TicketsPanelProps {
  event: Event;
  /** Shown when there are no tickets to sell. */
  fallback?: ReactNode;
}

/** With this many tickets left or fewer, a scarcity warning is shown. */
const FEW = 10;

/** The price, how many tickets are left, and how many were sold, if any (frontend/PRODUCT.md#event-cards). */
export function TicketsPanel({ event, fallback = null }: TicketsPanelProps) {
  const t = useTexts(texts);
  const now = useEventClock(event);
  const state = saleState(event, now);
  if (state === 'none') return fallback;
  if (state === 'ended')
    return (
      <Meta>
        {event.status === 'canceled' ? t('wasCanceled') : isEnded(event, now) ? t('isOver') : t('salesEnded')}
      </Meta>
    );
  if (state === 'suspended') return <Meta>{t('notOnSale')}</Meta>;
  if (state === 'postponed') return <Meta>{t('newDate')}</Meta>;
  const left = ticketsAvailable(event);
  return (
    <div className="grid gap-0.5">
      <p className="tabular font-display text-title leading-tight font-strong">
        <span className="sr-only">{t('price')}</span>
        {formatPrice(event.ticketPrice ?? 0)}
      </p>
      {/* If the event is sold out, the button says so. */}
      <p className="flex flex-wrap items-center gap-x-1.5 text-note text-ink-soft">
        {state !== 'sold-out' && (
          <span className={cx(left <= FEW && 'font-strong text-warning-ink')}>
            {t('available', { count: formatCount(left) })}
          </span>
        )}
        {event.soldTickets > 0 && <Badge>{t('sold', { count: formatCount(event.soldTickets) })}</Badge>}
      </p>
      {state === 'not-yet' && event.ticketSalesStartTime && (
        <Meta className="w-full">{t('onSaleFrom', { when: formatMoment(event.ticketSalesStartTime) })}</Meta>
      )}
      {state === 'on-sale' && isAllHeld(event) && <Meta className="w-full">{t('allHeld')}</Meta>}
    </div>
  );
}
