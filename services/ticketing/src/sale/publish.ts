import type { Logged, Outgoing, Queries } from '@beltway/event-store';
import type { Availability } from '@beltway/contracts/ticketing';
import type { SaleEvent } from './events.ts';
import { availabilityOf } from './queries.ts';

type LoggedSaleEvent = SaleEvent & Logged;

/** What each order is told of by itself, for money moves by it. The index `events_told` has the same types: who reads for these passes over no hold. */
export const TOLD_EACH = ['TicketsSold', 'RefundRequested', 'TicketsReturned'] as const satisfies SaleEvent['type'][];
type ToldEach = Extract<LoggedSaleEvent, { type: (typeof TOLD_EACH)[number] }>;
const isToldEach = (event: LoggedSaleEvent): event is ToldEach => (TOLD_EACH as readonly string[]).includes(event.type);

/**
 * Which events the world hears: what money moves by, each; of all else, the stock it led to, once per sale and run of the log.
 * Needs of a run those of `TOLD_EACH` and the last event of each sale. A hold by itself is told to nobody: nobody has a use for
 * it, and in a rush every service would read them all.
 */
export async function publishSales(events: Logged[], db: Queries): Promise<Outgoing[]> {
  const bySale = Map.groupBy(events.filter(({ stream }) => stream.startsWith('sale-')) as LoggedSaleEvent[], ({ id }) =>
    Number(id),
  );
  const stock = new Map((await availabilityOf(db, [...bySale.keys()])).map((now) => [now.eventId, now]));
  return [...bySale].flatMap(([eventId, run]) => [
    ...run.filter(isToldEach).map(told),
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

function told(event: ToldEach): Outgoing {
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
    case 'RefundRequested':
    case 'TicketsReturned': {
      const { orderId, quantity, paymentId, amountCents, reason } = event.data;
      return say('refund-requested', { orderId, quantity, paymentId, amountCents, reason });
    }
  }
}
