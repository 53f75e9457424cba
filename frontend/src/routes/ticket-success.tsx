import { TicketPurchaseResult, type Order } from '@beltway/contracts/ticketing';
import { useQuery } from '@tanstack/react-query';
import { CalendarPlus, Download, Mail } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { TicketGroup } from '../features/tickets/ticket-group.tsx';
import { explain, HttpError, isPassing, post } from '../lib/http.ts';
import { orderKeys, orderQuery } from '../lib/orders.ts';
import { usePageTitle } from '../lib/page-title.ts';
import { useSession } from '../lib/session.ts';
import { buttonClass, ButtonLink } from '../ui/button.tsx';
import { EmptyState, ErrorState, Loading, Skeleton } from '../ui/states.tsx';

const SETTLED = new Set<Order['status']>(['fulfilled', 'refunded', 'released', 'expired']);
const POLL_MS = 1_500;

/** Takes the order's secret out of the address bar: what stands there is copied, photographed and logged. */
function useOrderFromAddress() {
  const [params, setParams] = useSearchParams();
  const [orderId, setOrderId] = useState(params.get('orderId'));
  const key = params.get('key');
  if (orderId && key) orderKeys.set(orderId, key);
  const returned = params.get('payment_intent');

  useEffect(() => {
    if (!key && !returned) return;
    setParams(
      (before) => {
        for (const name of ['key', 'payment_intent', 'payment_intent_client_secret', 'redirect_status'])
          before.delete(name);
        return before;
      },
      { replace: true },
    );
  }, [key, returned, setParams]);

  // The provider had left the page and came back: this is the call that the checkout could not make.
  useEffect(() => {
    if (!returned) return;
    post('/api/process-ticket-purchase', { paymentIntentId: returned }, TicketPurchaseResult).then(
      (result) => setOrderId(result.orderId),
      () => undefined, // the provider's own message makes the tickets
    );
  }, [returned]);
  return { orderId, quantity: Number(params.get('quantity')) || 1 };
}

/** Specification 2, section 2: what was bought; here, the tickets themselves. */
export function Component() {
  usePageTitle('Your tickets');
  const { orderId, quantity } = useOrderFromAddress();
  return (
    <div className="page grid gap-8 py-8 lg:py-12">
      {orderId ? <OrderPage orderId={orderId} /> : <Thanks quantity={quantity} />}
    </div>
  );
}

function OrderPage({ orderId }: { orderId: string }) {
  const found = useQuery({
    ...orderQuery(orderId),
    staleTime: 0,
    // Whoever paid a second ago must not be left before an error that is over in another second.
    retry: (_, error) => isPassing(error),
    retryDelay: POLL_MS,
    refetchInterval: ({ state }) =>
      state.data && SETTLED.has(state.data.status) ? false : state.error ? false : POLL_MS,
  });
  if (found.isPending)
    return (
      <Loading label="Your tickets are loading" className="grid gap-4">
        {found.failureReason && (
          <p>{explain(found.failureReason)} This page keeps asking for your tickets by itself.</p>
        )}
        <Skeleton className="h-12 w-2/3 max-w-lg" />
        <Skeleton className="h-56 rounded-lg" />
      </Loading>
    );
  if (found.isLoadingError)
    return found.error instanceof HttpError && found.error.status === 404 ? (
      <EmptyState title="Order Not Found" action={<ButtonLink to="/">Home</ButtonLink>}>
        Open the link in your mail, or sign in with the account that bought these tickets.
      </EmptyState>
    ) : (
      <ErrorState
        title="Your order could not be loaded"
        message={explain(found.error)}
        onRetry={() => void found.refetch()}
      />
    );

  const order = found.data;
  switch (order.status) {
    case 'fulfilled':
      return <Tickets order={order} />;
    case 'refunding':
    case 'refunded':
      return (
        <EmptyState
          title={order.status === 'refunded' ? 'Your money is on its way back' : 'We are sending your money back'}
          action={<Leave />}
        >
          <p>
            {order.event.status === 'cancelled'
              ? `${order.event.title} was cancelled by its organiser.`
              : 'Your payment came after your time was over, and the last tickets had gone to others by then. We are sorry.'}{' '}
            ${(order.amount / 100).toFixed(2)} goes back to your card; banks show it within 5 to 10 days.
          </p>
        </EmptyState>
      );
    case 'held':
    case 'processing':
      return (
        <div role="status" className="grid gap-3">
          <h1 className="text-heading">We have your payment, making your tickets…</h1>
          <p className="text-ink-soft">
            This takes a few seconds. You can leave this page: the tickets also come by email.
          </p>
          <Skeleton className="h-56 rounded-lg" />
        </div>
      );
    case 'released':
    case 'expired':
      return (
        <EmptyState
          title="These tickets were not bought"
          action={<ButtonLink to={`/ticket-checkout?eventId=${order.event.id}`}>Try again</ButtonLink>}
        >
          The time to pay was over, and nothing was charged.
        </EmptyState>
      );
  }
}

function Tickets({ order }: { order: Order }) {
  const key = orderKeys.get(order.orderId);
  const file = (name: string) =>
    `/api/orders/${order.orderId}/${name}${key ? `?${new URLSearchParams({ key }).toString()}` : ''}`;
  return (
    <>
      <Thanks quantity={order.quantity} email={order.ticketHolderEmail} />
      {key && (
        <div className="flex flex-wrap gap-3">
          <a className={buttonClass('secondary')} href={file('tickets.pdf')} target="_blank" rel="noreferrer">
            <Download aria-hidden className="size-4" />
            Tickets as PDF
          </a>
          <a className={buttonClass('secondary')} href={file('event.ics')}>
            <CalendarPlus aria-hidden className="size-4" />
            Add to calendar
          </a>
        </div>
      )}
      <TicketGroup event={order.event} tickets={order.tickets} />
    </>
  );
}

function Thanks({ quantity, email }: { quantity: number; email?: string | null }) {
  return (
    <header className="grid gap-4">
      <h1 className="text-display">{quantity === 1 ? 'Your ticket is here' : `Your ${quantity} tickets are here`}</h1>
      <p className="flex max-w-prose items-start gap-2 text-ink-soft">
        <Mail aria-hidden className="mt-1 size-5 shrink-0" />
        <span>
          An email with {quantity === 1 ? 'its QR code' : 'their QR codes'} is on its way{email ? ` to ${email}` : ''}.
          Show one code per person at the door; nothing needs to be printed. Questions? Write to support@beltway.test.
        </span>
      </p>
      <Leave />
    </header>
  );
}

function Leave() {
  const { token } = useSession();
  return (
    <div className="flex flex-wrap gap-3">
      {token && <ButtonLink to="/my-tickets">My Tickets</ButtonLink>}
      <ButtonLink to="/" variant="secondary">
        Home
      </ButtonLink>
    </div>
  );
}
