import { HttpProblem } from '@beltway/kit/problems';
import type { UserRow } from './queries.ts';

type Suspension = Pick<UserRow, 'suspendedAt' | 'suspendedUntil'>;

export const isSuspended = ({ suspendedAt, suspendedUntil }: Suspension, now: Date): boolean =>
  suspendedAt !== null && (suspendedUntil === null || suspendedUntil > now);

const DAY = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'America/New_York' });

/** Throws 403 `account-suspended`: said only to who has proved that the account is theirs. */
export function refuseSuspended(user: Suspension, now: Date): void {
  if (!isSuspended(user, now)) return;
  const until = user.suspendedUntil ? ` until ${DAY.format(user.suspendedUntil)}` : '';
  throw new HttpProblem(
    403,
    'account-suspended',
    `Your account is suspended${until}. We mailed you why, with a link by which you can ask for another look.`,
  );
}
