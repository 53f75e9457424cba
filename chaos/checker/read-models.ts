import { violation, type Evidence, type Violation } from './evidence.ts';
import { byStream, type FoldedSale } from './fold.ts';

const STATUS: Record<string, string> = { returned: 'refunding' };

/** Compares rows by their key; each missing, extra or different row is a violation. */
function compare(name: string, are: Map<string, string>, should: Map<string, string>): Violation[] {
  const keys = new Set([...are.keys(), ...should.keys()]);
  return [...keys]
    .filter((key) => are.get(key) !== should.get(key))
    .map((key) =>
      violation(
        'readModel',
        `${name} ${key} is ${are.get(key) ?? 'missing'}, by the log ${should.get(key) ?? 'nothing'}`,
      ),
    );
}

/**
 * Checks that the read models match the logs: ticketing's own tables, and each service's copies of other services'
 * data.
 */
export function checkReadModels({ rows, catalog, payments }: Evidence, sales: FoldedSale[]): Violation[] {
  const last = sales.flatMap((sale) => {
    const moment = sale.moments.at(-1);
    return moment && sale.opened ? [{ sale, moment }] : [];
  });
  const orders = sales.flatMap((sale) => [...sale.orders.values()]);
  const listings = [...byStream(catalog)].flatMap(([stream, events]) => {
    const title = events.map(({ data }) => (data['details'] as { title: string } | undefined)?.title).findLast(Boolean);
    const canceled = events.some(({ type }) => type === 'EventCanceled');
    return stream.startsWith('event-')
      ? [[stream.slice('event-'.length), `${title} ${canceled ? 'canceled' : 'published'}`] as const]
      : [];
  });
  const booked = [...byStream(payments)].flatMap(([stream, events]) => {
    const types = new Set(events.map(({ type }) => type));
    const status = types.has('PaymentRefunded') ? 'refunded' : types.has('PaymentSucceeded') ? 'succeeded' : undefined;
    return status ? [[stream.slice('payment-'.length), status] as const] : [];
  });
  const settled = rows.payments.filter(({ status }) => status === 'succeeded' || status === 'refunded');

  return [
    ...compare(
      'availability of sale',
      new Map(
        rows.availability.map((row) => [String(row.eventId), `${row.capacity}/${row.sold}/${row.held}/${row.closed}`]),
      ),
      new Map(
        last.map(({ sale, moment }) => [
          String(sale.eventId),
          `${moment.capacity}/${moment.sold}/${moment.held}/${sale.closed}`,
        ]),
      ),
    ),
    ...compare(
      'order',
      new Map(rows.orders.map((row) => [row.orderId, `${row.eventId} × ${row.quantity} ${row.status}`])),
      new Map(
        orders.map((order) => [
          order.orderId,
          `${order.eventId} × ${order.quantity} ${STATUS[order.status] ?? order.status}`,
        ]),
      ),
    ),
    ...compare(
      'ticket',
      new Map(rows.tickets.map((row) => [row.code, `${row.orderId} ${row.status}`])),
      new Map(
        orders.flatMap(({ orderId, gone, codes }) =>
          codes.map((code, at) => [code, `${orderId} ${gone.has(at + 1) ? 'refunded' : 'valid'}`] as const),
        ),
      ),
    ),
    ...compare(
      'listing',
      new Map(rows.listings.map((row) => [String(row.eventId), `${row.title} ${row.status}`])),
      new Map(listings),
    ),
    ...compare(
      'stock in the catalog of sale',
      new Map(rows.stock.map((row) => [String(row.eventId), `${row.sold}/${row.held}`])),
      new Map(last.map(({ sale, moment }) => [String(sale.eventId), `${moment.sold}/${moment.held}`])),
    ),
    ...compare('payment of order', new Map(settled.map((row) => [row.orderId, row.status])), new Map(booked)),
  ];
}
