import { admits } from '@beltway/contracts/ticketing/ticket-status';
import type { Order } from '@beltway/contracts/ticketing/tickets';
import { useQuery } from '@tanstack/react-query';
import Mail from 'lucide-react/icons/mail';
import { useEffect, useRef } from 'react';
import {
  Disputed,
  Making,
  NoOrder,
  NotBought,
  Refund,
  Refused,
  Unknown,
} from '../../features/tickets/order-states.tsx';
import { CancelTickets } from '../../features/tickets/cancel-tickets.tsx';
import { MessageOrganizer } from '../../features/tickets/message-organizer.tsx';
import { OrderFiles } from '../../features/tickets/order-files.tsx';
import { Receipt } from '../../features/tickets/receipt.tsx';
import { RenewLink } from '../../features/tickets/renew-link.tsx';
import { SaveToAccount } from '../../features/tickets/save-to-account.tsx';
import { Support } from '../../features/tickets/support.tsx';
import { texts } from '../../features/tickets/texts.en.ts';
import { TicketGroup } from '../../features/tickets/ticket-group.tsx';
import { WithOthers } from '../../features/tickets/with-others.tsx';
import { useOrderLink } from '../../features/tickets/use-order-link.ts';
import { textsNow, useTexts } from '../../lib/i18n/catalog.ts';
import { explain, HttpError, isPassing } from '../../lib/http/http.ts';
import { refreshKeptTickets } from '../../lib/offline/kept-tickets.ts';
import { MailAgain } from '../../lib/orders/mail-again.tsx';
import { orderQuery } from '../../lib/orders/orders.ts';
import { usePageTitle } from '../../lib/navigation/page-title.ts';
import { useSession } from '../../lib/session/session.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { EmptyState, ErrorState, Loading, Skeleton } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.ts';

/** Order states that may change without an action of the buyer. */
const OPEN = new Set<Order['status']>(['held', 'processing', 'refunding']);
const isOpen = ({ status, event, refunds }: Order) =>
  OPEN.has(status) ||
  (status === 'fulfilled' && event.status === 'canceled') ||
  refunds.some(({ state }) => state === 'requested');
const POLL_MS = 1_500;

/** The page of one order, with its tickets or its outcome (frontend/PRODUCT.md#screens). */
export function Component() {
  const t = useTexts(texts);
  usePageTitle(t('yourTickets'));
  const { orderId, eventId, isRefused, isSettling } = useOrderLink();
  return (
    <div className="page grid grid-cols-1 gap-4 py-4 lg:gap-8 lg:py-12">
      {orderId ? (
        <OrderPage orderId={orderId} isRefused={isRefused} />
      ) : isSettling ? (
        <TicketsSkeleton />
      ) : (
        <NoOrder eventId={eventId} />
      )}
    </div>
  );
}

function OrderPage({ orderId, isRefused }: { orderId: string; isRefused: boolean }) {
  const t = useTexts(texts);
  const found = useQuery({
    ...orderQuery(orderId),
    staleTime: 0,
    // Retries, because a transient fault right after a payment should not be shown as an error.
    retry: (_, error) => isPassing(error),
    retryDelay: POLL_MS,
    refetchInterval: ({ state }) => (state.data && isOpen(state.data) ? POLL_MS : false),
  });
  useArrivalToast(found.data);
  // A failed refetch does not replace the page, and is retried.
  if (found.data) return <OrderState order={found.data} isRefused={isRefused} />;
  if (found.isPending) return <TicketsSkeleton trouble={found.failureReason} />;
  return found.error instanceof HttpError && found.error.status === 404 ? (
    <EmptyState
      heading="h1"
      title={t('orderNotFound')}
      action={
        <>
          <ButtonLink to="/my-tickets">{t('myTickets')}</ButtonLink>
          <ButtonLink to="/" variant="secondary">
            {t('home')}
          </ButtonLink>
        </>
      }
    >
      {t('orderNotFoundWhy')}
    </EmptyState>
  ) : (
    <ErrorState
      heading="h1"
      title={t('orderNotLoaded')}
      message={explain(found.error)}
      onRetry={() => void found.refetch()}
      retrying={found.isFetching}
    />
  );
}

function OrderState({ order, isRefused }: { order: Order; isRefused: boolean }) {
  switch (order.status) {
    case 'fulfilled':
      // The organizer canceled the event and the order is not refunded yet.
      return order.event.status === 'canceled' ? <Refund order={order} /> : <Tickets order={order} />;
    case 'refunding':
    case 'refunded':
      return (
        <>
          <Refund order={order} />
          {order.tickets.length > 0 && <Receipt order={order} />}
        </>
      );
    case 'disputed':
      return <Disputed order={order} />;
    case 'held':
    case 'processing':
      return isRefused && order.status === 'held' ? <Refused order={order} /> : <Making order={order} />;
    case 'released':
    case 'expired':
      return <NotBought order={order} />;
    case 'unknown':
      return <Unknown order={order} />;
  }
}

/** Shows the checkout's toast when the tickets arrive while this page is open. */
function useArrivalToast(order: Order | undefined) {
  const waited = useRef(false);
  const { status, quantity, event } = order ?? {};
  useEffect(() => {
    if (status === 'held' || status === 'processing') waited.current = true;
    if (status !== 'fulfilled' || !waited.current) return;
    waited.current = false;
    const t = textsNow(texts);
    toast({
      title: t('purchased'),
      description: t('purchasedWhat', { count: quantity ?? 0, number: String(quantity), title: event?.title ?? '' }),
    });
  }, [status, quantity, event?.title]);
}

/** Shows the tickets first, because the buyer needs them at the door. */
function Tickets({ order }: { order: Order }) {
  const t = useTexts(texts);
  const standing = order.tickets.filter(({ status }) => admits(status)).length;
  // The tickets are in the account by now. Stores them for the door, where there may be no network.
  useEffect(() => void refreshKeptTickets({ evenIfFresh: true }), [order.claimable]);
  return (
    <>
      <h1 className="text-heading lg:text-display">{t('areHere', { count: standing })}</h1>
      <div className="grid grid-cols-1 gap-8 lg:grid-cols-[minmax(0,1fr)_24rem] lg:items-start lg:gap-12">
        <TicketGroup
          event={order.event}
          tickets={order.tickets}
          actions={
            <OrderFiles orderId={order.orderId} isPostponed={order.event.status === 'postponed'}>
              <WithOthers event={order.event} tickets={order.tickets} />
            </OrderFiles>
          }
        />
        <div className="grid grid-cols-1 gap-6">
          <WhatFollows order={order} />
          <div className="grid grid-cols-2 gap-3 max-[15rem]:grid-cols-1 print:hidden">
            <SaveToAccount order={order} />
            <Leave isQuiet={order.claimable} />
          </div>
          <CancelTickets order={order} />
          <Receipt order={order} />
          <RenewLink order={order} />
        </div>
      </div>
    </>
  );
}

function WhatFollows({ order }: { order: Order }) {
  const t = useTexts(texts);
  const { quantity, ticketHolderEmail: email, claimable, orderNumber } = order;
  const { token } = useSession();
  const count = quantity;
  return (
    <section aria-label={t('whatFollows')} className="flex max-w-prose items-start gap-2.5 text-ink-soft print:hidden">
      <Mail aria-hidden className="mt-0.5 size-5 shrink-0" />
      <div className="grid min-w-0 grid-cols-1 gap-2">
        <p>
          {email
            ? t.rich('mailOnWayTo', {
                ...{ count, email },
                b: (words) => <b className="wrap-anywhere text-ink">{words}</b>,
              })
            : t('mailOnWay', { count })}
        </p>
        {claimable && <p>{t(token ? 'linkOpensSigned' : 'linkOpens', { count })}</p>}
        <div className="grid justify-items-start">
          <MailAgain order={order} />
          <MessageOrganizer order={order} />
        </div>
        <Support orderNumber={orderNumber} />
      </div>
    </section>
  );
}

function Leave({ isQuiet = false }: { isQuiet?: boolean }) {
  const t = useTexts(texts);
  return (
    <>
      <ButtonLink to="/my-tickets" variant={isQuiet ? 'secondary' : 'primary'}>
        {t('myTickets')}
      </ButtonLink>
      <ButtonLink to="/" variant="secondary">
        {t('home')}
      </ButtonLink>
    </>
  );
}

function TicketsSkeleton({ trouble }: { trouble?: Error | null }) {
  const t = useTexts(texts);
  return (
    <Loading label={t('loading')} className="grid gap-4">
      {trouble && <p>{t('keepsAsking', { problem: explain(trouble) })}</p>}
      <Skeleton className="h-12 w-2/3 max-w-lg" />
      <Skeleton className="h-56 rounded-lg" />
    </Loading>
  );
}
