import type { Pool, PoolClient } from 'pg';
import type { Logger } from '@beltway/kit/logger';
import { transaction } from '@beltway/kit/postgres';
import { StripeError } from './errors.ts';
import { newId } from './ids.ts';
import { seconds, type Kind, type Kinds } from './objects.ts';
import { dueIn, Settings } from './settings.ts';

export interface Answer {
  status: number;
  body: unknown;
  /** True when this answer was given before, under the same idempotency key. */
  replayed?: boolean;
}

export interface Work {
  /** Documents this work will want: read in one go for the whole group. */
  touches: string[];
  key?: { name: string; fingerprint: string } | undefined;
  requestId: string;
  now: Date;
  /** Decides on what it is given; may run again when the group it was in failed, so it must have no effect of its own. */
  run(tx: Tx): Promise<Answer> | Answer;
}

interface Row {
  kind: string;
  parent: string | null;
  body: { id: string };
  hidden: unknown;
}
interface EventRow {
  id: string;
  type: string;
  intent: string | null;
  body: unknown;
}
export type Tx = ReturnType<typeof draft>;

export interface LedgerOptions {
  pool: Pool;
  log: Logger;
  apiVersion: string;
  wants: (eventType: string) => boolean;
}

const GROUP = 200;

/**
 * The only writer. Calls that arrive together are decided one after the other and written in one transaction: documents, events,
 * deliveries and idempotency keys commit together or not at all. No timer: a lone call waits for nobody.
 */
export function ledger({ pool, log, apiVersion, wants }: LedgerOptions) {
  const queue: Array<{ work: Work; resolve: (answer: Answer) => void; reject: (error: unknown) => void }> = [];
  const underWay = new Map<string, string>();
  let settings: Settings = Settings.parse({});
  let working = false;
  /** Groups and changes of the settings take turns, so that no event is planned by settings already replaced. */
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = turn.then(work, work);
    turn = mine.catch(() => undefined);
    return mine;
  };
  let wake: () => void = () => undefined;

  async function commit(group: Work[]): Promise<Array<Answer | StripeError>> {
    const client = await pool.connect();
    let broken = true;
    try {
      await client.query('begin');
      const [cache, known] = await Promise.all([
        load(client, [...new Set(group.flatMap((work) => work.touches))]),
        answered(client, group),
      ]);
      const changes: Changes = { dirty: new Set(), events: [], keys: [] };
      const results: Array<Answer | StripeError> = [];
      for (const work of group) results.push(await decide(client, work, cache, known, changes));
      await write(client, cache, changes);
      await client.query('commit');
      broken = false;
      if (changes.events.length > 0) wake();
      return results;
    } finally {
      // A connection whose transaction failed is closed, not cleaned: rare, and always right.
      client.release(broken);
    }
  }

  async function decide(
    client: PoolClient,
    work: Work,
    cache: Map<string, Row>,
    known: Map<string, Known>,
    changes: Changes,
  ) {
    const before = work.key && known.get(work.key.name);
    if (before) return replay(before, work);
    const tx = draft(client, cache, work, apiVersion);
    let result: Answer | StripeError;
    try {
      result = await work.run(tx);
      for (const [id, row] of tx.rows) {
        cache.set(id, row);
        changes.dirty.add(id);
      }
      changes.events.push(...tx.events);
    } catch (error) {
      if (!(error instanceof StripeError)) throw error;
      result = error;
    }
    if (work.key) {
      const answer = result instanceof StripeError ? { status: result.status, body: { error: result.body } } : result;
      const entry = { key: work.key.name, fingerprint: work.key.fingerprint, status: answer.status, body: answer.body };
      known.set(entry.key, entry);
      changes.keys.push(entry);
    }
    return result;
  }

  async function write(client: PoolClient, cache: Map<string, Row>, { dirty, events, keys }: Changes): Promise<void> {
    if (dirty.size === 0 && events.length === 0 && keys.length === 0) return;
    const rows = [...dirty].map((id) => ({ id, ...(cache.get(id) as Row) }));
    const owed = events.flatMap((event) =>
      wants(event.type) ? dueIn(settings.webhooks).map((due) => ({ id: event.id, due })) : [],
    );
    await client.query({
      name: 'sandbox-write',
      text: WRITE,
      values: [
        rows.map((row) => row.id),
        rows.map((row) => row.kind),
        rows.map((row) => row.parent),
        rows.map((row) => JSON.stringify(row.body)),
        rows.map((row) => (row.hidden === null ? null : JSON.stringify(row.hidden))),
        events.map((event) => event.id),
        events.map((event) => event.type),
        events.map((event) => event.intent),
        events.map((event) => JSON.stringify(event.body)),
        owed.map((delivery) => delivery.id),
        owed.map((delivery) => (Number.isFinite(delivery.due) ? delivery.due : null)),
        keys.map((entry) => entry.key),
        keys.map((entry) => entry.fingerprint),
        keys.map((entry) => entry.status),
        keys.map((entry) => JSON.stringify(entry.body)),
      ],
    });
  }

  async function drain(): Promise<void> {
    while (queue.length > 0) {
      const group = queue.splice(0, GROUP);
      try {
        const results = await inTurn(() => commit(group.map((waiting) => waiting.work)));
        group.forEach((waiting, index) => settle(waiting, results[index]));
      } catch (error) {
        log.warn({ err: error, size: group.length }, 'a group failed, each call is tried alone');
        for (const waiting of group) {
          await inTurn(() => commit([waiting.work])).then(
            ([result]) => settle(waiting, result),
            (failure: unknown) => waiting.reject(failure),
          );
        }
      }
    }
    working = false;
  }

  function settle(waiting: (typeof queue)[number], result: Answer | StripeError | undefined): void {
    if (result === undefined || result instanceof StripeError) waiting.reject(result ?? new Error('no result'));
    else waiting.resolve(result);
  }

  return {
    settings: () => settings,
    /** Called after every commit that made events. */
    onEvents: (listener: () => void) => void (wake = listener),

    async start(): Promise<void> {
      const { rows } = await pool.query<{ body: unknown }>('select body from settings');
      settings = Settings.parse(rows[0]?.body ?? {});
    },

    /** Events made after this resolves follow the new settings; with new webhook settings, deliveries still owed are planned anew. */
    async configure(change: Partial<Settings>): Promise<void> {
      await inTurn(async () => {
        const next = Settings.parse({ ...settings, ...change });
        await transaction(pool, async (tx) => {
          await tx.query(
            'insert into settings (body) values ($1) on conflict (single) do update set body = excluded.body',
            [next],
          );
          if (change.webhooks) await tx.query(REPLAN, [change.webhooks.mode, change.webhooks.seconds]);
        });
        settings = next;
      });
      wake();
    },

    /** Queues one call; resolves once it is durable. Throws StripeError for what Stripe would refuse. */
    async perform(work: Work): Promise<Answer> {
      const { key } = work;
      if (key && underWay.has(key.name)) {
        if (underWay.get(key.name) !== key.fingerprint) throw otherParameters(key.name);
        throw new StripeError(409, {
          type: 'idempotency_error',
          code: 'idempotency_key_in_use',
          message: `There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through): ${key.name}. Please try again later.`,
        });
      }
      if (key) underWay.set(key.name, key.fingerprint);
      try {
        return await new Promise<Answer>((resolve, reject) => {
          queue.push({ work, resolve, reject });
          if (working) return;
          working = true;
          // The next tick, so that calls read from the network in this one share the group.
          setImmediate(() => void drain());
        });
      } finally {
        if (key) underWay.delete(key.name);
      }
    },
  };
}
export type Ledger = ReturnType<typeof ledger>;

interface Known {
  key: string;
  fingerprint: string;
  status: number;
  body: unknown;
}
interface Changes {
  dirty: Set<string>;
  events: EventRow[];
  keys: Known[];
}

const WRITE = `
with documents as (
  insert into objects (id, kind, parent, body, hidden)
  select * from unnest($1::text[], $2::text[], $3::text[], $4::json[], $5::json[])
  on conflict (id) do update set body = excluded.body, hidden = excluded.hidden
), happened as (
  insert into events (id, type, intent, body)
  select id, type, intent, body from unnest($6::text[], $7::text[], $8::text[], $9::json[]) with ordinality as e (id, type, intent, body, n) order by n
), owed as (
  insert into deliveries (event_id, due)
  select id, coalesce(clock_timestamp() + make_interval(secs => due), 'infinity')
  from unnest($10::text[], $11::float8[]) with ordinality as d (id, due, n) order by n
)
insert into idempotency_keys (key, fingerprint, status, body) select * from unnest($12::text[], $13::text[], $14::int[], $15::json[])`;

/** What waits for a retry keeps its time, unless everything is to be lost. */
const REPLAN = `
update deliveries set due = case $1
  when 'lost' then 'infinity'::timestamptz
  when 'late' then greatest(clock_timestamp(), created + make_interval(secs => $2::float8))
  when 'shuffled' then clock_timestamp() + make_interval(secs => random() * $2::float8)
  else clock_timestamp() end
where state = 'pending' and ($1 = 'lost' or due = 'infinity' or attempts = 0)`;

const otherParameters = (key: string): StripeError =>
  new StripeError(400, {
    type: 'idempotency_error',
    message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
  });

function replay(before: Known, work: Work): Answer | StripeError {
  if (before.fingerprint !== work.key?.fingerprint) return otherParameters(before.key);
  return { status: before.status, body: before.body, replayed: true };
}

async function load(client: PoolClient, ids: string[]): Promise<Map<string, Row>> {
  if (ids.length === 0) return new Map();
  const { rows } = await client.query<Row & { id: string }>({
    name: 'sandbox-load',
    text: 'select id, kind, parent, body, hidden from objects where id = any($1) order by id for update',
    values: [ids],
  });
  return new Map(rows.map(({ id, ...row }) => [id, row]));
}

async function answered(client: PoolClient, group: Work[]): Promise<Map<string, Known>> {
  const names = group.flatMap((work) => (work.key ? [work.key.name] : []));
  if (names.length === 0) return new Map();
  const { rows } = await client.query<Known>({
    name: 'sandbox-known',
    text: 'select key, fingerprint, status, body from idempotency_keys where key = any($1)',
    values: [names],
  });
  return new Map(rows.map((row) => [row.key, row]));
}

/** What one call sees and changes. Nothing of it counts until the call is decided. */
function draft(client: PoolClient, cache: Map<string, Row>, work: Work, apiVersion: string) {
  const rows = new Map<string, Row>();
  const events: EventRow[] = [];

  async function row(id: string): Promise<Row | undefined> {
    const here = rows.get(id) ?? cache.get(id);
    if (here) return here;
    for (const [loaded, found] of await load(client, [id])) cache.set(loaded, found);
    return cache.get(id);
  }

  return {
    rows,
    events,
    now: work.now,
    /** A document by id and kind, locked; undefined when there is none. */
    async get<K extends Kind>(kind: K, id: string): Promise<Kinds[K] | undefined> {
      const found = await row(id);
      return found?.kind === kind ? (found.body as Kinds[K]) : undefined;
    },
    async hidden<T>(id: string): Promise<T | undefined> {
      return ((await row(id))?.hidden ?? undefined) as T | undefined;
    },
    /** Documents are never changed in place: put the new one. */
    put(
      kind: Kind | 'challenge',
      body: { id: string },
      { parent = null, hidden }: { parent?: string | null; hidden?: unknown } = {},
    ): void {
      const before = rows.get(body.id) ?? cache.get(body.id);
      rows.set(body.id, {
        kind,
        body,
        parent: parent ?? before?.parent ?? null,
        hidden: hidden ?? before?.hidden ?? null,
      });
    },
    emit(
      type: string,
      object: { id: string },
      { intent = null, previous }: { intent?: string | null; previous?: unknown } = {},
    ): void {
      const id = newId('evt');
      events.push({
        id,
        type,
        intent,
        body: {
          id,
          object: 'event',
          api_version: apiVersion,
          created: seconds(work.now),
          data: { object, ...(previous ? { previous_attributes: previous } : {}) },
          livemode: false,
          pending_webhooks: 1,
          request: { id: work.requestId, idempotency_key: work.key?.name ?? null },
          type,
        },
      });
    },
  };
}
