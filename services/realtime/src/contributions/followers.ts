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
 * The accounts to notify of an answer, sorted by id, after `after`. The author of the answer is not notified. Followers
 * are not notified of what they cannot see: removed content, or an answer if its author or the follower blocks the
 * other.
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
