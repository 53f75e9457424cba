import type { Pool, PoolClient } from 'pg';
import type { Logger } from '@beltway/kit/logger';
import { transaction } from '@beltway/kit/postgres';
import { StripeError } from './errors.ts';
import { answered, load, REPLAN, WRITE, type Changes, type Known, type Row } from './ledger-rows.ts';
import { dueIn, Settings } from './settings.ts';
import { draft, type Tx } from './tx.ts';

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

const otherParameters = (key: string): StripeError =>
  new StripeError(400, {
    type: 'idempotency_error',
    message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
  });

function replay(before: Known, work: Work): Answer | StripeError {
  if (before.fingerprint !== work.key?.fingerprint) return otherParameters(before.key);
  return { status: before.status, body: before.body, replayed: true };
}
