import type { PointsKind } from '@beltway/contracts/identity/points';
import { backoff } from '@beltway/kit/backoff';
import type { Queue } from '@beltway/kit/jobs';
import { sql, type Expression } from 'kysely';

const checkQueue = (name: string): Queue<object> => ({
  ...{ name, maxAttempts: 30, pauseMs: backoff(5_000, 600_000) },
  ...{ leaseSeconds: 60, concurrency: 1, keepsDone: false },
});

/** Keys are `<user>/<kind>/<subject>`. */
export const factChecks = checkQueue('fact-check');

/** A fact to check for an account: an attended event, a photo or a connection. */
export interface FactCheck {
  userId: number;
  kind: Exclude<PointsKind, 'challenge'>;
  subjectId: number;
}
export function factCheckOf(key: string): FactCheck {
  const [userId, kind, subjectId] = key.split('/') as [string, FactCheck['kind'], string];
  return { userId: Number(userId), kind, subjectId: Number(subjectId) };
}
/** SQL: the key of a check. */
export const factKey = (userId: Expression<unknown>, kind: FactCheck['kind'], subjectId: Expression<unknown>) =>
  sql<string>`${userId} || ${sql.lit(`/${kind}/`)} || ${subjectId} as key`;

/** Checks of an account's challenges for one week. Keys are `<user>/<week>`. */
export const challengeChecks = checkQueue('challenge-check');
