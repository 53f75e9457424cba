import { Client } from 'pg';
import type { Bus } from '@beltway/kit/bus';
import type { Evidence, LoggedEvent, People, Rows } from './evidence.ts';
import { readClientLedger } from '../load/client-ledger.ts';
import { MARK } from '../load/leavers.ts';

async function within<T>(url: string, work: (db: Client) => Promise<T>): Promise<T> {
  const db = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  db.on('error', () => undefined);
  await db.connect();
  try {
    return await work(db);
  } finally {
    await db.end();
  }
}

async function rowsOf<Row>(db: Client, text: string): Promise<Row[]> {
  return (await db.query(text)).rows as Row[];
}

const logOf = async (db: Client): Promise<LoggedEvent[]> => {
  const rows = await rowsOf<
    { version: string; position: string; occurred: string } & Omit<LoggedEvent, 'version' | 'position' | 'occurredAt'>
  >(
    db,
    `select stream, version, type, data, command_id as "commandId", correlation_id as "correlationId", tx::text as tx, position,
       extract(epoch from occurred_at) * 1000 as occurred from events order by position`,
  );
  return rows.map(({ version, position, occurred, ...row }) => ({
    ...row,
    version: Number(version),
    position: Number(position),
    occurredAt: Number(occurred),
  }));
};

/**
 * The provider's records of each payment. For a charge with a transfer, the fee is deducted from the organizer's
 * account.
 */
const BANK = `
  select i.id as "paymentId", coalesce(i.body->'metadata'->>'orderId', '') as "orderId", coalesce(i.body->'metadata'->>'purpose', 'tickets') as purpose, i.body->>'status' as status, (i.body->>'amount')::int as amount,
    coalesce((i.body->>'amount_received')::int, 0) as received,
    coalesce((select sum((r.body->>'amount')::int) from objects r where r.kind = 'refund' and r.body->>'payment_intent' = i.id and r.body->>'status' = 'succeeded'), 0)::int as refunded,
    coalesce((select sum((t.body->>'amount')::int - (t.body->>'amount_reversed')::int) from objects t
      where t.kind = 'transfer' and t.parent = i.body->'metadata'->>'orderId'), 0)::int
    - coalesce((select sum((f.body->>'amount')::int - (f.body->>'amount_refunded')::int) from objects f
      where f.kind = 'application_fee' and f.body->>'originating_transaction' = i.body->>'latest_charge'), 0)::int as transferred
  from objects i where i.kind = 'payment_intent'`;

/** Databases of the services that store personal data. */
const ABOUT_PEOPLE = ['identity', 'catalog', 'ticketing', 'payments', 'media', 'realtime'];

/** Finds marks of people in any column of any table. */
async function marksIn(name: string, db: Client): Promise<People['left']> {
  const tables = await rowsOf<{ name: string }>(
    db,
    `select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`,
  );
  const left: People['left'] = [];
  for (const { name: table } of tables) {
    const text = `select distinct found.mark[1] as mark from ${table} t, regexp_matches(t::text, '${MARK}', 'g') as found(mark)`;
    for (const { mark } of await rowsOf<{ mark: string }>(db, text)) left.push({ mark, place: `${name}.${table}` });
  }
  return left;
}

/** Finds marks of people in the services' messages. */
export async function marksOn(bus: Bus): Promise<People['left']> {
  const left = new Map<string, People['left'][number]>();
  for (const topic of (await bus.topics()).filter((name) => name.endsWith('.events')))
    await bus.replay(topic, async (batch) => {
      for (const { message } of batch)
        for (const [mark] of JSON.stringify(message).matchAll(new RegExp(MARK, 'g')))
          left.set(`${mark} ${topic}`, { mark, place: `the topic ${topic}` });
    });
  return [...left.values()];
}

async function peopleOf(database: (name: string) => string, onBus: People['left']): Promise<People> {
  const [erased, ...left] = await Promise.all([
    within(database('identity'), (db) => rowsOf<{ id: number }>(db, 'select user_id as id from erased_users')),
    ...ABOUT_PEOPLE.map((name) => within(database(name), (db) => marksIn(name, db))),
  ]);
  return { erased: erased.map(({ id }) => id), left: [...left.flat(), ...onBus] };
}

/**
 * Reads the logs, the provider's records, the read models and the clients' ledger of a system that has settled.
 * `onBus`: marks of people on the bus (`marksOn`).
 */
export async function readEvidence(
  database: (name: string) => string,
  ledgerFile: string,
  onBus: People['left'] = [],
): Promise<Evidence> {
  const people = await peopleOf(database, onBus);
  const [ticketing, payments, catalog, bank] = await Promise.all([
    within(database('ticketing'), async (db) => ({
      log: await logOf(db),
      availability: await rowsOf<Rows['availability'][number]>(
        db,
        'select event_id as "eventId", capacity, sold, held, closed from availability',
      ),
      orders: await rowsOf<Rows['orders'][number]>(
        db,
        'select order_id as "orderId", event_id as "eventId", quantity, status from orders',
      ),
      tickets: await rowsOf<Rows['tickets'][number]>(
        db,
        `select id, order_id as "orderId", code, case when refund_id is null then 'valid' else 'refunded' end as status from tickets`,
      ),
      listings: await rowsOf<Rows['listings'][number]>(db, 'select event_id as "eventId", title, status from listings'),
    })),
    within(database('payments'), async (db) => ({
      log: await logOf(db),
      payments: await rowsOf<Rows['payments'][number]>(
        db,
        'select id as "orderId", stripe_payment_intent_id as "paymentId", status from payments',
      ),
      ledger: await rowsOf<Rows['ledger'][number]>(
        db,
        'select payment_id as "paymentId", event, account, amount_cents::int as cents from ledger_entries',
      ),
    })),
    within(database('catalog'), async (db) => ({
      log: await logOf(db),
      stock: await rowsOf<Rows['stock'][number]>(db, 'select event_id as "eventId", sold, held from stock'),
    })),
    within(database('sandbox'), (db) => rowsOf<Evidence['bank'][number]>(db, BANK)),
  ]);
  const { availability, orders, tickets, listings } = ticketing;
  return {
    ticketing: ticketing.log,
    payments: payments.log,
    catalog: catalog.log,
    client: readClientLedger(ledgerFile),
    bank,
    people,
    rows: {
      availability,
      orders,
      tickets,
      listings,
      stock: catalog.stock,
      payments: payments.payments,
      ledger: payments.ledger,
    },
  };
}
