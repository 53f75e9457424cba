import type { Pool } from 'pg';
import { sql, type Expression } from 'kysely';
import { kysely } from '../db.ts';

export interface Task {
  id: string;
  /** Empty when no payment was recorded. */
  paymentId: string;
  attempts: number;
  /** When the cause of the task occurred. */
  since: Date;
}

/** Selects due tasks. */
export type Due = Expression<Pick<Task, 'id' | 'since'>>;

export interface Pacing {
  /** Pause after the first attempt. The pause doubles with each further attempt. */
  pauseMs: number;
  maxPauseMs: number;
}

/**
 * Claims due tasks for this instance. The claim also writes when the task may be tried next, so a crashed worker blocks
 * nothing and pauses grow without another write.
 */
export async function claim(
  pool: Pool,
  kind: string,
  due: Due,
  limit: number,
  { pauseMs, maxPauseMs }: Pacing,
): Promise<Task[]> {
  const { rows } = await sql<Task>`with due as (${due}), open as (
      select due.id, due.since from due left join provider_tasks t on t.kind = ${kind} and t.payment_id = due.id
      where coalesce(t.next_at, now()) <= now() order by coalesce(t.next_at, due.since) limit ${limit}
    ), claimed as (
      insert into provider_tasks as t (kind, payment_id, attempts, next_at)
      select ${kind}, id, 1, now() + make_interval(secs => ${pauseMs} / 1000.0) from open order by id
      on conflict (kind, payment_id) do update set attempts = t.attempts + 1,
        next_at = now() + make_interval(secs => least(${pauseMs} * power(2, least(t.attempts, 30)), ${maxPauseMs}) / 1000.0)
        where t.next_at <= now()
      returning payment_id, attempts
    )
    select open.id, coalesce(p.stripe_payment_intent_id, '') as "paymentId", c.attempts, open.since
    from claimed c join open on open.id = c.payment_id left join payments p on p.id = c.payment_id`.execute(
    kysely(pool),
  );
  return rows;
}

export const finished = (pool: Pool, kind: string, id: string) =>
  kysely(pool).deleteFrom('providerTasks').where('kind', '=', kind).where('paymentId', '=', id).execute();

/** The provider repeats its first response to a key, even a fault, so every few tries use a new key. */
const TRIES_PER_KEY = 4;

/** Suffix of the idempotency key for this try. */
export const keyNumber = (attempts: number): number => Math.floor((attempts - 1) / TRIES_PER_KEY);

/** A failure is logged as an error after a few tries, because a buyer waits for money and staff must act. */
export const logLevelOf = (attempts: number): 'warn' | 'error' => (attempts >= 5 ? 'error' : 'warn');

/** Deletes tasks of this kind that `due` no longer selects: they were settled in another way. */
export const sweepTasks = (pool: Pool, kind: string, due: Due) =>
  kysely(pool)
    .deleteFrom('providerTasks as t')
    .where('t.kind', '=', kind)
    .where(sql<boolean>`not exists (select from (${due}) due where due.id = t.payment_id)`)
    .execute();

/**
 * Records why a try failed, and returns the number of failures. A try that only found the work in progress is not a
 * failure.
 */
export async function failed(pool: Pool, kind: string, id: string, error: unknown): Promise<number> {
  const row = await kysely(pool)
    .updateTable('providerTasks')
    .set((eb) => ({
      lastError: error instanceof Error ? error.message.slice(0, 500) : String(error),
      failures: eb('failures', '+', 1),
    }))
    .where('kind', '=', kind)
    .where('paymentId', '=', id)
    .returning('failures')
    .executeTakeFirst();
  return row?.failures ?? 0;
}
