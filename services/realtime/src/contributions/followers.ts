import type { Queryable } from '@beltway/kit/postgres';
import { sql } from 'kysely';
import { notBlocked } from '../community/blocks.ts';
import { kysely } from '../db.ts';

/** An answer that followers of its question are notified of. */
export interface Reply {
  questionId: number;
  answerId: number;
  authorId: number;
}

/**
 * Who is notified of an answer, in the order of their numbers from `after` on; not its author. Followers are not notified of what they do
 * not see: what was removed, or an answer when one of the two blocks the other.
 */
export async function followersOfQuestion(
  db: Queryable,
  { questionId, answerId, authorId }: Reply,
  { after, limit }: { after: number; limit: number },
): Promise<number[]> {
  const follower = sql<number>`f.user_id`;
  const rows = await kysely(db)
    .selectFrom('contributionMarks as f')
    .innerJoin('contributions as q', 'q.id', 'f.contributionId')
    .select('f.userId')
    .where('f.contributionId', '=', questionId)
    .where('f.mark', '=', 'follow')
    .where('f.userId', '>', after)
    .where('f.userId', '<>', authorId)
    .where('q.hiddenAt', 'is', null)
    .where(notBlocked(sql<number>`${authorId}::integer`, follower))
    .where(notBlocked(sql<number>`q.author_id`, follower))
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('contributions').select('id').where('id', '=', answerId).where('hiddenAt', 'is', null)),
    )
    .orderBy('f.userId')
    .limit(limit)
    .execute();
  return rows.map(({ userId }) => userId);
}
