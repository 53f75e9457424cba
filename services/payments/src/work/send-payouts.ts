import { PAYOUT_SCHEDULE } from '@beltway/contracts/payments/payouts';
import { tables } from '../db.ts';
import { startPolling, type Poller } from '@beltway/kit/polling';
import { accountByTask, payableCents } from '../payout/queries.ts';
import { recordPayouts, type PayoutDeps } from '../payout/record.ts';
import { payoutDayAt } from '../payout/schedule.ts';
import { isSuspended } from '../payout/suspensions.ts';
import { claim, failed, finished, keyNumber, logLevelOf, type Pacing } from './tasks.ts';
import { sql } from 'kysely';

const KIND = 'payout';
const BATCH = 5;

/** Ready accounts without a payout of ours for this day; suspended accounts are left out. */
const due = (day: string) =>
  tables
    .selectFrom('payoutAccounts as a')
    .select(['a.taskId as id', 'a.openedAt as since'])
    .where('a.state', '=', 'ready')
    .where(sql<boolean>`not exists (select from account_suspensions s where s.user_id = a.user_id and s.is_suspended)`)
    .where(sql<boolean>`not exists (select from payouts p where p.user_id = a.user_id and p.due_on >= ${day})`);

/**
 * On Fridays, pays out each account's balance to the organizer's bank, without what is kept for buyers, if the rest
 * reaches the minimum (services/payments/PRODUCT.md#payouts). The idempotency key contains account and day, so a
 * repeated call makes no second payout. Unrecorded payouts are read from the provider first.
 */
export async function sendPayouts(deps: PayoutDeps, pacing: Pacing, now = new Date()): Promise<number> {
  const { pool, provider, log } = deps;
  const day = payoutDayAt(now);
  if (day === null) return 0;
  const tasks = await claim(pool, KIND, due(day), BATCH, pacing);
  for (const { id, attempts } of tasks) {
    const account = await accountByTask(pool, id);
    if (!account) continue;
    try {
      // Uses our own books, so that accounts below the minimum need no call to the provider.
      if ((await payableCents(pool, account.userId)) < PAYOUT_SCHEDULE.minimumCents) continue;
      const made = await provider.payoutsOf(account.accountId);
      await recordPayouts(deps, account, made);
      if (made.every(({ dueOn }) => dueOn !== day)) {
        // Some money may not have settled yet. A payout never exceeds our books, because the rest may belong to another
        // product.
        const available = await provider.available(account.accountId);
        // During the calls to the provider, refunds may have been requested, or the account suspended.
        const cents = await payableCents(pool, account.userId, available);
        if (cents < PAYOUT_SCHEDULE.minimumCents || (await isSuspended(pool, account.userId))) continue;
        const key = `beltway-payout-${account.accountId}-${day}-${keyNumber(attempts)}`;
        await recordPayouts(deps, account, [await provider.payOut(account.accountId, { cents, dueOn: day }, key)]);
      }
      await finished(pool, KIND, id);
    } catch (error) {
      log[logLevelOf(attempts)](
        { err: error, userId: account.userId, attempts },
        'a payout was not sent yet and is tried again',
      );
      await failed(pool, KIND, id, error).catch(() => undefined);
    }
  }
  return tasks.length;
}

export const startPayouts = (
  deps: PayoutDeps,
  pacing: Pacing = { pauseMs: 60_000, maxPauseMs: 6 * 3_600_000 },
  everyMs = 10_000,
): Poller =>
  startPolling(deps.log, 'payouts', everyMs, async () => {
    await sendPayouts(deps, pacing);
    return false; // never continue immediately: the rate of calls is bounded
  });
