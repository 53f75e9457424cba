import { sql } from 'kysely';
import type { Pool } from 'pg';
import type { Queryable } from '@beltway/kit/postgres';
import { kysely } from '../db.ts';
import { cancelPayment, type PaymentDeps } from '../payment/actions.ts';
import { startPolling, type Poller } from '@beltway/kit/polling';
import { claim, failed, finished, sweepTasks, type Pacing, type Task } from './tasks.ts';

const KIND = 'cancel';
/** In one poll; with half a second between polls at most 40 calls a second, of the hundred that Stripe takes from all of us. */
const BATCH = 20;
const SWEEP_MS = 3_600_000;

/** After two days the reconciler has closed what is left. Payments asked for after the cancellation are found too. */
const DUE = sql<
  Pick<Task, 'id' | 'since'>
>`select p.id, c.canceled_at as since from payments p join canceled_events c using (event_id)
  where p.status in ('open', 'processing') and c.canceled_at > now() - interval '2 days'`;

/** In the transaction of the message that says so. */
export const eventIsCanceled = (db: Queryable, eventId: number) =>
  kysely(db)
    .insertInto('canceledEvents')
    .values({ eventId, canceledAt: sql`now()` })
    .onConflict((conflict) => conflict.doNothing())
    .execute();

/**
 * Cancels the open intents of canceled events, so that nobody pays for what will not be. What turns out to be paid is recorded, and goes
 * the way of every payment that comes too late.
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

/** Forgets about intents that a webhook or the reconciler settled since. */
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
    return false; // never at once again: the rate is bounded
  });
}
