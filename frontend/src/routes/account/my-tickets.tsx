import { isVoid } from '@beltway/contracts/ticketing/ticket-status';
import type { MyTicket } from '@beltway/contracts/ticketing/tickets';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { AsOfNotice } from '../../features/tickets/as-of-notice.tsx';
import { OrderFiles } from '../../features/tickets/order-files.tsx';
import { texts } from '../../features/tickets/texts.en.ts';
import { WithOthers } from '../../features/tickets/with-others.tsx';
import { TicketGroup } from '../../features/tickets/ticket-group.tsx';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { useClock } from '../../lib/time/clock.ts';
import { isOver, listOverAt, isPostponed } from '../../lib/events/event-facts.ts';
import { explain, isPassing } from '../../lib/http/http.ts';
import { keptTickets, myTicketsQuery } from '../../lib/offline/kept-tickets.ts';
import { orderPath } from '../../lib/orders/orders.ts';
import { usePageTitle } from '../../lib/navigation/page-title.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import { EmptyState, ErrorState, Loading, Skeleton } from '../../ui/states.tsx';

const isOrderVoid = (order: MyTicket[]) => order.every(({ ticket }) => isVoid(ticket.status));

/** Groups orders: first upcoming orders, soonest first, then past orders and void orders, latest first. */
function inOrder(tickets: MyTicket[], now: Date): { title: 'upcoming' | 'past' | 'voided'; orders: MyTicket[][] }[] {
  const ids = [...new Set(tickets.map(({ ticket }) => ticket.orderId))];
  const orders = ids.map((id) => tickets.filter(({ ticket }) => ticket.orderId === id));
  const date = (order: MyTicket[]) => Date.parse(order[0]?.event.eventDate ?? '');
  const isDated = (order: MyTicket[]) => Boolean(order[0] && !isPostponed(order[0].event));
  const over = (order: MyTicket[]) => Boolean(order[0] && isOver(order[0].event, now));
  const good = orders.filter((order) => !isOrderVoid(order));
  return [
    {
      title: 'upcoming' as const,
      orders: good
        .filter((order) => !over(order))
        .sort((a, b) => Number(isDated(b)) - Number(isDated(a)) || date(a) - date(b)),
    },
    { title: 'past' as const, orders: good.filter(over).sort((a, b) => date(b) - date(a)) },
    { title: 'voided' as const, orders: orders.filter(isOrderVoid).sort((a, b) => date(b) - date(a)) },
  ].filter((group) => group.orders.length > 0);
}

const pathOf = (order: MyTicket[]): string => {
  const { ticket, event } = order[0]!;
  return orderPath({ eventId: event.id, quantity: order.length, orderId: ticket.orderId });
};

export function Component() {
  const t = useTexts(texts);
  usePageTitle(t('myTickets'));
  const mine = useQuery({ ...myTicketsQuery(), staleTime: 0 });
  const kept = useMemo(() => (mine.isLoadingError && isPassing(mine.error) ? keptTickets() : null), [mine]);
  const now = useClock(mine.data?.map(({ event }) => listOverAt(event)));
  const tickets = mine.data ?? (kept?.tickets.length ? kept.tickets : undefined);
  return (
    <Page title={t('myTickets')} isRoomy>
      {tickets && mine.isError && (
        <AsOfNotice
          asOf={kept?.asOf ?? mine.dataUpdatedAt}
          onRetry={() => void mine.refetch()}
          retrying={mine.isFetching}
        />
      )}
      {mine.isPending ? (
        <Loading label={t('loading')} className="grid gap-4">
          <Skeleton className="h-20 max-w-lg" />
          <Skeleton className="h-56 rounded-lg" />
          <Skeleton className="h-56 rounded-lg" />
        </Loading>
      ) : !tickets ? (
        <ErrorState
          title={t('notLoaded')}
          message={explain(mine.error)}
          onRetry={() => void mine.refetch()}
          retrying={mine.isFetching}
        />
      ) : tickets.length === 0 ? (
        <EmptyState title={t('none')} action={<ButtonLink to="/">{t('findSomething')}</ButtonLink>}>
          {t('noneWhy')}
        </EmptyState>
      ) : (
        inOrder(tickets, now).map(({ title, orders }) => (
          <section key={title} aria-label={t(title)} className="grid grid-cols-1 gap-8">
            <h2 className="border-b border-line pb-2 text-title text-ink-soft">{t(title)}</h2>
            {orders.map((order) => {
              const [first] = order;
              return (
                first && (
                  <TicketGroup
                    key={first.ticket.orderId}
                    event={first.event}
                    tickets={order.map(({ ticket }) => ticket)}
                    heading="h3"
                    {...(!isOver(first.event, now) &&
                      !kept && {
                        actions: (
                          <>
                            <OrderFiles
                              orderId={first.ticket.orderId}
                              isVoid={isOrderVoid(order)}
                              isPostponed={isPostponed(first.event)}
                            >
                              <WithOthers event={first.event} tickets={order.map(({ ticket }) => ticket)} />
                            </OrderFiles>
                            <ButtonLink to={pathOf(order)} variant="secondary">
                              {isOrderVoid(order) ? t('receipt') : t('receiptAndRefunds')}
                            </ButtonLink>
                          </>
                        ),
                      })}
                  />
                )
              );
            })}
          </section>
        ))
      )}
    </Page>
  );
}
