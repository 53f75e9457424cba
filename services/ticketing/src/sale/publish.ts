import type { Logged, Outgoing, Queries } from '@beltway/event-store';
import type { Availability } from '@beltway/contracts/ticketing';
import { MONEY_EVENTS, type SaleEvent } from './events.ts';
import { availabilityOf } from './queries.ts';

type LoggedSaleEvent = SaleEvent & Logged;

/** Events that are messages of their own. */
const TOLD = [...MONEY_EVENTS, 'OrderClaimed', 'OrderVoided', 'OrderThawed'] as const;
type ToldEvent = Extract<LoggedSaleEvent, { type: (typeof TOLD)[number] }>;
const isTold = (event: LoggedSaleEvent): event is ToldEvent => (TOLD as readonly string[]).includes(event.type);

/**
 * Messages of a run of the log: one for each event that moves money, gives an order to an account, or makes its tickets void or
 * valid, and one with the stock per sale. A single hold is not published: nobody needs it, and in a rush every
 * service would read them all.
 */
export async function publishSales(events: Logged[], db: Queries): Promise<Outgoing[]> {
  const bySale = Map.groupBy(events.filter(({ stream }) => stream.startsWith('sale-')) as LoggedSaleEvent[], ({ id }) =>
    Number(id),
  );
  const stock = new Map((await availabilityOf(db, [...bySale.keys()])).map((now) => [now.eventId, now]));
  return [...bySale].flatMap(([eventId, run]) => [
    ...run.filter(isTold).map(messageOf),
    ...stockOf(run, stock.get(eventId)),
  ]);
}

function stockOf(run: LoggedSaleEvent[], now: Availability | undefined): Outgoing[] {
  const of = run.at(-1);
  if (!of || !now) return [];
  const changed: Outgoing = { of, type: 'ticketing.stock-changed', version: 1, data: now };
  const soldNow = run.some(({ type }) => type === 'TicketsSold');
  return soldNow && now.sold >= now.capacity
    ? [changed, { of, type: 'ticketing.sold-out', version: 1, data: { eventId: now.eventId } }]
    : [changed];
}

function messageOf(event: ToldEvent): Outgoing {
  const eventId = Number(event.id);
  const say = (type: string, data: object): Outgoing => ({
    of: event,
    type: `ticketing.${type}`,
    version: 1,
    data: { eventId, ...data },
  });
  switch (event.type) {
    case 'TicketsSold': {
      const { orderId, quantity, paymentId, priceCents, buyerId } = event.data;
      return say('ticket-purchased', { orderId, quantity, paymentId, totalCents: quantity * priceCents, buyerId });
    }
    case 'OrderClaimed': {
      const { orderId, quantity, buyerId } = event.data;
      return say('order-claimed', { orderId, quantity, buyerId });
    }
    case 'OrderVoided':
    case 'OrderThawed': {
      const isVoid = event.type === 'OrderVoided' || event.data.isVoid === true;
      return say('order-validity-changed', { orderId: event.data.orderId, isVoid, version: event.version });
    }
    case 'PaymentNotFulfilled': {
      const { orderId, quantity, paymentId, amountCents, reason } = event.data;
      return say('refund-requested', { orderId, quantity, paymentId, amountCents, reason });
    }
    case 'TicketsReturned': {
      const { orderId, quantity, paymentId, amountCents, reason, refundId = orderId, part } = event.data;
      const asked = { orderId, paymentId, reason };
      if (!part) return say('refund-requested', { ...asked, quantity, amountCents });
      // Nothing of the order stands any more: whatever of its money has not gone back yet does.
      if (part.standing === 0)
        return say('refund-requested', { ...asked, quantity: part.orderQuantity, amountCents: part.orderCents });
      return { ...say('refund-requested', { ...asked, quantity, amountCents, requestId: refundId }), version: 2 };
    }
  }
}
