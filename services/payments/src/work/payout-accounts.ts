import { tables } from '../db.ts';
import { startPolling, type Poller } from '@beltway/kit/polling';
import { accountByTask } from '../payout/queries.ts';
import { recordAccountEvent, type PayoutDeps } from '../payout/record.ts';
import { claim, failed, type Pacing } from './tasks.ts';

const KIND = 'account';
const BATCH = 5;
/** Accounts that may change. Ready accounts are checked a few times a day, because a report may be lost. */
const DUE = tables
  .selectFrom('payoutAccounts')
  .select(['taskId as id', 'openedAt as since'])
  .where('state', '<>', 'rejected');

/**
 * Fetches organizers' accounts from the provider. The pauses between two fetches of an account grow from minutes to
 * hours.
 */
export async function checkAccounts(deps: PayoutDeps, pacing: Pacing): Promise<number> {
  const tasks = await claim(deps.pool, KIND, DUE, BATCH, pacing);
  for (const { id } of tasks) {
    const account = await accountByTask(deps.pool, id);
    if (!account) continue;
    await recordAccountEvent(deps, account.accountId, id).catch(async (error: unknown) => {
      deps.log.warn({ err: error, userId: account.userId }, 'a payout account could not be fetched; it is retried');
      await failed(deps.pool, KIND, id, error).catch(() => undefined);
    });
  }
  return tasks.length;
}

export const startAccountChecks = (
  deps: PayoutDeps,
  pacing: Pacing = { pauseMs: 120_000, maxPauseMs: 6 * 3_600_000 },
  everyMs = 5_000,
): Poller =>
  startPolling(deps.log, 'payout accounts', everyMs, async () => {
    await checkAccounts(deps, pacing);
    return false; // never continue immediately: the rate of calls is bounded
  });
