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
/** Not while the whole is being given back, with which they go too, nor where people decide about the whole. */
const PARTS_DUE = sql<
  Pick<Task, 'id' | 'since'>
>`select request_id as id, coalesce(reversed_at, pr.requested_at) as since from part_refunds pr
  where pr.status = 'due' and not exists (select from refunds r where r.id = pr.payment_id and r.status in ('due', 'kept'))
    and (pr.reversals < 2 or pr.reversed_at <= now() - make_interval(hours => pr.reversals - 1))`;
/** A bank that sends refunds back will do so again: the first is answered at once, each further one an hour later than the one before. */
const DUE = sql<Pick<Task, 'id' | 'since'>>`select id, coalesce(reversed_at, requested_at) as since from refunds
  where status = 'due' and (reversals < 2 or reversed_at <= now() - make_interval(hours => reversals - 1))`;
const KIND = 'refund';
/** After so many tries that failed, a quarter of an hour or so, people must look. */
const DELAYED_AFTER = 10;

/** Gives back what is due: a row that stays due until the provider says it is done, however often we die in between. */
export async function refundDue(deps: RefundDeps, pacing: Pacing): Promise<boolean> {
  const tasks = await claim(deps.pool, KIND, DUE, BATCH, pacing);
  await Promise.all(tasks.map((task) => refundOne(deps, task)));
  const parts = await claim(deps.pool, PART_KIND, PARTS_DUE, BATCH, pacing);
  await Promise.all(parts.map((task) => refundPart(deps, task)));
  return tasks.length === BATCH || parts.length === BATCH;
}

/** Gives back a part that was asked for, of what is left; under keys of its own, so that it goes back once. */
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
    // What the provider did, and we did not hear of, comes first: another refund may have left less.
    if (attempts > 1) {
      const refunds = await provider.refunds(terms.paymentId);
      await recordAll(refunds);
      // This part's own refund may be under way for days, or wait for the buyer: another one would be the money again.
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

/** Asked for again after the pause. */
const isUnderWay = (refund: Refund): boolean => updateFromRefund(refund) === null;

/** Records what became of these refunds of a payment, but for those that are under way. */
async function recordRefunds(deps: RefundDeps, id: string, refunds: Refund[]): Promise<void> {
  for (const update of refunds.map(updateFromRefund)) {
    if (!update) continue;
    const outcome = await record(deps, update, { commandId: factId(update), correlationId: id });
    if (outcome === 'not-ours') throw new Error('what the provider did does not fit the payment');
  }
}

/** Counts a failed try, and tells of one that was not the first few. What fails here is done after the next try. */
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
    log.warn({ err, id }, 'a failed refund was not noted');
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
    // What a bank took is not refunded, so the provider's "all that is left" is more than is left: the amount is ours to name, and an amount
    // goes back once for each key. What was refunded and never recorded is read first.
    if (isTakenInPart && leftCents > 0 && attempts > 1) {
      const made = await provider.refunds(terms.paymentId);
      await recordRefunds(deps, id, made);
      ({ leftCents, failures } = await read());
      if (made.some(isUnderWay)) return;
    }
    if (leftCents <= 0) return void (await finished(pool, KIND, id));
    // All that is left goes back: under however many keys, never twice.
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
