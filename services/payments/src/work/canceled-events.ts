import { sql } from 'kysely';
import type { Pool } from 'pg';
import type { Queryable } from '@beltway/kit/postgres';
import { kysely } from '../db.ts';
import { cancelPayment, type PaymentDeps } from '../payment/actions.ts';
import { startPolling, type Poller } from '@beltway/kit/polling';
import { claim, failed, finished, sweepTasks, type Pacing, type Task } from './tasks.ts';

const KIND = 'cancel';
/**
 * Calls per poll. Polls are half a second apart, so this worker makes at most 40 calls a second. Stripe accepts 100
 * calls a second for the whole account.
 */
const BATCH = 20;
const SWEEP_MS = 3_600_000;

/**
 * Open payments of events canceled in the last two days. After two days, the reconciler has closed all other payments.
 * Includes payments requested after the cancellation.
 */
const DUE = sql<
  Pick<Task, 'id' | 'since'>
>`select p.id, c.canceled_at as since from payments p join canceled_events c using (event_id)
  where p.status in ('open', 'processing') and c.canceled_at > now() - interval '2 days'`;

/** Runs in the transaction that handles the message. */
export const eventIsCanceled = (db: Queryable, eventId: number) =>
  kysely(db)
    .insertInto('canceledEvents')
    .values({ eventId, canceledAt: sql`now()` })
    .onConflict((conflict) => conflict.doNothing())
    .execute();

/**
 * Cancels the open intents of canceled events, so that buyers do not pay for them. An intent that turns out to be paid
 * is recorded and handled like any late payment.
 */
export async function cancelOpenIntents(deps: PaymentDeps, pacing: Pacing): Promise<number> {
  const { pool, log } = deps;
  const tasks = await claim(pool, KIND, DUE, BATCH, pacing);
  await Promise.all(
    tasks.map(async ({ id, paymentId }) => {
      try {
        const { status } = await cancelPayment(deps, paymentId);
        if (status !== 'open' && status !== 'action' && status !== 'processing') await finished(pool, KIND, id);
      } catch (error) {
        log.warn({ err: error, id, paymentId }, 'an intent of a canceled event could not be canceled yet');
        await failed(pool, KIND, id, error).catch(() => undefined);
      }
    }),
  );
  return tasks.length;
}

/** Deletes tasks for intents that a webhook or the reconciler settled in the meantime. */
export const sweepCancels = (pool: Pool) => sweepTasks(pool, KIND, DUE);

export function startCanceling(
  deps: PaymentDeps,
  pacing: Pacing = { pauseMs: 2_000, maxPauseMs: 600_000 },
  everyMs = 500,
): Poller {
  let sweptAt = Date.now();
  return startPolling(deps.log, 'canceled events', everyMs, async () => {
    await cancelOpenIntents(deps, pacing);
    if (Date.now() - sweptAt > SWEEP_MS) {
      sweptAt = Date.now();
      await sweepCancels(deps.pool);
    }
    return false; // never continue immediately: the rate of calls is bounded
  });
}
