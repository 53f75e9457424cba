import { randomUUID } from 'node:crypto';
import { Client, type Pool } from 'pg';
import { RefundRequestedV1, StockChangedV1, TicketPurchasedV1 } from '@beltway/contracts/ticketing/tickets';
import { connection, openStore, PLANS_FOR_ARRAYS, uuidFrom } from '@beltway/event-store';
import type { Bus, Delivery, GroupOptions } from '@beltway/kit/bus';
import { openBus } from '@beltway/kit/bus/open';
import { common, readConfig } from '@beltway/kit/config';
import { anyOf } from '@beltway/kit/kysely';
import { logger, type Logger } from '@beltway/kit/logger';
import { openPool } from '@beltway/kit/postgres';
import type { Secrets } from '@beltway/kit/secrets';
import { returnTickets } from './checkout/return.ts';
import { refuseMoney, sellOrder, type SaleDeps } from './checkout/sell.ts';
import { kysely } from './db.ts';
import { variables } from './config.ts';
import { startConsumers } from './consumers.ts';
import { orderById } from './order/queries.ts';
import { ASKED_REASONS, NOT_FULFILLED_REASONS } from './sale/events.ts';
import { decidedAt } from './sale/log.ts';
import { openSales } from './sale/stream.ts';
import { toMessages } from './sale/publish.ts';

// docs/operations/backup.md#services-of-different-moments. Ticketing's database was restored to an earlier moment than
// the databases of other services. The bus still has all lost messages: those that ticketing published, and those of
// other services.

export interface CatchUpOptions {
  databaseUrl: string;
  bus: Bus;
  ticketSecret: Secrets;
  log: Logger;
}

/** What the run did with the orders that the log had lost. */
export interface CaughtUp {
  /** Sales whose stream was moved past the newest published version. */
  sales: number[];
  soldAgain: string[];
  /** Orders that were refunded, because no tickets are left or the number of their tickets is unknown. */
  refunded: string[];
  returned: string[];
  /**
   * Orders of which some tickets were refunded, but the log does not show which tickets. All tickets of these orders
   * stay valid until staff decide.
   */
  unknownTickets: string[];
}

/**
 * How long before the log's last event the replay of messages begins, because a consumer may have lagged when the
 * backup was made.
 */
const MARGIN_MS = 24 * 3_600_000;

/** Returns the reason if the list contains it. */
const oneOf = <Reason extends string>(reasons: readonly Reason[], reason: string): Reason | undefined =>
  reasons.find((one) => one === reason);

/**
 * Updates a restored ticketing database with the messages on the bus. Sells lost orders again with the same codes,
 * before their tickets can be sold to other buyers. Refunds money if its order stays unknown. Idempotent; can be run
 * again after a crash. Throws while ticketing runs.
 */
export async function catchUp({ databaseUrl, bus, ticketSecret, log }: CatchUpOptions): Promise<CaughtUp> {
  const { since, end } = await begin(databaseUrl);
  const pool = openPool(databaseUrl, { options: PLANS_FOR_ARRAYS });
  const store = openStore({
    url: databaseUrl,
    toMessages,
    warn: (err, message) => log.warn({ err }, message),
  });
  try {
    const begunAt = new Date();
    const lost = await lostMessages(bus, pool, since);
    const sales = await passVersions(pool, lost.saidVersions);
    const deps = { sales: openSales(store), ticketSecret, clock: () => new Date(), pool, log };
    const done: CaughtUp = { sales, soldAgain: [], refunded: [], returned: [], unknownTickets: [] };
    const consumers = await consumersOf({ ...deps, bus }, since);
    // Restores sales and their terms first, because a lost order can be restored only in its sale.
    await consumers.replay('catalog.events');
    for (const message of lost.purchases) await sellAgain(deps, message, done);
    for (const message of lost.refunds) await refundAgain(deps, message, done);
    await consumers.replay('payments.events');
    await consumers.stop();
    done.refunded.push(...(await refundedSince(pool, begunAt)));
    await deps.sales.drain();
    await kysely(pool).deleteFrom('catchingUp').execute();
    return done;
  } finally {
    await store.close();
    await pool.end();
    await end();
  }
}

/**
 * Throws if ticketing runs, because the state in its memory would be stale. Throws if another run of the catch-up is in
 * progress. After this call no instance of ticketing starts until a run has completed, even after a crash
 * (`refuseWhileCatchingUp`). Returns the time from which messages are replayed.
 */
async function begin(databaseUrl: string): Promise<{ since: Date; end: () => Promise<void> }> {
  const client = new Client({ connectionString: databaseUrl, ...connection() });
  // Ignores a break of this connection. If the pool's connections break, too, the run fails.
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<{ mine: boolean }>(
      `select pg_try_advisory_lock(hashtextextended('catching up', 1)) as mine`,
    );
    if (!rows[0]?.mine) throw new Error('Another catch-up.ts runs on this database. Wait for its end.');
    // Inserts the row before counting instances, so that an instance that starts now either finds the row or is counted
    // here.
    const noted = await client.query(
      `insert into catching_up (since) select coalesce(max(occurred_at), 'epoch') - $1 * interval '1 ms' from events
       on conflict do nothing`,
      [MARGIN_MS],
    );
    const { rows: seen } = await client.query<{ others: number; since: Date }>(
      `select since, (select count(*)::int from pg_stat_activity where datname = current_database()
        and application_name like 'log %') as others from catching_up`,
    );
    const { others, since } = seen[0]!;
    if (others > 0) {
      if (noted.rowCount === 1) await kysely(client).deleteFrom('catchingUp').execute();
      throw new Error('Ticketing runs on this database. Stop it, all of its instances, and try again.');
    }
    return { since, end: () => client.end() };
  } catch (error) {
    await client.end();
    throw error;
  }
}

interface LostMessages {
  purchases: TicketPurchasedV1[];
  refunds: RefundRequestedV1[];
  /** The newest published version of each sale. */
  saidVersions: Map<number, number>;
}

/**
 * Messages that ticketing published about events that its log no longer has. They fit in memory, because their number
 * depends on the length of the outage, not on the size of the topic.
 */
async function lostMessages(bus: Bus, pool: Pool, since: Date): Promise<LostMessages> {
  const lost: LostMessages = { purchases: [], refunds: [], saidVersions: new Map() };
  await bus.replay('ticketing.events', async (batch) => {
    const messages = recent(batch, since).map(({ message }) => message);
    for (const message of messages) {
      const { data } = StockChangedV1.safeParse(message);
      if (!data) continue;
      const { eventId, version } = data.data;
      lost.saidVersions.set(eventId, Math.max(version, lost.saidVersions.get(eventId) ?? 0));
    }
    const purchases = messages.flatMap((message) => TicketPurchasedV1.safeParse(message).data ?? []);
    const refunds = messages.flatMap((message) => RefundRequestedV1.safeParse(message).data ?? []);
    const [known, refunded] = [await decidedAt(pool, purchases.map(saleIdOf)), await knownRefunds(pool, refunds)];
    lost.purchases.push(...purchases.filter((message) => !known.has(saleIdOf(message))));
    lost.refunds.push(...refunds.filter((message) => !refunded.has(refundIdOf(message))));
  });
  const inTheirOrder = <T extends { occurredAt: string }>(all: T[]) =>
    all.sort((a, b) => (a.occurredAt < b.occurredAt ? -1 : 1));
  inTheirOrder(lost.purchases);
  inTheirOrder(lost.refunds);
  return lost;
}

const recent = (batch: Delivery[], since: Date): Delivery[] =>
  batch.filter(({ message }) => {
    const { occurredAt } = message as { occurredAt?: unknown };
    return typeof occurredAt !== 'string' || new Date(occurredAt) >= since;
  });

/** The refund's id, derived in the same way as in `projectRefunds`. */
const refundIdOf = ({ data }: RefundRequestedV1): string => data.requestId ?? data.orderId;

const saleIdOf = ({ data }: TicketPurchasedV1): string => uuidFrom(`sell:${data.paymentId}`);

/** The ids of refunds that the read model has, and the ids of orders that were returned completely. */
async function knownRefunds(pool: Pool, refunds: RefundRequestedV1[]): Promise<Set<string>> {
  if (refunds.length === 0) return new Set();
  const returned = kysely(pool)
    .selectFrom('orders')
    .select('orderId as id')
    .where('orderId', '=', anyOf(refunds.map(({ data }) => data.orderId)))
    .where('status', '=', 'refunding');
  const rows = await kysely(pool)
    .selectFrom('orderRefunds')
    .select('refundId as id')
    .where('refundId', '=', anyOf(refunds.map(refundIdOf)))
    .union(returned)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/**
 * Appends to each stream an event with a version above the newest published version. Later messages then have newer
 * versions than the consumers' copies, and new ids, which consist of stream and version. The appended event repeats the
 * sale's last terms.
 */
async function passVersions(pool: Pool, said: Map<number, number>): Promise<number[]> {
  const { rows } = await pool.query<{ eventId: number }>(
    `with said as (select * from unnest($1::int[], $2::bigint[]) s (event_id, version)),
     behind as (
       select said.*, 'sale-' || event_id as stream from said
       where version > coalesce((select max(version) from events where stream = 'sale-' || said.event_id), 0)
     ), passed as (
       insert into events (stream, version, type, data, correlation_id, causation_id, occurred_at)
       select stream, version + 1,
         case when last.type = 'SaleOpened' then 'SaleChanged' else coalesce(last.type, 'SaleClosed') end,
         coalesce(last.data, '{"reason":"withdrawn","catalogVersion":0}'), $3, $3, now()
       from behind left join lateral (
         select type, data from events e where e.stream = behind.stream and type in ('SaleOpened', 'SaleChanged', 'SaleClosed')
         order by version desc limit 1
       ) last on true
     ), shown as (
       update availability a set version = behind.version + 1 from behind where a.event_id = behind.event_id
     )
     select event_id as "eventId" from behind order by 1`,
    [[...said.keys()], [...said.values()], randomUUID()],
  );
  return rows.map(({ eventId }) => eventId);
}

type Deps = SaleDeps & { pool: Pool; log: Logger };

/** Prepares the service's own consumers, which are idempotent. `replay` replays a topic to these consumers. */
async function consumersOf(deps: Deps & { bus: Bus }, since: Date) {
  const groups: GroupOptions[] = [];
  const bus: Bus = {
    ...deps.bus,
    subscribe: async (group) => {
      groups.push(group);
      return { stop: async () => undefined };
    },
    lag: async () => ({}),
  };
  const consumers = await startConsumers({ ...deps, bus, changeMailMinutes: 0, canceled: () => undefined });
  return {
    replay: async (topic: string) => {
      for (const { topics, handle } of groups)
        if (topics.includes(topic)) await deps.bus.replay(topic, (batch) => handle(recent(batch, since)));
    },
    stop: async () => void (await Promise.all(consumers.map((consumer) => consumer.stop()))),
  };
}

async function sellAgain(deps: Deps, { data, occurredAt }: TicketPurchasedV1, { soldAgain }: CaughtUp): Promise<void> {
  const { orderId, eventId, lines, paymentId, totalCents, buyerId } = data;
  const order = await orderById(deps.pool, orderId);
  const ordered = { orderId, eventId, lines, buyerId, isPublished: true } as const;
  const isLost = order === undefined;
  const payment = { paymentId, amountCents: totalCents };
  const at = { ...deps, clock: () => new Date(occurredAt) };
  if ((await sellOrder(at, { ...ordered, isLost }, payment)) === 'fulfilled') soldAgain.push(orderId);
}

/** Requests a lost refund again. Payments already knows the refund, so nothing is refunded twice. */
async function refundAgain(deps: Deps, message: RefundRequestedV1, done: CaughtUp): Promise<void> {
  const { orderId, eventId, quantity, paymentId, amountCents, reason, requestId } = message.data;
  const order = await orderById(deps.pool, orderId);
  const notFulfilled = oneOf(NOT_FULFILLED_REASONS, reason);
  const asked = oneOf(ASKED_REASONS, reason);
  if (requestId !== null) done.unknownTickets.push(orderId);
  else if (notFulfilled && order?.status !== 'fulfilled')
    await refuseMoney(deps, eventId, { orderId, quantity, paymentId, amountCents, reason: notFulfilled });
  else if (asked && order?.status === 'fulfilled') {
    await returnTickets(deps, order, asked);
    done.returned.push(orderId);
  }
}

/** Orders that this run refunded. */
async function refundedSince(pool: Pool, since: Date): Promise<string[]> {
  const { rows } = await pool.query<{ orderId: string }>(
    `select data->>'orderId' as "orderId" from events where type = 'PaymentNotFulfilled' and occurred_at >= $1 order by position`,
    [since],
  );
  return rows.map(({ orderId }) => orderId);
}

if (import.meta.main) {
  const settings = readConfig({ ...common, TICKET_SECRET: variables.TICKET_SECRET });
  const { DATABASE_URL: databaseUrl, TICKET_SECRET: ticketSecret } = settings;
  const bus = await openBus(settings, undefined, { once: true });
  try {
    const log = logger('catch-up', settings.LOG_LEVEL);
    const done = await catchUp({ databaseUrl, bus, ticketSecret, log });
    const say = (what: string, of: Array<string | number>) =>
      console.log(`${what}: ${of.length}${of.map((id) => `\n  ${id}`).join('')}`);
    say('Sales that others had heard more of', done.sales);
    say('Orders that have their tickets again', done.soldAgain);
    say('Orders whose money goes back', done.refunded);
    say('Orders that were returned again', done.returned);
    say('Orders with refunded tickets of which it is not known which they are', done.unknownTickets);
  } finally {
    await bus.close();
  }
}
