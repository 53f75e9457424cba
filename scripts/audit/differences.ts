import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'pg';

/** A kind of contradiction between two services. */
export interface Difference {
  what: string;
  /** What staff should do about it. */
  then: string;
  count: number;
  /** The first few ids. */
  examples: string[];
}

interface Payment {
  id: string;
  intent: string;
  status: string;
  amount: number;
  /** Whether the payment was settled long enough ago for other services to have consumed its message. */
  isSettled: boolean;
  isFulfilled: boolean;
  /** Fully refunded, or a full refund was requested. */
  isRefunded: boolean;
  /** Cents that were refunded or whose refund was requested, including partial refunds. */
  goingBack: number;
}

interface Order {
  id: string;
  eventId: number;
  status: string;
  intent: string | null;
  amount: number;
  isSettled: boolean;
}

interface Stock {
  eventId: number;
  sold: number;
  held: number;
  version: number;
}

/** Maximum delay of a message or a refund, in seconds. */
const GRACE_SECONDS = 60;
/** Maximum delay of a stock update, in ms. */
const STOCK_MS = 3_000;
const PAGE = 5_000;

const SETTLED = (column: string) => `coalesce(${column} < now() - make_interval(secs => ${GRACE_SECONDS}), true)`;

const PAYMENTS = `select p.id, p.stripe_payment_intent_id as intent, p.status, p.amount, ${SETTLED('coalesce(p.refunded_at, p.succeeded_at)')} as "isSettled",
    p.fulfilled_at is not null as "isFulfilled", p.status = 'refunded' or r.id is not null as "isRefunded",
    (greatest(p.returned_cents, coalesce(parts.cents, 0)))::int as "goingBack"
  from payments p left join refunds r using (id)
  left join lateral (select sum(cents) as cents from part_refunds where payment_id = p.id) parts on true`;
const ORDERS = `select o.order_id as id, o.event_id as "eventId", o.status, o.payment_id as intent, o.total_cents as amount,
    ${SETTLED('o.settled_at')} as "isSettled" from orders o`;

/** All rows of a table, paged by id. */
async function* pages<Row extends { id: string }>(pool: Pool, select: string, where: string, key: string) {
  for (let after = '00000000-0000-0000-0000-000000000000'; ;) {
    const { rows } = await pool.query<Row>(`${select} where ${where} and ${key} > $1 order by ${key} limit ${PAGE}`, [
      after,
    ]);
    if (rows.length === 0) return;
    yield rows;
    after = rows.at(-1)!.id;
  }
}

function finding(shown: number, what: string, then: string) {
  const found: Difference = { what, then, count: 0, examples: [] };
  const note = (example: string) => {
    if (++found.count <= shown) found.examples.push(example);
  };
  return { found, note };
}

/**
 * Finds contradictions between services. There are none if all databases are from the same moment. Read-only. `url`:
 * the URL of a service's database; `shown`: the maximum number of examples of each kind.
 */
export async function differences(url: (service: string) => string, shown: number): Promise<Difference[]> {
  const open = (service: string) => {
    const pool = new Pool({ connectionString: url(service), max: 2 });
    pool.on('error', () => undefined);
    return pool;
  };
  const [ticketing, payments, catalog, realtime] = ['ticketing', 'payments', 'catalog', 'realtime'].map(open) as [
    Pool,
    Pool,
    Pool,
    Pool,
  ];
  try {
    const found = await Promise.all([
      ofPayments(ticketing, payments, shown),
      ofOrders(ticketing, payments, shown),
      ofStock(ticketing, catalog, 'catalog', shown),
      ofStock(ticketing, realtime, 'realtime', shown),
      ofEvents(ticketing, catalog, shown),
    ]);
    return found.flat();
  } finally {
    await Promise.all([ticketing, payments, catalog, realtime].map((pool) => pool.end()));
  }
}

const CATCH_UP =
  'Was ticketing restored to an earlier moment? Stop it and run services/ticketing/src/catch-up.ts (docs/operations/backup.md).';

async function ofPayments(ticketing: Pool, payments: Pool, shown: number): Promise<Difference[]> {
  const forgotten = finding(shown, 'payments that succeeded, but are unknown to ticketing', CATCH_UP);
  const unheard = finding(
    shown,
    'payments with tickets that payments does not know',
    'The message of the sale was lost or is late: see npm run dead-letters. Buyer and organizer are not affected.',
  );
  const standing = finding(
    shown,
    'refunded payments with valid tickets',
    'Cancel these orders as an admin, or keep them: the buyer has the money.',
  );
  const ours = `p.purpose = 'tickets' and p.status in ('succeeded', 'refunded')`;
  for await (const page of pages<Payment>(payments, PAYMENTS, ours, 'p.id')) {
    const { rows } = await ticketing.query<Order>(`${ORDERS} where o.order_id = any($1)`, [page.map(({ id }) => id)]);
    const orders = new Map(rows.map((row) => [row.id, row]));
    for (const payment of page) {
      if (!payment.isSettled) continue;
      const order = orders.get(payment.id);
      const hasTickets = order?.status === 'fulfilled' && order.intent === payment.intent;
      const line = `order ${payment.id}, ${payment.intent}, ${payment.amount} cents`;
      if (!hasTickets && order?.status !== 'refunding' && !payment.isRefunded) forgotten.note(line);
      else if (hasTickets && !payment.isFulfilled && !payment.isRefunded) unheard.note(line);
      else if (hasTickets && payment.status === 'refunded') standing.note(line);
    }
  }
  return [forgotten.found, unheard.found, standing.found];
}

async function ofOrders(ticketing: Pool, payments: Pool, shown: number): Promise<Difference[]> {
  const unpaid = finding(
    shown,
    'orders with tickets, but without a succeeded payment',
    'Was payments restored to an earlier moment? Check each at the card provider, whose records count.',
  );
  const owed = finding(
    shown,
    'orders to be refunded, without a request in payments',
    'See npm run dead-letters. Refund the others at the card provider; payments then records it.',
  );
  const settled = `o.status in ('fulfilled', 'refunding') and o.payment_id is not null and o.total_cents > 0`;
  for await (const page of pages<Order>(ticketing, ORDERS, settled, 'o.order_id')) {
    const { rows } = await payments.query<Payment>(`${PAYMENTS} where p.stripe_payment_intent_id = any($1)`, [
      page.map(({ intent }) => intent),
    ]);
    const known = new Map(rows.map((row) => [row.intent, row]));
    for (const order of page) {
      if (!order.isSettled) continue;
      const payment = known.get(order.intent ?? '');
      const isPaid = payment?.status === 'succeeded' || payment?.status === 'refunded';
      const line = `order ${order.id} of event ${order.eventId}, ${order.intent}, ${order.amount} cents`;
      if (order.status === 'fulfilled' && !isPaid) unpaid.note(line);
      if (order.status === 'refunding' && isPaid && !payment.isRefunded && payment.goingBack < payment.amount)
        owed.note(line);
    }
  }
  return [unpaid.found, owed.found];
}

async function ofEvents(ticketing: Pool, catalog: Pool, shown: number): Promise<Difference> {
  const lost = finding(
    shown,
    'sales of events that the catalog does not know',
    'Was catalog restored to an earlier moment? Their ids must not be reused: docs/operations/backup.md.',
  );
  for (let after = 0; ;) {
    // Reads the sales before the catalog's rows, because an event is created before its sale.
    const { rows: sales } = await ticketing.query<{ eventId: number; sold: number }>(
      `select event_id as "eventId", sold from availability where event_id > $1 order by event_id limit ${PAGE}`,
      [after],
    );
    if (sales.length === 0) return lost.found;
    const { rows: events } = await catalog.query<{ eventId: number }>(
      'select event_id as "eventId" from listings where event_id = any($1)',
      [sales.map(({ eventId }) => eventId)],
    );
    const known = new Set(events.map(({ eventId }) => eventId));
    for (const { eventId, sold } of sales) if (!known.has(eventId)) lost.note(`event ${eventId}: ${sold} sold`);
    after = sales.at(-1)!.eventId;
  }
}

async function ofStock(ticketing: Pool, reader: Pool, name: string, shown: number): Promise<Difference> {
  const wrong = finding(
    shown,
    `sales whose stock ${name} keeps differently`,
    `Behind: its consumer or ticketing's relay stands still (consumer lag in the metrics). Ahead: ${CATCH_UP}`,
  );
  const stockOf = async (pool: Pool, table: string) => {
    const { rows } = await pool.query<Omit<Stock, 'version'> & { version: string }>(
      `select event_id as "eventId", sold, held, version from ${table}`,
    );
    return new Map(rows.map((row) => [row.eventId, { ...row, version: Number(row.version) }]));
  };
  const before = await stockOf(ticketing, 'availability');
  await pause(STOCK_MS);
  const copies = await stockOf(reader, 'stock');
  const after = await stockOf(ticketing, 'availability');
  for (const [eventId, copy] of copies) {
    const [then, now] = [before.get(eventId), after.get(eventId)];
    const isBehind = then !== undefined && copy.version < then.version;
    const isAhead = copy.version > (now?.version ?? 0);
    const differs = now?.version === copy.version && (now.sold !== copy.sold || now.held !== copy.held);
    if (isBehind || isAhead || differs)
      wrong.note(
        `event ${eventId}: ${copy.sold} sold, ${copy.held} held, version ${copy.version}; ticketing has ${now ? `${now.sold}, ${now.held}, ${now.version}` : 'no such sale'}`,
      );
  }
  return wrong.found;
}
