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
 * Asks the provider how an account stands, and records it: reports come in any order and of any version, so what they say is never taken
 * itself. An account that we made and forgot is recorded as its user's; one that is not ours is logged and left. Faults are thrown.
 */
export async function askAccount(deps: PayoutDeps, accountId: string, correlationId: string): Promise<void> {
  const askedAt = new Date().toISOString();
  const known = await accountById(deps.pool, accountId);
  const report = await deps.provider.account(accountId).catch((error: unknown) => {
    // Another product's, or one that was closed: it is not ours to see.
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

/** Records an account, and how it stood when it was asked for. */
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

/** Records what the provider says of the payouts that we made from an account. */
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

/** What a report about an organizer's account leads to: the account, and what was paid out from it, are asked for. */
export async function recordAccountEvent(deps: PayoutDeps, accountId: string, correlationId: string): Promise<void> {
  await askAccount(deps, accountId, correlationId);
  const account = await accountById(deps.pool, accountId);
  if (account) await recordPayouts(deps, account, await deps.provider.payoutsOf(accountId));
}
