import type { Pool } from 'pg';
import { Rejected } from '@beltway/event-store';
import type { Logger } from '@beltway/kit/logger';
import { HttpProblem } from '@beltway/kit/problems';
import type { AccountReport, ConnectProvider, PayoutReport } from '../provider/connect.ts';
import { streamIdOf, type PayoutAccounts } from './stream.ts';
import { accountById, type AccountRow } from './queries.ts';

export interface PayoutDeps {
  pool: Pool;
  log: Logger;
  payoutAccounts: PayoutAccounts;
  provider: ConnectProvider;
}

/**
 * Fetches the state of an account from the provider and records that state. The content of reports is not used, because
 * reports arrive in any order and in any API version. If we created the account without recording it, records the
 * account for its user. Logs and drops a report about an account that is not ours. Throws faults.
 */
export async function askAccount(deps: PayoutDeps, accountId: string, correlationId: string): Promise<void> {
  const askedAt = new Date().toISOString();
  const known = await accountById(deps.pool, accountId);
  const report = await deps.provider.account(accountId).catch((error: unknown) => {
    // We have no access to another product's account or to a closed account.
    if (error instanceof HttpProblem && error.status === 404) return undefined;
    throw error;
  });
  const userId = known?.userId ?? report?.userId ?? null;
  if (!report || userId === null) {
    deps.log.warn({ accountId }, 'the provider reports on an account we do not know');
    return;
  }
  await recordAccount(deps, userId, report, { askedAt, correlationId });
}

/** Records an account, and its state at the time of the request. */
export async function recordAccount(
  { payoutAccounts, log }: PayoutDeps,
  userId: number,
  { accountId, state }: AccountReport,
  { askedAt, correlationId }: { askedAt: string; correlationId: string },
): Promise<void> {
  const id = streamIdOf(userId);
  try {
    await payoutAccounts.handle(
      id,
      { type: 'OpenAccount', userId, accountId },
      { commandId: `open-account:${accountId}`, correlationId, userId },
    );
    await payoutAccounts.handle(
      id,
      { type: 'RecordAccount', accountId, state, askedAt },
      { commandId: `account:${accountId}:${state}:${askedAt}`, correlationId },
    );
  } catch (error) {
    if (!(error instanceof Rejected)) throw error;
    log.error({ err: error, userId, accountId, code: error.code }, 'a user has another account at the provider');
  }
}

/** Records the provider's reports of the payouts that we triggered. */
export async function recordPayouts(
  { payoutAccounts }: Pick<PayoutDeps, 'payoutAccounts'>,
  { userId, accountId }: Pick<AccountRow, 'userId' | 'accountId'>,
  reports: PayoutReport[],
): Promise<void> {
  for (const { payoutId, cents, status, dueOn } of reports) {
    if (dueOn === null) continue; // made in the provider's dashboard
    await payoutAccounts.handle(
      streamIdOf(userId),
      { type: 'RecordPayout', accountId, payoutId, cents, dueOn, status },
      { commandId: `payout:${payoutId}:${status}`, correlationId: payoutId },
    );
  }
}

/** Handles a report about an organizer's account: fetches the account and its payouts. */
export async function recordAccountEvent(deps: PayoutDeps, accountId: string, correlationId: string): Promise<void> {
  await askAccount(deps, accountId, correlationId);
  const account = await accountById(deps.pool, accountId);
  if (account) await recordPayouts(deps, account, await deps.provider.payoutsOf(accountId));
}
