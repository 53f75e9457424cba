import type { Logged, Outgoing, Queries } from '@beltway/event-store';
import type { Availability } from '@beltway/contracts/ticketing';
import type { SaleEvent } from './events.ts';

type LoggedSaleEvent = SaleEvent & Logged;

/**
 * Which events the world hears. Holds, their ends and changes of stock are told once per sale and run of the log, the stock with
 * the state it led to: in a rush each message would be read by every service.
 */
export async function publishSales(events: Logged[], db: Queries): Promise<Outgoing[]> {
  const bySale = Map.groupBy(events.filter(({ stream }) => stream.startsWith('sale-')) as LoggedSaleEvent[], ({ id }) =>
    Number(id),
  );
  const stock = new Map((await availabilityOf(db, [...bySale.keys()])).map((now) => [now.eventId, now]));
  return [...bySale].flatMap(([eventId, run]) => [
    ...togetherOf(eventId, run),
    ...run.flatMap((event) => told(event)),
    ...stockOf(run, stock.get(eventId)),
  ]);
}

/** A message stays well below what a broker takes (Kafka's default: a megabyte). */
const HOLDS_A_MESSAGE = 1_000;

/** What became of its holds, many in one message. */
function togetherOf(eventId: number, run: LoggedSaleEvent[]): Outgoing[] {
  const say = <Event extends LoggedSaleEvent>(type: string, events: Event[], tell: (event: Event) => object) => {
    const said: Outgoing[] = [];
    for (let from = 0; from < events.length; from += HOLDS_A_MESSAGE) {
      const some = events.slice(from, from + HOLDS_A_MESSAGE);
      said.push({ of: some.at(-1)!, type, version: 2, data: { eventId, holds: some.map(tell) } });
    }
    return said;
  };
  return [
    ...say(
      'ticketing.tickets-held',
      run.filter((event) => event.type === 'TicketsHeld'),
      ({ data: { orderId, quantity, until } }) => ({ orderId, quantity, until }),
    ),
    ...say(
      'ticketing.hold-released',
      run.filter((event) => event.type === 'HoldReleased'),
      ({ data: { orderId, quantity, reason } }) => ({ orderId, quantity, reason }),
    ),
  ];
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

/** What each order is told of by itself: money moves by it. */
function told(event: LoggedSaleEvent): Outgoing[] {
  const eventId = Number(event.id);
  const say = (type: string, data: object): Outgoing[] => [
    { of: event, type: `ticketing.${type}`, version: 1, data: { eventId, ...data } },
  ];
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
    case 'TicketsHeld':
    case 'HoldReleased':
    case 'SaleOpened':
    case 'SaleChanged':
    case 'SaleClosed':
    case 'HoldExtended':
      return []; // told together, told by stock-changed, or nobody's business
  }
}

export async function availabilityOf(db: Queries, eventIds: number[]): Promise<Availability[]> {
  if (eventIds.length === 0) return [];
  const { rows } = await db.query<{ event_id: number; capacity: number; sold: number; held: number; version: string }>(
    'select event_id, capacity, sold, held, version from availability where event_id = any($1::int[])',
    [eventIds],
  );
  return rows.map(({ event_id, version, ...counts }) => ({ eventId: event_id, ...counts, version: Number(version) }));
}
