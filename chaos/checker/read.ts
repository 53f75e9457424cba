import { Client } from 'pg';
import type { Evidence, LoggedEvent, Rows } from './evidence.ts';
import { readClientLedger } from '../load/client-ledger.ts';

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

/** A charge that passed its money on has its fee taken back from the account. */
const BANK = `
  select i.id as "paymentId", coalesce(i.body->'metadata'->>'orderId', '') as "orderId", coalesce(i.body->'metadata'->>'purpose', 'tickets') as purpose, i.body->>'status' as status, (i.body->>'amount')::int as amount,
    coalesce((i.body->>'amount_received')::int, 0) as received,
    coalesce((select sum((r.body->>'amount')::int) from objects r where r.kind = 'refund' and r.body->>'payment_intent' = i.id and r.body->>'status' = 'succeeded'), 0)::int as refunded,
    coalesce((select sum((t.body->>'amount')::int - (t.body->>'amount_reversed')::int) from objects t
      where t.kind = 'transfer' and t.parent = i.body->'metadata'->>'orderId'), 0)::int
    - coalesce((select sum((f.body->>'amount')::int - (f.body->>'amount_refunded')::int) from objects f
      where f.kind = 'application_fee' and f.body->>'originating_transaction' = i.body->>'latest_charge'), 0)::int as transferred
  from objects i where i.kind = 'payment_intent'`;

/** Reads the logs, the provider's own record, the read models and the clients' ledger of a system that has come to rest. */
export async function readEvidence(database: (name: string) => string, ledgerFile: string): Promise<Evidence> {
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
      tickets: await rowsOf<Rows['tickets'][number]>(db, 'select id, order_id as "orderId", code, status from tickets'),
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
