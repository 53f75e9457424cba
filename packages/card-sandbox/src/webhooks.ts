import type { Pool } from 'pg';
import type { Logger } from '@beltway/kit/logger';
import { setTimeout as pause } from 'node:timers/promises';
import type { Ledger, Planned } from './ledger.ts';
import { sender } from './send.ts';
import { nextPause } from './settings.ts';

export interface WebhookOptions {
  pool: Pool;
  ledger: Ledger;
  log: Logger;
  url: string;
  secret: string;
  /** Maximum number of concurrent deliveries. Default 16. */
  parallel?: number;
}

interface Due {
  id: string;
  attempts: number;
  age: number;
  /** The event's exact text, to be signed and sent. */
  body: string;
}
interface Result {
  id: string;
  ok: boolean;
  pause: number | null;
  entry: { at: string; status: number | null; error: string | null; ms: number };
}

const BATCH = 200;
const LONGEST_SLEEP_MS = 30_000;
const KEPT_ATTEMPTS = 20;
/**
 * How often results are written, in ms, in batches off the critical path. If the process crashes before the write, the
 * events are sent again.
 */
const RESULTS_MS = 100;

/**
 * Sends due events and retries them with growing pauses until the endpoint answers 2xx. The queue is a table. After a
 * crash a delivery may be repeated, as with Stripe. Events that the ledger has just committed are sent without reading
 * the table. The table provides older events, events that fall due later, and overflow. Results are written in batches.
 */
export function webhooks({ pool, ledger, log, url, secret, parallel = 16 }: WebhookOptions) {
  const { send, close } = sender(url, secret, parallel);
  const underWay = new Set<string>();
  let ready: Due[] = [];
  const results: Result[] = [];
  let timer: NodeJS.Timeout | undefined;
  let running = false;
  let fetching = false;
  let again = false;
  /** The table may contain more due deliveries. */
  let more = false;
  let saving: Promise<void> | undefined;

  /** Loads the next due deliveries; if there are none, sleeps until one falls due. */
  async function fetchDue(): Promise<void> {
    if (fetching) return void (again = true);
    fetching = true;
    try {
      do {
        again = false;
        if (!running || ready.length > 0) break;
        const { rows } = await pool.query<Due>({
          name: 'sandbox-due',
          text: `select d.id, d.attempts, extract(epoch from clock_timestamp() - d.created)::float8 as age, e.body::text as body
            from (select * from deliveries where state = 'pending' and due <= clock_timestamp() and id <> all ($1::bigint[]) order by due, id limit ${BATCH}) d
            join events e on e.id = d.event_id order by d.due, d.id`,
          values: [[...underWay]],
        });
        more = rows.length > 0;
        // During the query, the ledger may have handed over some of these deliveries.
        accept(rows.filter(({ id }) => !underWay.has(id)));
        if (!more && !again) await sleep();
      } while (again);
    } catch (error) {
      log.warn({ err: error }, 'the webhook queue could not be read');
      plan(500);
    } finally {
      fetching = false;
    }
  }

  /** Accepts deliveries that the ledger has just committed. */
  function take(planned: Planned[]): void {
    const now = planned.filter((one) => one.now && !underWay.has(one.id));
    const fits = running && ready.length < BATCH;
    if (fits) accept(now.map(({ id, text }) => ({ id, attempts: 0, age: 0, body: text })));
    else more = true;
    if (!planned.every((one) => one.now)) void fetchDue();
  }

  function accept(due: Due[]): void {
    for (const { id } of due) underWay.add(id);
    ready.push(...due);
    pump();
  }

  async function sleep(): Promise<void> {
    const { rows } = await pool.query<{ wait: number | null }>({
      name: 'sandbox-next-due',
      text: `select extract(epoch from min(due) - clock_timestamp())::float8 * 1000 as wait from deliveries
        where state = 'pending' and due < 'infinity' and id <> all ($1::bigint[])`,
      values: [[...underWay]],
    });
    plan(Math.min(Math.max(rows[0]?.wait ?? LONGEST_SLEEP_MS, 5), LONGEST_SLEEP_MS));
  }

  function plan(ms: number): void {
    clearTimeout(timer);
    if (running) timer = setTimeout(() => void fetchDue(), ms);
  }

  let sending = 0;
  function pump(): void {
    while (running && sending < parallel) {
      const next = ready.shift();
      if (!next) return more ? void fetchDue() : undefined;
      sending += 1;
      void deliver(next).then((result) => {
        sending -= 1;
        results.push(result);
        void save();
        pump();
      });
    }
  }

  async function deliver({ id, attempts, age, body }: Due): Promise<Result> {
    const started = performance.now();
    const at = new Date();
    const outcome = await send(body);
    const ok = outcome.status !== null && outcome.status >= 200 && outcome.status < 300;
    return {
      id,
      ok,
      pause: ok ? null : nextPause(attempts + 1, age),
      entry: {
        at: at.toISOString(),
        status: outcome.status,
        error: outcome.error,
        ms: Math.round(performance.now() - started),
      },
    };
  }

  /** Writes all results that arrived during the last write in one statement. */
  function save(): Promise<void> {
    return (saving ??= (async () => {
      while (results.length > 0) {
        await pause(RESULTS_MS);
        const batch = results.splice(0);
        try {
          await pool.query({
            name: 'sandbox-results',
            text: SAVE,
            values: [
              batch.map((result) => result.id),
              batch.map((result) => (result.ok ? 'delivered' : result.pause === null ? 'failed' : 'pending')),
              batch.map((result) => result.pause ?? 0),
              batch.map((result) => JSON.stringify([result.entry])),
              ledger.settings().webhooks.mode === 'lost',
            ],
          });
        } catch (error) {
          // The deliveries stay due and are sent again.
          log.warn({ err: error, size: batch.length }, 'results of deliveries could not be written');
          await pause(200);
        }
        for (const result of batch) underWay.delete(result.id);
        if (batch.some((result) => !result.ok)) void fetchDue();
      }
    })().finally(() => {
      saving = undefined;
      if (results.length > 0) void save();
    }));
  }

  return {
    start(): void {
      running = true;
      ledger.listen({ planned: take, replanned: () => void fetchDue() });
      void fetchDue();
    },
    /** Must be called after a person changed the queue. */
    wake: () => void fetchDue(),
    /** Stops sending, waits for deliveries in progress and writes their results. */
    async stop(): Promise<void> {
      running = false;
      clearTimeout(timer);
      ready = [];
      while (sending > 0) await new Promise((resolve) => setTimeout(resolve, 10));
      while (saving || results.length > 0) await save();
      close();
    },
  };
}
export type Webhooks = ReturnType<typeof webhooks>;

const SAVE = `
update deliveries d set
  state = case when r.state = 'pending' and d.state = 'delivered' then d.state else r.state end,
  attempts = d.attempts + 1,
  due = case when r.state = 'pending' and $5 then 'infinity'::timestamptz else clock_timestamp() + make_interval(secs => r.pause) end,
  log = (case when jsonb_array_length(d.log) >= ${KEPT_ATTEMPTS} then d.log - 0 else d.log end) || r.entry
from unnest($1::bigint[], $2::text[], $3::float8[], $4::jsonb[]) as r (id, state, pause, entry) where d.id = r.id`;
