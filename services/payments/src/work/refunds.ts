import type { Pool } from 'pg';
import { startPolling, type Poller } from '@beltway/kit/polling';
import { record, type RecordDeps } from '../payment/record.ts';
import type { Provider } from '../provider/provider.ts';
import { factId, updateFromRefund } from '../provider/updates.ts';
import { claim, failed, finished, type Pacing, type Task } from './tasks.ts';

export interface RefundDeps extends RecordDeps {
  pool: Pool;
  provider: Provider;
}

const BATCH = 8;
/** A bank that sends refunds back will do so again: the first is answered at once, each further one an hour later than the one before. */
const DUE = `select id, coalesce(reversed_at, requested_at) as since from refunds
  where status = 'due' and (reversals < 2 or reversed_at <= now() - make_interval(hours => reversals - 1))`;
const KIND = 'refund';
/** The provider answers a key as it answered first, also a fault: every few tries a new one. All that is left goes back, so never twice. */
const TRIES_PER_KEY = 4;

/** Gives back what is due: a row that stays due until the provider says it is done, however often we die in between. */
export async function refundDue(deps: RefundDeps, pacing: Pacing): Promise<boolean> {
  const tasks = await claim(deps.pool, KIND, DUE, BATCH, pacing);
  await Promise.all(tasks.map((task) => refundOne(deps, task)));
  return tasks.length === BATCH;
}

async function refundOne(deps: RefundDeps, { id, paymentId, attempts }: Task): Promise<void> {
  const { pool, provider, payments, log } = deps;
  try {
    const { terms, leftCents, failures } = await payments.read(id, (state) => ({
      terms: state.terms,
      leftCents: ((state.paid ?? state.terms)?.amountCents ?? 0) - state.returnedCents,
      failures: state.failedRefunds.size,
    }));
    if (!terms) throw new Error(`payment ${id} has a refund and no terms`);
    if (leftCents <= 0) return void (await finished(pool, KIND, id));
    const key = `beltway-refund-${id}-${failures}-${Math.floor((attempts - 1) / TRIES_PER_KEY)}`;
    const refunds = await provider.refund(terms, leftCents, key);
    for (const update of refunds.map(updateFromRefund)) {
      if (!update) continue; // under way; asked again after the pause
      const outcome = await record(deps, update, { commandId: factId(update), correlationId: id });
      if (outcome === 'not-ours') throw new Error('what the provider did does not fit the payment');
    }
    const isDone = await payments.read(id, ({ paid, returnedCents }) => paid && returnedCents >= paid.amountCents);
    if (isDone) await finished(pool, KIND, id);
  } catch (error) {
    // Somebody waits for money: after a while this is for people.
    log[attempts >= 5 ? 'error' : 'warn'](
      { err: error, id, paymentId, attempts },
      'a refund was not done yet and is tried again',
    );
    await failed(pool, KIND, id, error).catch(() => undefined);
  }
}

export const startRefunds = (
  deps: RefundDeps,
  pacing: Pacing = { pauseMs: 2_000, maxPauseMs: 600_000 },
  everyMs = 1_000,
): Poller => startPolling(deps.log, 'refunds', everyMs, () => refundDue(deps, pacing));
