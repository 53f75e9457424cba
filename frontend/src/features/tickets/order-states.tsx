import type { Order } from '@beltway/contracts/ticketing';
import { useEffect, useState } from 'react';
import { checkoutPath } from '../../lib/event-facts.ts';
import { formatCents } from '../../lib/format.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { EmptyState, Skeleton } from '../../ui/states.tsx';

const HomeLink = () => (
  <ButtonLink to="/" variant="secondary">
    Home
  </ButtonLink>
);

/** After this long (milliseconds) it is no longer "a few seconds". */
const SLOW_MS = 20_000;

/** Money is on its way, or the provider's message about it is. */
export function Making({ order }: { order: Order }) {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    return () => clearTimeout(timer);
  }, []);
  // Held and nothing heard for a while: perhaps it was never paid.
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
      </>
    }
  >
    <p>
      {order.event.status === 'cancelled'
        ? `${order.event.title} was cancelled by its organiser.`
        : 'Your payment came after your time was over, and the last tickets had gone to others by then. We are sorry.'}{' '}
      {formatCents(order.amount)} goes back to your card; banks show it within 5 to 10 days.
    </p>
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
      : 'Their hold was given back, and nothing was charged.'}
  </EmptyState>
);
