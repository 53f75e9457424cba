import type { Pool } from 'pg';
import { ago } from '@beltway/kit/kysely';
import { kysely, tables } from '../db.ts';
import { startPolling, type Poller } from '@beltway/kit/polling';
import { cancelPayment, settlePayment, type PaymentDeps } from '../payment/actions.ts';
import { claim, failed, finished, type Pacing, type Task } from './tasks.ts';

const KIND = 'check';
/** An intent that is still open after a day was abandoned and is canceled. The hold on its tickets ends long before. */
const ABANDONED_HOURS = 24;
/** Payments per poll; polls are at least a second apart. */
const BATCH = 5;
const SWEEP_MS = 3_600_000;

/**
 * Asks the provider about unsettled payments, because a webhook may be lost or a browser closed. Every payment must end
 * in tickets or a refund. The pauses between two checks of a payment grow from minutes to an hour.
 */
export async function reconcile(deps: PaymentDeps, afterMs: number, pacing: Pacing): Promise<number> {
  const due = tables
    .selectFrom('payments')
    .select(['id', 'createdAt as since'])
    .where('status', 'in', ['open', 'processing'])
    .where('createdAt', '<', ago(`${afterMs} ms`));
  const tasks = await claim(deps.pool, KIND, due, BATCH, pacing);
  for (const task of tasks) await check(deps, task);
  return tasks.length;
}

/** Deletes tasks for payments that were settled in another way. */
export const sweepChecks = (pool: Pool) =>
  kysely(pool)
    .deleteFrom('providerTasks as t')
    .using('payments as p')
    .where('t.kind', '=', KIND)
    .whereRef('p.id', '=', 't.paymentId')
    .where('p.status', 'not in', ['open', 'processing'])
    .execute();

async function check(deps: PaymentDeps, { id, paymentId, since }: Task): Promise<void> {
  const { pool, log } = deps;
  try {
    let { status } = await settlePayment(deps, paymentId);
    const abandoned = Date.now() - since.getTime() > ABANDONED_HOURS * 3_600_000;
    // Payments in processing are not canceled, because a bank debit takes days.
    if (abandoned && (status === 'open' || status === 'action')) ({ status } = await cancelPayment(deps, paymentId));
    if (status === 'succeeded' || status === 'canceled') {
      log.info({ id, paymentId, status }, 'the reconciler recorded the state of a payment');
      await finished(pool, KIND, id);
    }
  } catch (error) {
    log.warn({ err: error, id, paymentId }, 'a payment could not be checked; it is retried');
    await failed(pool, KIND, id, error).catch(() => undefined);
  }
}

export interface ReconcilerOptions {
  /** Age at which a payment is first checked. */
  afterMs?: number;
  pacing?: Pacing;
  everyMs?: number;
}

export function startReconciler(
  deps: PaymentDeps,
  { afterMs = 120_000, pacing = { pauseMs: 120_000, maxPauseMs: 3_600_000 }, everyMs = 1_000 }: ReconcilerOptions = {},
): Poller {
  let sweptAt = Date.now();
  return startPolling(deps.log, 'reconciler', everyMs, async () => {
    await reconcile(deps, afterMs, pacing);
    if (Date.now() - sweptAt > SWEEP_MS) {
      sweptAt = Date.now();
      await sweepChecks(deps.pool);
    }
    return false; // never continue immediately: the rate of calls is bounded
  });
}
