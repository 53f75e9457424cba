import type { Queryable } from '@beltway/kit/postgres';
import { HttpProblem } from '@beltway/kit/problems';
import { isNewAccount } from './people.ts';

export type WriteKind = 'post' | 'comment' | 'question' | 'answer';

/** What an account may write in a day, and one that is younger than a day. */
const PER_DAY: Record<WriteKind, { usual: number; new: number }> = {
  post: { usual: 30, new: 5 },
  comment: { usual: 100, new: 20 },
  question: { usual: 20, new: 3 },
  answer: { usual: 100, new: 20 },
};
/** Of all kinds together; a talkative person writes some a minute. */
const PER_MINUTE = 6;
/** From one address, which a campus may share, in ten minutes: counted by each instance. */
export const ADDRESS = { name: 'community', points: 120, perSeconds: 600 };

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** When the account wrote the last but `count` of its latest, within so long; undefined: it wrote fewer. */
async function since(
  tx: Queryable,
  { userId, kind, count, from }: { userId: number; kind: WriteKind | null; count: number; from: Date },
): Promise<Date | undefined> {
  const { rows } = await tx.query<{ createdAt: Date }>({
    name: 'community-limit',
    text: `select created_at as "createdAt" from community_requests
      where user_id = $1 and created_at > $2 and ($3::text is null or kind = $3) order by created_at desc offset $4 limit 1`,
    values: [userId, from, kind, count - 1],
  });
  return rows[0]?.createdAt;
}

/** Throws 429, with when to come back, when the account has written enough. What was deleted since counts too. */
export async function checkLimits(tx: Queryable, userId: number, kind: WriteKind, now: Date): Promise<void> {
  const refuse = (message: string, oldest: Date, ms: number) => {
    const retryAfter = Math.max(1, Math.ceil((oldest.getTime() + ms - now.getTime()) / 1_000));
    throw new HttpProblem(429, 'too-many-requests', message, { retryAfter });
  };
  const lastMinute = await since(tx, {
    ...{ userId, kind: null, count: PER_MINUTE },
    from: new Date(now.getTime() - MINUTE_MS),
  });
  if (lastMinute) refuse('You write quickly. Please wait a minute.', lastMinute, MINUTE_MS);
  const isNew = await isNewAccount(tx, userId, now);
  const count = PER_DAY[kind][isNew ? 'new' : 'usual'];
  const lastDay = await since(tx, { userId, kind, count, from: new Date(now.getTime() - DAY_MS) });
  if (lastDay)
    refuse(
      isNew
        ? 'An account of today may write a little. Please come back tomorrow.'
        : 'That is enough for one day. Please come back tomorrow.',
      lastDay,
      DAY_MS,
    );
}
