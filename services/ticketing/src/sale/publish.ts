import type { Logged, Outgoing, Queries } from '@beltway/event-store';
import type { Availability } from '@beltway/contracts/ticketing';
import type { SaleEvent } from './events.ts';

type LoggedSaleEvent = SaleEvent & Logged;

/** Which events the world hears. Changes of stock are told once per sale and run of the log, with the state they led to. */
export async function publishSales(events: Logged[], db: Queries): Promise<Outgoing[]> {
  const facts = events.flatMap((event) => told(event as LoggedSaleEvent));
  const moved = new Map<number, Logged>();
  for (const event of events) if (event.stream.startsWith('sale-')) moved.set(Number(event.id), event);
  const stock = await availabilityOf(db, [...moved.keys()]);
  return [
    ...facts,
    ...stock.flatMap((now): Outgoing[] => {
      const of = moved.get(now.eventId);
      if (!of) return [];
      const changed: Outgoing = { of, type: 'ticketing.stock-changed', version: 1, data: now };
      const soldNow = events.some((event) => event.type === 'TicketsSold' && Number(event.id) === now.eventId);
      return soldNow && now.sold >= now.capacity
        ? [changed, { of, type: 'ticketing.sold-out', version: 1, data: { eventId: now.eventId } }]
        : [changed];
    }),
  ];
}

function told(event: LoggedSaleEvent): Outgoing[] {
  const eventId = Number(event.id);
  const say = (type: string, data: object): Outgoing[] => [
    { of: event, type: `ticketing.${type}`, version: 1, data: { eventId, ...data } },
  ];
  switch (event.type) {
    case 'TicketsHeld': {
      const { orderId, quantity, until } = event.data;
      return say('tickets-held', { orderId, quantity, until });
    }
    case 'HoldReleased': {
      const { orderId, quantity, reason } = event.data;
      return say('hold-released', { orderId, quantity, reason });
    }
    case 'TicketsSold': {
      const { orderId, quantity, paymentId, priceCents, buyerId } = event.data;
      return say('ticket-purchased', { orderId, quantity, paymentId, totalCents: quantity * priceCents, buyerId });
    }
    case 'RefundRequested':
    case 'TicketsReturned': {
      const { orderId, quantity, paymentId, amountCents, reason } = event.data;
      return say('refund-requested', { orderId, quantity, paymentId, amountCents, reason });
    }
    case 'SaleOpened':
    case 'SaleChanged':
    case 'SaleClosed':
    case 'HoldExtended':
      return []; // told by stock-changed, or nobody's business
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
