import type { Pool } from 'pg';
import type { Logger } from '@beltway/kit/logger';
import { transaction } from '@beltway/kit/postgres';
import { decide, otherParameters, type Answer, type Work } from './decide.ts';
import { StripeError } from './errors.ts';
import {
  answered,
  isStale,
  load,
  REPLAN,
  write,
  type Changes,
  type Known,
  type Owed,
  type Row,
} from './ledger-rows.ts';
import { dueIn, Settings } from './settings.ts';

export interface LedgerOptions {
  pool: Pool;
  log: Logger;
  apiVersion: string;
  wants: (eventType: string) => boolean;
}

/** A delivery that was just committed. */
export interface Planned extends Owed {
  /** The event's JSON text. */
  text: string;
}

export interface Listener {
  /** Called after every commit that planned deliveries. */
  planned(deliveries: Planned[]): void;
  /** Called when the due times of existing deliveries may have changed. */
  replanned(): void;
}

const GROUP = 200;

/**
 * The only component that writes. Decides concurrent calls in sequence and writes their changes in one statement:
 * documents, events, deliveries and idempotency keys commit atomically. A single call has no batching delay.
 *
 * A group is first decided with cached documents, on the assumption that its idempotency keys are new. If a document or
 * a key is outdated, the write fails, and the group is decided again with fresh rows.
 */
export function ledger({ pool, log, apiVersion, wants }: LedgerOptions) {
  const queue: Array<{ work: Work; resolve: (answer: Answer) => void; reject: (error: unknown) => void }> = [];
  const underWay = new Map<string, string>();
  let settings: Settings = Settings.parse({});
  let working = false;
  /** Serializes groups and settings changes, so that no event is planned with outdated settings. */
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = turn.then(work, work);
    turn = mine.catch(() => undefined);
    return mine;
  };
  let listener: Listener = { planned: () => undefined, replanned: () => undefined };
  const memory = openMemory();

  /** Documents from the cache or the database. */
  async function look(ids: string[]): Promise<Map<string, Row>> {
    const remembered = memory.of(ids);
    const read = await load(
      pool,
      ids.filter((id) => !remembered.has(id)),
    );
    return new Map([...remembered, ...read]);
  }

  async function commit(group: Work[], careful: boolean): Promise<Array<Answer | StripeError>> {
    if (careful) memory.clear();
    const [documents, known] = await Promise.all([
      look([...new Set(group.flatMap((work) => work.touches))]),
      careful
        ? answered(
            pool,
            group.flatMap(({ key }) => (key ? [key.name] : [])),
          )
        : new Map<string, Known>(),
    ]);
    const changes: Changes = { dirty: new Set(), events: [], keys: [] };
    const results: Array<Answer | StripeError> = [];
    for (const work of group) results.push(await decide(work, { documents, known, changes, look, apiVersion }));
    await keep(documents, changes);
    return results;
  }

  async function keep(documents: Map<string, Row>, { dirty, events, keys }: Changes): Promise<void> {
    if (dirty.size === 0 && events.length === 0 && keys.length === 0) return;
    const rows = [...dirty].map((id) => documents.get(id) as Row);
    const wanted = events.flatMap(({ id, type }) =>
      wants(type) ? dueIn(settings.webhooks).map((due) => ({ id, due })) : [],
    );
    const owed = await write(pool, rows, { events, keys }, wanted);
    memory.keep(rows);
    const texts = new Map(events.map(({ id, text }) => [id, text]));
    if (owed.length > 0) listener.planned(owed.map((one) => ({ ...one, text: texts.get(one.eventId) as string })));
  }

  async function drain(): Promise<void> {
    while (queue.length > 0) {
      const group = queue.splice(0, GROUP);
      if (await together(group, false)) continue;
      if (await together(group, true)) continue;
      for (const waiting of group) {
        await inTurn(() => commit([waiting.work], true)).then(
          ([result]) => settle(waiting, result),
          (failure: unknown) => waiting.reject(failure),
        );
      }
    }
    working = false;
  }

  /** Returns false if the group failed. Then none of the group's calls has an answer yet. */
  async function together(group: typeof queue, careful: boolean): Promise<boolean> {
    try {
      const works = group.map(({ work }) => work);
      const results = await inTurn(() => commit(works, careful));
      group.forEach((waiting, index) => settle(waiting, results[index]));
      return true;
    } catch (error) {
      if (careful || !isStale(error)) log.warn({ err: error, size: group.length, careful }, 'a group failed');
      return false;
    }
  }

  function settle(waiting: (typeof queue)[number], result: Answer | StripeError | undefined): void {
    if (result === undefined || result instanceof StripeError) waiting.reject(result ?? new Error('no result'));
    else waiting.resolve(result);
  }

  return {
    settings: () => settings,
    listen: (given: Listener) => void (listener = given),

    async start(): Promise<void> {
      const { rows } = await pool.query<{ body: unknown }>('select body from settings');
      settings = Settings.parse(rows[0]?.body ?? {});
    },

    /**
     * Once the promise resolves, the new settings apply to new events. New webhook settings also reschedule pending
     * deliveries.
     */
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
      listener.replanned();
    },

    /** Queues one call and resolves when it is durable. Throws StripeError where Stripe would return an error. */
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
          // Waits for the next tick, so that all calls read from the network in this tick join the same group.
          setImmediate(() => void drain());
        });
      } finally {
        if (key) underWay.delete(key.name);
      }
    },
  };
}
export type Ledger = ReturnType<typeof ledger>;

/**
 * A cache of the most recently written documents, because intents and charges usually change soon after their creation.
 */
function openMemory(max = 5_000) {
  const rows = new Map<string, Row>();
  return {
    of: (ids: string[]): Map<string, Row> =>
      new Map(ids.flatMap((id) => (rows.has(id) ? [[id, rows.get(id) as Row]] : []))),
    keep(written: Row[]): void {
      for (const row of written) {
        // Reinserts the row at the end, because the least recently changed rows are evicted first.
        rows.delete(row.body.id);
        rows.set(row.body.id, { ...row, version: row.version + 1 });
      }
      for (const id of rows.keys()) {
        if (rows.size <= max) return;
        rows.delete(id);
      }
    },
    clear: (): void => rows.clear(),
  };
}
