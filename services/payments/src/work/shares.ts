import { sql } from 'kysely';
import type { Pool } from 'pg';
import type { Logger } from '@beltway/kit/logger';
import { startPolling, type Poller } from '@beltway/kit/polling';
import { feeDueCents, isDisputed, moveId, owedCents } from '../payment/decider.ts';
import type { MoveCommand, PaymentTerms } from '../payment/events.ts';
import type { Payments } from '../payment/stream.ts';
import { readyAccountOf } from '../payout/queries.ts';
import type { ConnectProvider } from '../provider/connect.ts';
import { recordShareDelay } from '../payment/record.ts';
import { claim, failed, finished, keyNumber, logLevelOf, type Pacing, type Task } from './tasks.ts';

export interface ShareDeps {
  pool: Pool;
  log: Logger;
  payments: Payments;
  provider: ConnectProvider;
}

const KIND = 'share';
const BATCH = 8;
/**
 * One try returns the fee, reverses and transfers. If more steps are needed, there was a concurrent change, and the
 * next try handles it.
 */
const MAX_STEPS = 4;
/** After this many failed tries, about ten minutes, staff are alerted. */
const DELAYED_AFTER = 6;

/**
 * Payments with a due share whose organizer has an account. A transfer is due if the payment is fulfilled and not about
 * to be refunded. A reversal is due, whatever the payment's state, if the buyer was refunded and the organizer's
 * account has too much. If nothing is owed but a task exists, the worker may have been killed before recording a move,
 * so the provider is asked once more.
 */
const DUE = sql<
  Pick<Task, 'id' | 'since'>
>`select p.id, p.succeeded_at as since from payments p join payout_accounts o on o.user_id = p.organizer_id
  where (p.owed_cents = 0 and p.id in (select t.payment_id from provider_tasks t where t.kind = ${KIND}))
   or p.owed_cents <> 0 and (p.owed_cents < 0 or (
    o.state = 'ready' and p.status = 'succeeded' and p.fulfilled_at is not null
    and not exists (select from refunds r where r.id = p.id)
    and not exists (select from part_refunds r where r.payment_id = p.id and r.status = 'due')
    and not exists (select from alerts a where a.payment_id = p.id and a.kind = 'dispute-opened' and a.resolved_at is null)))`;

/** Transfers owed shares to organizers' accounts and takes excess shares back. Returns true if there may be more. */
export async function settleShares(deps: ShareDeps, pacing: Pacing): Promise<boolean> {
  const tasks = await claim(deps.pool, KIND, DUE, BATCH, pacing);
  await Promise.all(tasks.map((task) => settleShare(deps, task)));
  return tasks.length === BATCH;
}

/**
 * Moves follow from the log alone. The idempotency key of each call contains the number of recorded moves, so two
 * instances with the same state make the same call. An instance with outdated state would call with another amount for
 * the same key, which the provider refuses. Before any retry, unrecorded moves are read from the provider.
 */
async function settleShare(deps: ShareDeps, { id, paymentId, attempts }: Task): Promise<void> {
  const { pool, provider, payments, log } = deps;
  const read = () =>
    payments.read(id, (state) => ({
      terms: state.terms,
      organizerId: state.paid?.organizerId ?? null,
      owed: owedCents(state),
      feeDue: feeDueCents(state),
      isDisputed: isDisputed(state),
      moves: new Set(state.moves),
      isFirst: state.transferredCents === 0 && state.terms?.destination === undefined,
    }));
  try {
    for (let step = 0; step < MAX_STEPS; step++) {
      const { terms, organizerId, owed, feeDue, isDisputed: waits, moves, isFirst } = await read();
      const isSettled = owed === 0;
      // Before the first step, the provider may have a move that is not recorded. After the first step, all moves are
      // recorded.
      if (!terms || organizerId === null || (isSettled && step > 0)) return void (await finished(pool, KIND, id));
      // While a bank disputes the payment, nothing is transferred.
      if (waits && owed > 0) return;
      const known = await provider.movesOf(terms);
      const missed = known.commands.filter((command) => !moves.has(moveId(command)));
      if (missed.length > 0) {
        for (const command of missed) await recordMove(payments, id, command);
        continue;
      }
      if (isSettled) return void (await finished(pool, KIND, id));
      const key = (what: string) => `beltway-${what}-${id}-${moves.size}-${keyNumber(attempts)}`;
      const command = await move(deps, { terms, organizerId, owed, feeDue, isFirst }, known, key);
      if (!command) return;
      await recordMove(payments, id, command);
    }
  } catch (error) {
    log[logLevelOf(attempts)](
      { err: error, id, attempts },
      'an organizer’s share was not moved yet and is tried again',
    );
    await failedOnce(deps, { id, paymentId, error });
  }
}

/**
 * Counts a failed try and, after `DELAYED_AFTER` failed tries, alerts staff. If this function fails, the next try
 * counts and alerts.
 */
async function failedOnce(
  deps: ShareDeps,
  { id, paymentId, error }: { id: string; paymentId: string; error: unknown },
): Promise<void> {
  try {
    const tries = await failed(deps.pool, KIND, id, error);
    if (tries >= DELAYED_AFTER) await recordShareDelay(deps, id, { paymentId, tries });
  } catch (err) {
    deps.log.warn({ err, id }, 'a failed move of a share could not be recorded');
  }
}

interface Due {
  terms: PaymentTerms;
  organizerId: number;
  owed: number;
  feeDue: number;
  /** Nothing was moved yet, so the transfer can use the charge's own money, even if the charge has not settled. */
  isFirst: boolean;
}

/** Makes one move; undefined if none is possible now. */
async function move(
  { pool, provider }: ShareDeps,
  { terms, organizerId, owed, feeDue, isFirst }: Due,
  known: Awaited<ReturnType<ConnectProvider['movesOf']>>,
  key: (what: string) => string,
): Promise<MoveCommand | undefined> {
  // Returns the fee first, so that the account has enough for the reversal.
  if (feeDue > 0 && known.feeId !== null)
    return provider.returnFee(terms, { feeId: known.feeId, cents: feeDue }, key('fee'));
  if (owed < 0) {
    const from = known.transfers.find(({ leftCents }) => leftCents > 0);
    if (!from) throw new Error(`payment ${terms.id} has no transfer that can be reversed`);
    return provider.reverse(terms, { transferId: from.id, cents: Math.min(-owed, from.leftCents) }, key('reversal'));
  }
  const destination = await readyAccountOf(pool, organizerId);
  if (destination === undefined) return undefined;
  return provider.transfer(
    terms,
    { cents: owed, destination, chargeId: isFirst ? known.chargeId : null },
    key('transfer'),
  );
}

/** Records a move once, by its id at the provider. */
const recordMove = (payments: Payments, id: string, command: MoveCommand) =>
  payments.handle(id, command, { commandId: `moved:${moveId(command)}`, correlationId: id });

export const startShares = (
  deps: ShareDeps,
  pacing: Pacing = { pauseMs: 10_000, maxPauseMs: 3_600_000 },
  everyMs = 2_000,
): Poller => startPolling(deps.log, 'shares', everyMs, () => settleShares(deps, pacing));
