import { createHmac } from 'node:crypto';
import { Agent, request } from 'node:http';
import type { Pool } from 'pg';
import type { Logger } from '@beltway/kit/logger';
import type { Ledger } from './ledger.ts';
import { nextPause } from './settings.ts';

export interface WebhookOptions {
  pool: Pool;
  ledger: Ledger;
  log: Logger;
  url: string;
  secret: string;
  /** How many deliveries are under way at once. Default 16. */
  parallel?: number;
}

interface Due {
  id: string;
  attempts: number;
  age: number;
  /** The event's text exactly as it will be signed and sent. */
  body: string;
}
interface Result {
  id: string;
  ok: boolean;
  pause: number | null;
  entry: { at: string; status: number | null; error: string | null; ms: number };
}

const BATCH = 200;
const TIMEOUT_MS = 10_000;
const LONGEST_SLEEP_MS = 30_000;
const KEPT_ATTEMPTS = 20;

/** `t=…,v1=…` over `t.body` (docs.stripe.com/webhooks#verify-manually). `at` in seconds. */
export function signature(body: string, secret: string, at: number): string {
  return `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`;
}

/**
 * Sends what is due, and again with growing pauses until it is answered with 2xx. The queue is a table: what a crash interrupts
 * is sent once more (so the receiver may see an event twice, as with Stripe). Results are written in batches.
 */
export function webhooks({ pool, ledger, log, url, secret, parallel = 16 }: WebhookOptions) {
  const agent = new Agent({ keepAlive: true, maxSockets: parallel, maxFreeSockets: parallel });
  const target = new URL(url);
  const underWay = new Set<string>();
  let ready: Due[] = [];
  const results: Result[] = [];
  let timer: NodeJS.Timeout | undefined;
  let running = false;
  let fetching = false;
  let again = false;
  let saving: Promise<void> | undefined;

  /** Takes the next due deliveries; sleeps until the next one falls due when there are none. */
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
        for (const row of rows) underWay.add(row.id);
        ready.push(...rows);
        if (rows.length > 0) pump();
        else if (!again) await sleep();
      } while (again);
    } catch (error) {
      log.warn({ err: error }, 'the webhook queue could not be read');
      plan(500);
    } finally {
      fetching = false;
    }
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
      if (!next) return void fetchDue();
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
    const outcome = await post(body).catch((error: Error) => ({ status: null, error: error.message }));
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

  function post(body: string): Promise<{ status: number | null; error: string | null }> {
    return new Promise((resolve, reject) => {
      const req = request(
        target,
        {
          method: 'POST',
          agent,
          timeout: TIMEOUT_MS,
          headers: {
            'content-type': 'application/json; charset=utf-8',
            'content-length': Buffer.byteLength(body),
            'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
            'stripe-signature': signature(body, secret, Math.floor(Date.now() / 1000)),
          },
        },
        (res) => {
          res.resume();
          res.on('end', () => resolve({ status: res.statusCode ?? null, error: null }));
          res.on('error', reject);
        },
      );
      req.on('timeout', () => req.destroy(new Error(`no answer in ${TIMEOUT_MS / 1000} s`)));
      req.on('error', reject);
      req.end(body);
    });
  }

  /** One write for all results that came in while the last one was written. */
  function save(): Promise<void> {
    return (saving ??= (async () => {
      while (results.length > 0) {
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
          // They stay due, and will be sent again.
          log.warn({ err: error, size: batch.length }, 'results of deliveries could not be written');
          await new Promise((resolve) => setTimeout(resolve, 200));
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
      ledger.onEvents(() => void fetchDue());
      void fetchDue();
    },
    /** Something in the queue was changed by hand. */
    wake: () => void fetchDue(),
    /** Sends no more, waits for what is under way, writes its results. */
    async stop(): Promise<void> {
      running = false;
      clearTimeout(timer);
      ready = [];
      while (sending > 0) await new Promise((resolve) => setTimeout(resolve, 10));
      while (saving || results.length > 0) await save();
      agent.destroy();
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
