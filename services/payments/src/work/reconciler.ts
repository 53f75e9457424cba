import type { Pool } from 'pg';
import { ago } from '@beltway/kit/kysely';
import { kysely, tables } from '../db.ts';
import { startPolling, type Poller } from '@beltway/kit/polling';
import { cancelPayment, settlePayment, type PaymentDeps } from '../payment/actions.ts';
import { claim, failed, finished, type Pacing, type Task } from './tasks.ts';

const KIND = 'check';
/** A hold lives twenty minutes: an intent that is still open a day later was abandoned, and is closed. */
const ABANDONED_HOURS = 24;
/** Asked in one poll; a poll follows another after a second at the earliest. */
const BATCH = 5;
const SWEEP_MS = 3_600_000;

/**
 * Asks the provider about payments that stay unsettled: a webhook may be lost and a browser closed, and money must still end in
 * tickets or go back. Pauses grow from minutes to an hour.
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

/** Forgets payments that were settled in another way since. */
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
    // Not what is under way: a bank debit takes days.
    if (abandoned && (status === 'open' || status === 'action')) ({ status } = await cancelPayment(deps, paymentId));
    if (status === 'succeeded' || status === 'canceled') {
      log.info({ id, paymentId, status }, 'the reconciler learnt what became of a payment');
      await finished(pool, KIND, id);
    }
  } catch (error) {
    log.warn({ err: error, id, paymentId }, 'a payment could not be checked and is asked about later');
    await failed(pool, KIND, id, error).catch(() => undefined);
  }
}

export interface ReconcilerOptions {
  /** Age at which a payment is first asked about. */
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
    return false; // never at once again: the rate is bounded
  });
}
