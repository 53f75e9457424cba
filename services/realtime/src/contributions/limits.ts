import { secondsUntilAllowed } from '@beltway/kit/once';
import type { Queryable } from '@beltway/kit/postgres';
import type { PlainText } from '@beltway/contracts/problems/texts';
import { HttpProblem } from '@beltway/kit/problems';
import { isNewAccount } from '../community/people.ts';
import { RULES, type Kind } from './kinds.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** The name of an event in limits, and in the requests that the limits count. */
export const aboutEvent = (eventId: number): string => `event ${eventId}`;

/**
 * Throws 429, with the time to retry, when the account or the event has reached a limit. Deleted contributions still
 * count.
 */
export async function checkLimits(
  tx: Queryable,
  kind: Kind,
  { userId, eventId }: { userId: number; eventId: number | null },
  now: Date,
): Promise<void> {
  const { code, minute, day, eventMinute } = RULES[kind].limits;
  const check = async (
    limit: Parameters<typeof secondsUntilAllowed>[1],
    why: 'minute' | 'new-account' | 'day' | 'event',
  ) => {
    const retryAfter = await secondsUntilAllowed(tx, limit, now);
    if (retryAfter > 0) throw new HttpProblem<PlainText>(429, `too-many-writes.${why}`, { code, retryAfter });
  };
  await check({ userId, ...minute, ms: MINUTE_MS }, 'minute');
  const isNew = day.new < day.usual && (await isNewAccount(tx, userId, now));
  await check({ userId, kinds: [kind], max: isNew ? day.new : day.usual, ms: DAY_MS }, isNew ? 'new-account' : 'day');
  if (eventMinute !== undefined && eventId !== null)
    await check({ about: aboutEvent(eventId), max: eventMinute, ms: MINUTE_MS }, 'event');
}
