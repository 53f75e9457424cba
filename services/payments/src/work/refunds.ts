import { sql } from 'kysely';
import type { Pool } from 'pg';
import { kysely } from '../db.ts';
import { startPolling, type Poller } from '@beltway/kit/polling';
import { record, recordDelay, type RecordDeps } from '../payment/record.ts';
import type { Provider } from '../provider/provider.ts';
import type { Refund } from '../provider/objects.ts';
import { requestIdOf } from '../provider/metadata.ts';
import { factId, updateFromRefund } from '../provider/updates.ts';
import { claim, failed, finished, keyNumber, logLevelOf, type Pacing, type Task } from './tasks.ts';

export interface RefundDeps extends RecordDeps {
  pool: Pool;
  provider: Provider;
}

const BATCH = 8;
const PART_KIND = 'part-refund';
/**
 * Partial refunds wait while the whole payment is being refunded, which includes them, or while staff decide about the
 * whole payment.
 */
const PARTS_DUE = sql<
  Pick<Task, 'id' | 'since'>
>`select request_id as id, coalesce(reversed_at, pr.requested_at) as since from part_refunds pr
  where pr.status = 'due' and not exists (select from refunds r where r.id = pr.payment_id and r.status in ('due', 'kept'))
    and (pr.reversals < 2 or pr.reversed_at <= now() - make_interval(hours => pr.reversals - 1))`;
/**
 * A bank that returned a refund may also return the next refund. After the first reversal, the refund is retried
 * immediately; after the second, an hour later; after the third, two hours later, and so on.
 */
const DUE = sql<Pick<Task, 'id' | 'since'>>`select id, coalesce(reversed_at, requested_at) as since from refunds
  where status = 'due' and (reversals < 2 or reversed_at <= now() - make_interval(hours => reversals - 1))`;
const KIND = 'refund';
/** After this many failed tries, about a quarter of an hour, staff are alerted. */
const DELAYED_AFTER = 10;

/**
 * Makes the refunds that are due. A row stays due until the provider reports the refund as done, so a crash loses
 * nothing.
 */
export async function refundDue(deps: RefundDeps, pacing: Pacing): Promise<boolean> {
  const tasks = await claim(deps.pool, KIND, DUE, BATCH, pacing);
  await Promise.all(tasks.map((task) => refundOne(deps, task)));
  const parts = await claim(deps.pool, PART_KIND, PARTS_DUE, BATCH, pacing);
  await Promise.all(parts.map((task) => refundPart(deps, task)));
  return tasks.length === BATCH || parts.length === BATCH;
}

/**
 * Refunds a requested part, at most the remaining amount. The idempotency keys contain the request id, so that the
 * refund is made once.
 */
async function refundPart(deps: RefundDeps, { id: requestId, attempts }: Task): Promise<void> {
  const { pool, provider, payments, log } = deps;
  let id: string | undefined;
  try {
    const part = await kysely(pool)
      .selectFrom('partRefunds')
      .select(['paymentId', 'cents', 'status'])
      .where('requestId', '=', requestId)
      .executeTakeFirst();
    if (part?.status !== 'due') return void (await finished(pool, PART_KIND, requestId));
    const ofPayment = (id = part.paymentId);
    const read = () =>
      payments.read(ofPayment, (state) => ({
        terms: state.terms,
        leftCents: (state.paid?.amountCents ?? 0) - state.returnedCents,
        failures: state.failedRefunds.size,
        isDone: state.parts.get(requestId)?.refundId != null,
      }));
    let { terms, leftCents, failures, isDone } = await read();
    if (!terms) throw new Error(`payment ${ofPayment} has a part to refund and no terms`);
    const recordAll = async (refunds: Refund[]) => {
      await recordRefunds(deps, ofPayment, refunds);
      ({ terms = terms, leftCents, failures, isDone } = await read());
    };
    // First records refunds that only the provider knows, because such a refund may have reduced the remaining amount.
    if (attempts > 1) {
      const refunds = await provider.refunds(terms.paymentId);
      await recordAll(refunds);
      // The refund of this part may take days or wait for the buyer. A second refund would return the part twice.
      if (refunds.some((refund) => requestIdOf(refund) === requestId && isUnderWay(refund))) return;
    }
    let waits = false;
    if (!isDone && leftCents > 0) {
      const key = `beltway-part-refund-${requestId}-${failures}-${keyNumber(attempts)}`;
      const made = await provider.refundPart(terms, { requestId, cents: Math.min(part.cents, leftCents) }, key);
      await recordAll(made);
      waits = made.some(isUnderWay);
    }
    if (isDone || leftCents <= 0) await finished(pool, PART_KIND, requestId);
    else if (!waits) throw new Error(REFUSED);
  } catch (error) {
    log[logLevelOf(attempts)](
      { err: error, requestId, attempts },
      'a part of a payment was not given back yet and is tried again',
    );
    await failedOnce(deps, PART_KIND, requestId, error, async (tries) => {
      if (id !== undefined) await delayed(deps, id, { requestId, tries });
    });
  }
}

const REFUSED = 'the bank refused the refund';

/** Whether a refund is in progress. Such a refund is fetched again after the pause. */
const isUnderWay = (refund: Refund): boolean => updateFromRefund(refund) === null;

/** Records the outcomes of these refunds of a payment, except those in progress. */
async function recordRefunds(deps: RefundDeps, id: string, refunds: Refund[]): Promise<void> {
  for (const update of refunds.map(updateFromRefund)) {
    if (!update) continue;
    const outcome = await record(deps, update, { commandId: factId(update), correlationId: id });
    if (outcome === 'not-ours') throw new Error('what the provider did does not fit the payment');
  }
}

/**
 * Counts a failed try and, after `DELAYED_AFTER` failed tries, alerts staff. If this function fails, the next try
 * counts and alerts.
 */
async function failedOnce(
  { pool, log }: RefundDeps,
  kind: string,
  id: string,
  error: unknown,
  tell: (tries: number) => Promise<void>,
): Promise<void> {
  try {
    const tries = await failed(pool, kind, id, error);
    if (tries >= DELAYED_AFTER) await tell(tries);
  } catch (err) {
    log.warn({ err, id }, 'a failed refund could not be recorded');
  }
}

async function delayed(deps: RefundDeps, id: string, delay: { requestId?: string; tries: number }): Promise<void> {
  const terms = await deps.payments.read(id, (state) => state.terms);
  if (terms) await recordDelay(deps, id, { paymentId: terms.paymentId, ...delay });
}

async function refundOne(deps: RefundDeps, { id, paymentId, attempts }: Task): Promise<void> {
  const { pool, provider, payments, log } = deps;
  try {
    const read = () =>
      payments.read(id, (state) => ({
        terms: state.terms,
        leftCents: ((state.paid ?? state.terms)?.amountCents ?? 0) - state.returnedCents,
        failures: state.failedRefunds.size,
        isTakenInPart: [...state.disputes.values()].some(({ outcome }) => outcome === 'lost'),
      }));
    const { terms, isTakenInPart, ...known } = await read();
    let { leftCents, failures } = known;
    if (!terms) throw new Error(`payment ${id} has a refund and no terms`);
    // The money that the bank took cannot be refunded, so a refund of "all that is left" would be too much. We request
    // an explicit amount. The provider would refund that amount again under another idempotency key, so unrecorded
    // refunds are read first.
    if (isTakenInPart && leftCents > 0 && attempts > 1) {
      const made = await provider.refunds(terms.paymentId);
      await recordRefunds(deps, id, made);
      ({ leftCents, failures } = await read());
      if (made.some(isUnderWay)) return;
    }
    if (leftCents <= 0) return void (await finished(pool, KIND, id));
    // Without an amount, the provider refunds all that is left. Calls with different idempotency keys then never refund
    // twice.
    const key = `beltway-refund-${id}-${failures}-${keyNumber(attempts)}`;
    const refunds = await provider.refund(terms, leftCents, key, isTakenInPart ? { amount: leftCents } : {});
    await recordRefunds(deps, id, refunds);
    const isDone = await payments.read(id, ({ paid, returnedCents }) => paid && returnedCents >= paid.amountCents);
    if (isDone) await finished(pool, KIND, id);
    else if (!refunds.some(isUnderWay)) throw new Error(REFUSED);
  } catch (error) {
    log[logLevelOf(attempts)]({ err: error, id, paymentId, attempts }, 'a refund was not done yet and is tried again');
    await failedOnce(deps, KIND, id, error, (tries) => delayed(deps, id, { tries }));
  }
}

export const startRefunds = (
  deps: RefundDeps,
  pacing: Pacing = { pauseMs: 2_000, maxPauseMs: 600_000 },
  everyMs = 1_000,
): Poller => startPolling(deps.log, 'refunds', everyMs, () => refundDue(deps, pacing));
