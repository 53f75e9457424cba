import type { Pool } from 'pg';
import { zonedText } from '@beltway/contracts/common/times';
import type { Streams } from '@beltway/event-store';
import type { Logger } from '@beltway/kit/logger';
import { startPolling, type Poller } from '@beltway/kit/polling';
import { HttpProblem } from '@beltway/kit/problems';
import { kysely } from '../db.ts';
import type { UserCommand, UserEvent } from './events.ts';
import type { UserRow } from './queries.ts';

type Suspension = Pick<UserRow, 'suspendedAt' | 'suspendedUntil'>;

export const isSuspended = ({ suspendedAt, suspendedUntil }: Suspension, now: Date): boolean =>
  suspendedAt !== null && (suspendedUntil === null || suspendedUntil > now);

/** Throws 403 `account-suspended`. Call it only after the caller has proved ownership of the account. */
export function refuseSuspended(user: Suspension, now: Date): void {
  if (!isSuspended(user, now)) return;
  if (user.suspendedUntil === null) throw new HttpProblem(403, 'account-suspended.for-good');
  throw new HttpProblem(403, 'account-suspended.until', {
    params: { until: zonedText(user.suspendedUntil).slice(0, 10) },
  });
}

export interface SuspensionDeps {
  pool: Pool;
  users: Pick<Streams<unknown, UserCommand, UserEvent>, 'handle'>;
  clock: () => Date;
}

const BATCH = 100;

/**
 * Records the end of expired suspensions. Until other services are notified, they hide the account's events and hold
 * back its payouts. Returns true if there may be more. Safe to run concurrently.
 */
export async function endSuspensions({ pool, users, clock }: SuspensionDeps): Promise<boolean> {
  const now = clock();
  const rows = await kysely(pool)
    .selectFrom('users')
    .select(['id', 'suspendedUntil'])
    .where('suspendedUntil', '<=', now)
    .orderBy('suspendedUntil')
    .limit(BATCH)
    .execute();
  for (const { id, suspendedUntil } of rows)
    await users.handle(
      id,
      { type: 'EndSuspension', at: now.toISOString() },
      { commandId: `suspension-over\0${id}\0${suspendedUntil!.toISOString()}` },
    );
  return rows.length === BATCH;
}

const EVERY_MS = 10_000;
export const startEndingSuspensions = (deps: SuspensionDeps & { log: Logger }): Poller =>
  startPolling(deps.log, 'suspensions', EVERY_MS, () => endSuspensions(deps));
