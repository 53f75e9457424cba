import { setTimeout as pause } from 'node:timers/promises';
import type { Bus } from '@beltway/kit/bus';
import { Client } from 'pg';

const GROUPS: Array<[group: string, topic: string]> = [
  ['ticketing.catalog', 'catalog.events'],
  ['ticketing.payments', 'payments.events'],
  ['payments.ticketing', 'ticketing.events'],
  ['payments.catalog', 'catalog.events'],
  ['catalog.payments', 'payments.events'],
  ['catalog.stock', 'ticketing.events'],
  ['catalog.broadcasts', 'media.events'],
  ['payments.ad-mails', 'catalog.events'],
  ['payments.events-copy', 'catalog.events'],
  ...['catalog.events', 'ticketing.events'].map((topic): [string, string] => ['media.attendance', topic]),
  ...['media.posters', 'media.broadcasts', 'media.clips'].map((group): [string, string] => [group, 'catalog.events']),
  ...['catalog.events', 'ticketing.events', 'payments.events'].map((topic): [string, string] => [
    'realtime.notifications',
    topic,
  ]),
  ['realtime.chat', 'catalog.events'],
  ['realtime.sessions', 'identity.events'],
  ...['catalog', 'ticketing', 'payments', 'media', 'realtime'].map((name): [string, string] => [
    `${name}.erasures`,
    'identity.events',
  ]),
];

const UNTOLD = `(select count(*) from events e left join checkpoints c on c.name = 'relay' where c.name is null or (e.tx, e.position) > (c.tx, c.position))::int as untold`;

const LEAST_ERASED = 2;
const IS_UNERASED = `queue = 'erasure' and (data ->> 'runs')::int < ${LEAST_ERASED}`;
const UNERASED = `(select count(*) from jobs where ${IS_UNERASED})::int as "accounts to erase"`;
const ERASING = ['catalog', 'ticketing', 'payments', 'media', 'realtime'];

/** The query for open work in each database. The column names appear in reports. */
const OPEN: Record<string, string> = {
  identity: `select ${UNTOLD}`,
  ticketing: `select (select count(*) from orders where status = 'held')::int as holds,
    (select count(*) from orders o join availability a using (event_id) where o.status = 'fulfilled' and a.closed = 'canceled')::int as "to return", ${UNERASED}, ${UNTOLD}`,
  payments: `select (select count(*) from refunds where status = 'due')::int as refunds,
    (select count(*) from part_refunds where status = 'due')::int as "refunds of parts",
    (select count(*) from payments p left join refunds r using (id) where p.status = 'succeeded' and p.fulfilled_at is null and r.id is null)::int as "nothing given",
    (select count(*) from payments p join payout_accounts o on o.user_id = p.organizer_id where p.owed_cents < 0 or (p.owed_cents > 0 and o.state = 'ready'))::int as shares, ${UNERASED}, ${UNTOLD}`,
  catalog: `select ${UNERASED}, ${UNTOLD}`,
  media: `select ${UNERASED}`,
  realtime: `select ${UNERASED}`,
  sandbox: `select (select count(*) from deliveries where state = 'pending')::int as webhooks`,
};

/**
 * Makes waiting provider calls and erasures due now. The backoff of a failed call can reach several minutes, and an
 * erasure repeats after a minute. The wait is unnecessary, because all processes work again.
 */
export async function tryNow(database: (name: string) => string): Promise<void> {
  await openIn(database('payments'), 'update provider_tasks set next_at = now() where next_at > now()');
  for (const name of ERASING)
    await openIn(
      database(name),
      `update jobs set run_at = now() where ${IS_UNERASED} and lease is null and run_at > now()`,
    );
}

async function openIn(url: string, text: string): Promise<Record<string, number>> {
  const db = new Client({ connectionString: url, connectionTimeoutMillis: 3_000, query_timeout: 5_000 });
  db.on('error', () => undefined);
  try {
    await db.connect();
    return ((await db.query(text)).rows[0] ?? {}) as Record<string, number>;
  } finally {
    await db.end().catch(() => undefined);
  }
}

const within = <T>(ms: number, work: Promise<T>): Promise<T> =>
  Promise.race([
    work,
    new Promise<never>((_, reject) =>
      setTimeout(() => reject(new Error(`the bus did not answer in ${ms} ms`)), ms).unref(),
    ),
  ]);

/**
 * Erases again after all messages were handled. A request that was admitted before an account ended may write after its
 * data was erased (decision 3).
 */
export async function eraseOnceMore(database: (name: string) => string): Promise<void> {
  for (const name of ERASING)
    await openIn(
      database(name),
      `insert into jobs (queue, key, data)
       select 'erasure', user_id::text, jsonb_build_object('runs', ${LEAST_ERASED - 1}) from erasures
       on conflict (queue, key) do update set data = excluded.data, run_at = now() where jobs.lease is null`,
    );
}

export interface Settling {
  database: (name: string) => string;
  bus: Bus;
  /** Makes waiting retries due now. */
  hurry: () => Promise<void>;
  say: (text: string) => void;
  withinMs: number;
}

/**
 * Waits until two checks in a row find no work in progress: no hold, no due refund, no webhook, no unpublished event,
 * no unread message. Returns the work that is still in progress at the deadline; an empty list if there is none.
 */
export async function settle({ database, bus, hurry, say, withinMs }: Settling): Promise<string[]> {
  const deadline = Date.now() + withinMs;
  let last = '';
  for (let quiet = 0; ;) {
    const open: string[] = [];
    try {
      for (const [name, text] of Object.entries(OPEN))
        for (const [what, count] of Object.entries(await openIn(database(name), text)))
          if (count > 0) open.push(`${name}: ${count} ${what}`);
      for (const [group, topic] of GROUPS) {
        const behind = (await within(5_000, bus.lag(group, [topic])))[topic] ?? 0;
        if (behind > 0) open.push(`${group}: ${behind} unread`);
      }
      if (open.length > 0) await hurry();
    } catch (error) {
      open.push(error instanceof Error ? error.message : String(error));
    }
    quiet = open.length === 0 ? quiet + 1 : 0;
    if (quiet === 2) return [];
    if (open.join() !== last) say(`on its way: ${open.join('; ') || 'nothing'}`);
    last = open.join();
    if (Date.now() > deadline) return open;
    await pause(400);
  }
}
