import {
  OrderClaimedV1,
  OrderValidityChangedV1,
  RefundRequestedV1,
  SoldOutV1,
  StockChangedV1,
  TicketPurchasedV1,
  type Availability,
} from '@beltway/contracts/ticketing/tickets';
import { ticketCount, totalCents } from '@beltway/contracts/ticketing/order-lines';
import { outgoing, type Logged, type Outgoing, type Queries, type ToMessages } from '@beltway/event-store';
import { MONEY_EVENTS, type SaleEvent } from './events.ts';
import { availabilityOf } from './queries.ts';

type LoggedSaleEvent = SaleEvent & Logged;

/** Events that are each published as a separate message. */
const TOLD = [...MONEY_EVENTS, 'OrderClaimed', 'OrderVoided', 'OrderThawed'] as const;
type ToldEvent = Extract<LoggedSaleEvent, { type: (typeof TOLD)[number] }>;
const isTold = (event: LoggedSaleEvent): event is ToldEvent => (TOLD as readonly string[]).includes(event.type);

/** The message about an event, if there is one. The message depends only on the event. */
export const toMessages: ToMessages = (event) =>
  isTold(event as LoggedSaleEvent) ? [messageOf(event as ToldEvent)] : [];

/**
 * The messages about a batch of log events. An event gets a message if it moves money, saves an order to an account, or
 * makes tickets void or valid. Each sale of the batch gets one message with its stock. Single holds are not published:
 * nothing consumes them, and in a rush every service would have to read them.
 */
export async function publishSales(events: Logged[], db: Queries): Promise<Outgoing[]> {
  const bySale = Map.groupBy(events.filter(({ stream }) => stream.startsWith('sale-')) as LoggedSaleEvent[], ({ id }) =>
    Number(id),
  );
  const stock = new Map((await availabilityOf(db, [...bySale.keys()])).map((now) => [now.eventId, now]));
  return [...bySale].flatMap(([eventId, run]) => [...run.flatMap(toMessages), ...stockOf(run, stock.get(eventId))]);
}

function stockOf(run: LoggedSaleEvent[], now: Availability | undefined): Outgoing[] {
  const of = run.at(-1);
  if (!of || !now) return [];
  const changed = outgoing(of, StockChangedV1, now);
  const soldNow = run.some(({ type }) => type === 'TicketsSold');
  return soldNow && now.sold >= now.capacity ? [changed, outgoing(of, SoldOutV1, { eventId: now.eventId })] : [changed];
}

function messageOf(event: ToldEvent): Outgoing {
  const eventId = Number(event.id);
  switch (event.type) {
    case 'TicketsSold': {
      const { orderId, lines, paymentId, buyerId } = event.data;
      return outgoing(event, TicketPurchasedV1, {
        ...{ eventId, orderId, quantity: ticketCount(lines), lines, totalCents: totalCents(lines), paymentId, buyerId },
      });
    }
    case 'OrderClaimed': {
      const { orderId, quantity, buyerId } = event.data;
      return outgoing(event, OrderClaimedV1, { eventId, orderId, quantity, buyerId });
    }
    case 'OrderVoided':
    case 'OrderThawed': {
      const isVoid = event.type === 'OrderVoided' || event.data.isVoid === true;
      const { orderId } = event.data;
      return outgoing(event, OrderValidityChangedV1, { orderId, eventId, isVoid, version: event.version });
    }
    case 'PaymentNotFulfilled': {
      const { orderId, quantity, paymentId, amountCents, reason } = event.data;
      return outgoing(event, RefundRequestedV1, {
        ...{ eventId, orderId, quantity, paymentId, amountCents, reason },
        requestId: null,
      });
    }
    case 'TicketsReturned': {
      const { orderId, paymentId, reason, refundId, tickets, amountCents, order } = event.data;
      const asked = { eventId, orderId, paymentId, reason };
      // The order has no valid tickets left, so all its remaining money is refunded.
      return order.standing === 0
        ? outgoing(event, RefundRequestedV1, {
            ...{ ...asked, quantity: order.quantity, amountCents: order.totalCents, requestId: null },
          })
        : outgoing(event, RefundRequestedV1, {
            ...{ ...asked, quantity: tickets.length, amountCents, requestId: refundId },
          });
    }
  }
}
