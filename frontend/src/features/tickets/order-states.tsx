import type { Order } from '@beltway/contracts/ticketing';
import { useEffect, useState } from 'react';
import { checkoutPath } from '../../lib/event-facts.ts';
import { formatCents } from '../../lib/format.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { EmptyState, Skeleton } from '../../ui/states.tsx';
import { OrderFiles } from './order-files.tsx';
import { Support } from './support.tsx';

const HomeLink = () => (
  <ButtonLink to="/" variant="secondary">
    Home
  </ButtonLink>
);

/** Milliseconds after which the page no longer says "a few seconds". */
const SLOW_MS = 20_000;

/** The payment is under way, or its webhook has not arrived yet. */
export function Making({ order }: { order: Order }) {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    return () => clearTimeout(timer);
  }, []);
  // Still held after a while: it may never have been paid.
  if (isSlow && order.status === 'held')
    return (
      <EmptyState
        heading="h1"
        title="No payment has reached us yet"
        action={
          <>
            <ButtonLink to={checkoutPath(order.event)}>Back to checkout</ButtonLink>
            <HomeLink />
          </>
        }
      >
        <p>
          If you have paid, leave it at that: this page goes on by itself, and the tickets come by email too. If not,
          your tickets are still held, and nothing was charged.
        </p>
      </EmptyState>
    );
  return (
    <div role="status" className="grid gap-3">
      <h1 className="text-heading">Making your tickets…</h1>
      <p className="max-w-prose text-ink-soft">
        {isSlow
          ? 'Your bank is taking its time. You can leave this page: the tickets come by email as soon as it has answered.'
          : 'This takes a few seconds. You can leave this page: the tickets also come by email.'}
      </p>
      <Skeleton className="h-56 rounded-lg" />
    </div>
  );
}

export const Refused = ({ order }: { order: Order }) => (
  <EmptyState
    heading="h1"
    title="Your payment did not go through"
    action={
      <>
        <ButtonLink to={checkoutPath(order.event)}>Try again</ButtonLink>
        <HomeLink />
      </>
    }
  >
    Nothing was charged, and your tickets are still held. You can pay with another card.
  </EmptyState>
);

/** Why the order's tickets are void. */
const whyVoid = ({ event, refunds, tickets }: Order): string => {
  if (event.status === 'cancelled') return `${event.title} was cancelled by its organiser.`;
  const { cause } = refunds.at(-1) ?? {};
  if (cause === 'cancelled-by-buyer') return `You cancelled your tickets for ${event.title}.`;
  if (cause === 'refunded-by-organiser') return `The organiser of ${event.title} refunded your order.`;
  if (cause === 'refunded-by-admin') return `Beltway refunded your order for ${event.title}.`;
  return tickets.length > 0
    ? 'The payment for these tickets was taken back, so they are no longer valid.'
    : 'Your payment came after your time was over, and the last tickets had gone to others by then. We are sorry.';
};

/** Tickets that are void, or a payment that came too late. */
export const Refund = ({ order }: { order: Order }) => (
  <EmptyState
    heading="h1"
    title={order.status === 'refunded' ? 'Your money is on its way back' : 'We are sending your money back'}
    action={
      <>
        <ButtonLink to="/">Find another event</ButtonLink>
        <ButtonLink to="/my-tickets" variant="secondary">
          My Tickets
        </ButtonLink>
        {order.tickets.length > 0 && <OrderFiles orderId={order.orderId} isVoid />}
      </>
    }
  >
    <p>
      {whyVoid(order)}{' '}
      {order.status === 'refunded'
        ? `${formatCents(order.amount)} goes back to your card; banks show it within 5 to 10 days.`
        : `We have asked for your refund of ${formatCents(order.amount)}, and write to you when it is sent.`}
    </p>
  </EmptyState>
);

/** A dispute that was won after it was lost: neither tickets nor money come back, support decides. */
export const Disputed = ({ order }: { order: Order }) => (
  <EmptyState
    heading="h1"
    title="The payment of this order was disputed"
    action={
      <>
        <ButtonLink to="/my-tickets">My Tickets</ButtonLink>
        <HomeLink />
      </>
    }
  >
    <p className="mb-2">
      The payment for {order.event.title} was taken back, so its tickets are no longer valid. The bank has decided since
      that the payment stands: no money is on its way to you. Please write to us, and we will settle it with you.
    </p>
    <Support orderNumber={order.orderNumber} />
  </EmptyState>
);

/** The address names no order, so nothing is known of a purchase. */
export const NoOrder = ({ eventId }: { eventId: number | null }) => (
  <EmptyState
    heading="h1"
    title="Looking for your tickets?"
    action={
      <>
        <ButtonLink to="/my-tickets">My Tickets</ButtonLink>
        {eventId === null ? (
          <HomeLink />
        ) : (
          <ButtonLink to={`/event/${eventId}`} variant="secondary">
            Back to the event
          </ButtonLink>
        )}
      </>
    }
  >
    <p className="mb-2">
      This address names no order, so it cannot be said here what was bought. Tickets bought with an account are under
      My Tickets. Each purchase is mailed as well, with a link that opens its tickets.
    </p>
    <Support />
  </EmptyState>
);

export const NotBought = ({ order }: { order: Order }) => (
  <EmptyState
    heading="h1"
    title="These tickets were not bought"
    action={
      <>
        <ButtonLink to={checkoutPath(order.event)}>Try again</ButtonLink>
        <HomeLink />
      </>
    }
  >
    {order.status === 'expired'
      ? 'The time to pay was over, and nothing was charged.'
      : order.event.status === 'postponed'
        ? `${order.event.title} was postponed while they were held, and nothing was charged.`
        : 'Their hold was given back, and nothing was charged.'}
  </EmptyState>
);
