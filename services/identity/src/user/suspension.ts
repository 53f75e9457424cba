import { zonedText } from '@beltway/contracts/common/times';
import { HttpProblem } from '@beltway/kit/problems';
import type { UserRow } from './queries.ts';

type Suspension = Pick<UserRow, 'suspendedAt' | 'suspendedUntil'>;

export const isSuspended = ({ suspendedAt, suspendedUntil }: Suspension, now: Date): boolean =>
  suspendedAt !== null && (suspendedUntil === null || suspendedUntil > now);

/** Throws 403 `account-suspended`: said only to who has proved that the account is theirs. */
export function refuseSuspended(user: Suspension, now: Date): void {
  if (!isSuspended(user, now)) return;
  if (user.suspendedUntil === null) throw new HttpProblem(403, 'account-suspended.for-good');
  throw new HttpProblem(403, 'account-suspended.until', {
    params: { until: zonedText(user.suspendedUntil).slice(0, 10) },
  });
}
