import type { Order } from '@beltway/contracts/ticketing/tickets';
import { useEffect, useState } from 'react';
import { textsNow, useTexts } from '../../lib/i18n/catalog.ts';
import { checkoutPath } from '../../lib/events/event-facts.ts';
import { formatCents } from '../../lib/i18n/format.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { EmptyState, Skeleton } from '../../ui/states.tsx';
import { OrderFiles } from './order-files.tsx';
import { Support } from './support.tsx';
import { TicketGroup } from './ticket-group.tsx';
import { texts } from './texts.en.ts';

function HomeLink() {
  const t = useTexts(texts);
  return (
    <ButtonLink to="/" variant="secondary">
      {t('home')}
    </ButtonLink>
  );
}

/** Milliseconds after which the page no longer promises "a few seconds". */
const SLOW_MS = 20_000;

/** Shown while the payment is processing or its webhook has not arrived. */
export function Making({ order }: { order: Order }) {
  const t = useTexts(texts);
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    return () => clearTimeout(timer);
  }, []);
  // An order that is still held after this time may never have been paid.
  if (isSlow && order.status === 'held')
    return (
      <EmptyState
        heading="h1"
        title={t('noPayment')}
        action={
          <>
            <ButtonLink to={checkoutPath(order.event)}>{t('backToCheckout')}</ButtonLink>
            <HomeLink />
          </>
        }
      >
        <p>{t('noPaymentWhy')}</p>
      </EmptyState>
    );
  return (
    <div role="status" className="grid gap-3">
      <h1 className="text-heading">{t('making')}</h1>
      <p className="max-w-prose text-ink-soft">{isSlow ? t('makingSlow') : t('makingWhy')}</p>
      <Skeleton className="h-56 rounded-lg" />
    </div>
  );
}

export function Refused({ order }: { order: Order }) {
  const t = useTexts(texts);
  return (
    <EmptyState
      heading="h1"
      title={t('refused')}
      action={
        <>
          <ButtonLink to={checkoutPath(order.event)}>{t('tryAgain')}</ButtonLink>
          <HomeLink />
        </>
      }
    >
      {t('refusedWhy')}
    </EmptyState>
  );
}

/** Why the order's tickets are void. */
const whyVoid = ({ event: { status, title }, refunds, tickets }: Order): string => {
  const t = textsNow(texts);
  if (status === 'canceled') return t('voidCanceled', { title });
  const { cause } = refunds.at(-1) ?? {};
  if (cause === 'canceled-by-buyer') return t('voidByBuyer', { title });
  if (cause === 'refunded-by-organizer') return t('voidByOrganizer', { title });
  if (cause === 'refunded-by-admin') return t('voidByAdmin', { title });
  return tickets.length > 0 ? t('voidTakenBack') : t('voidTooLate');
};

/** Shown for void tickets, or for a payment that came too late. */
export function Refund({ order }: { order: Order }) {
  const t = useTexts(texts);
  return (
    <EmptyState
      heading="h1"
      title={order.status === 'refunded' ? t('moneyBack') : t('sendingBack')}
      action={
        <>
          <ButtonLink to="/">{t('findAnother')}</ButtonLink>
          <ButtonLink to="/my-tickets" variant="secondary">
            {t('myTickets')}
          </ButtonLink>
          {order.tickets.length > 0 && <OrderFiles orderId={order.orderId} isVoid />}
        </>
      }
    >
      <p>
        {[
          whyVoid(order),
          t(order.status === 'refunded' ? 'moneyBackWhy' : 'sendingBackWhy', { amount: formatCents(order.amount) }),
        ].join(' ')}
      </p>
    </EmptyState>
  );
}

/**
 * Shown after a bank withdrew the payment. The tickets are void. They stay void even if the dispute was won after the
 * tickets had been returned to the stock.
 */
export function Disputed({ order }: { order: Order }) {
  const t = useTexts(texts);
  return (
    <EmptyState
      heading="h1"
      title={t('disputed')}
      action={
        <>
          <ButtonLink to="/my-tickets">{t('myTickets')}</ButtonLink>
          <HomeLink />
        </>
      }
    >
      <p className="mb-2">{t('disputedWhy', { title: order.event.title })}</p>
      <Support orderNumber={order.orderNumber} />
    </EmptyState>
  );
}

/** Shown if the URL names no order. */
export function NoOrder({ eventId }: { eventId: number | null }) {
  const t = useTexts(texts);
  return (
    <EmptyState
      heading="h1"
      title={t('looking')}
      action={
        <>
          <ButtonLink to="/my-tickets">{t('myTickets')}</ButtonLink>
          {eventId === null ? (
            <HomeLink />
          ) : (
            <ButtonLink to={`/event/${eventId}`} variant="secondary">
              {t('backToEvent')}
            </ButtonLink>
          )}
        </>
      }
    >
      <p className="mb-2">{t('lookingWhy')}</p>
      <Support />
    </EmptyState>
  );
}

/** Shown for a status that only a later release of this page knows. Shows the tickets as far as possible. */
export function Unknown({ order }: { order: Order }) {
  const t = useTexts(texts);
  return (
    <>
      <EmptyState
        heading="h1"
        title={t('reload')}
        action={<Button onClick={() => window.location.reload()}>{t('reloadPage')}</Button>}
      >
        {t('reloadWhy', { title: order.event.title })}
      </EmptyState>
      {order.tickets.length > 0 && <TicketGroup event={order.event} tickets={order.tickets} />}
    </>
  );
}

export function NotBought({ order }: { order: Order }) {
  const t = useTexts(texts);
  return (
    <EmptyState
      heading="h1"
      title={t('notBought')}
      action={
        <>
          <ButtonLink to={checkoutPath(order.event)}>{t('tryAgain')}</ButtonLink>
          <HomeLink />
        </>
      }
    >
      {order.status === 'expired'
        ? t('notBoughtExpired')
        : order.event.isSuspended
          ? t('notBoughtSuspended', { title: order.event.title })
          : order.event.status === 'postponed'
            ? t('notBoughtPostponed', { title: order.event.title })
            : t('notBoughtGiven')}
    </EmptyState>
  );
}
