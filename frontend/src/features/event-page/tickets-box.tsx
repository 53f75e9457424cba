import type { Event } from '@beltway/contracts/catalog/events';
import type { ReactNode } from 'react';
import { textsNow, useTexts } from '../../lib/i18n/catalog.ts';
import { useEventClock } from '../../lib/events/event-clock.ts';
import {
  checkoutPath,
  freeEntry,
  isAllHeld,
  isEnded,
  isFree,
  isPostponed,
  saleState,
  ticketsAvailable,
  type SaleState,
} from '../../lib/events/event-facts.ts';
import { formatCount, formatMoment, formatPrice } from '../../lib/i18n/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { buttonClass, ButtonLink } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Meta } from '../../ui/meta.tsx';
import { texts } from './texts.en.ts';

/** Why no ticket can be bought: the text, and the label in place of the button. */
function closed(event: Event, state: SaleState, now: Date): { why: string; sign: string } {
  const t = textsNow(texts);
  if (event.status === 'canceled') return { why: t('closedCanceled'), sign: t('canceled') };
  if (state === 'suspended') return { why: t('closedSuspended'), sign: t('notOnSale') };
  if (state === 'postponed') return { why: t('closedPostponed'), sign: t('postponed') };
  if (state === 'sold-out') return { why: t('closedSoldOut'), sign: t('soldOut') };
  if (state === 'not-yet')
    return {
      why: t('closedNotYet', { when: formatMoment(event.ticketSalesStartTime ?? event.eventDate) }),
      sign: t('notYet'),
    };
  if (isEnded(event, now)) return { why: t('closedOver'), sign: t('eventEnded') };
  return { why: t('closedSales'), sign: t('salesEnded') };
}

/** The text for an event without a sale. */
function unsold(event: Event, now: Date): ReactNode {
  const t = textsNow(texts);
  const say = (title: string, words: string) => (
    <>
      <p className="text-title font-strong">{title}</p>
      <p className="mt-1 text-ink-soft">{words}</p>
    </>
  );
  if (event.status === 'canceled') return say(t('canceled'), t('doesNotTakePlace'));
  if (isPostponed(event)) return say(t('postponed'), t('newDate'));
  if (isEnded(event, now)) return say(t('eventEnded'), t('isOver'));
  if (isFree(event, now)) return say(freeEntry(), t('comeBy'));
  return say(t('noTickets'), t('noTicketsWhy'));
}

/**
 * Price, tickets left and the next action; each reason for a closed sale has its own text. On a phone the button is in
 * a bar above the navigation, within reach of the thumb.
 */
export function TicketsBox({ event }: { event: Event }) {
  const t = useTexts(texts);
  const now = useEventClock(event);
  const state = saleState(event, now);
  if (state === 'none')
    return (
      <section aria-label={t('tickets')} className="rounded-lg bg-sunken px-5 py-4">
        {unsold(event, now)}
      </section>
    );
  const left = ticketsAvailable(event);
  const price = formatPrice(event.ticketPrice ?? 0);
  return (
    <Card aria-label={t('tickets')} className="gap-3 shadow-card">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <p>
          <span className="block font-display text-heading font-strong tabular">{price}</span>
          <Meta as="span">{t('perTicket')}</Meta>
        </p>
        {event.soldTickets > 0 && <Badge tone="accent">{t('sold', { count: formatCount(event.soldTickets) })}</Badge>}
      </div>
      {state === 'on-sale' ? (
        <>
          <p aria-live="polite" className="text-ink-soft tabular">
            {isAllHeld(event)
              ? t('allHeld')
              : t('available', { left: formatCount(left), total: formatCount(event.totalTickets ?? 0) })}
          </p>
          <div
            data-dock="buy"
            className="docked:fixed docked:inset-x-0 docked:bottom-[calc(3.5rem+env(safe-area-inset-bottom))] docked:z-20 docked:flex docked:items-center docked:gap-4 docked:border-t docked:border-line docked:bg-ground docked:px-4 docked:py-2.5"
          >
            <p aria-hidden className="hidden shrink-0 text-title font-strong tabular docked:block">
              {price}
            </p>
            <ButtonLink to={checkoutPath(event)} className="w-full">
              {t('buy')}
            </ButtonLink>
          </div>
        </>
      ) : (
        <>
          <p aria-live="polite" className="text-ink-soft">
            {closed(event, state, now).why}
          </p>
          <span
            className={buttonClass('secondary', 'w-full cursor-default border-transparent bg-sunken text-ink-soft')}
          >
            {closed(event, state, now).sign}
          </span>
        </>
      )}
    </Card>
  );
}
