import type { Queryable } from '@beltway/kit/postgres';
import { notBlocked } from './blocks.ts';

/** An answer that followers of its question are to hear of. */
export interface Reply {
  questionId: number;
  answerId: number;
  /** Who wrote it. */
  authorId: number;
}

// Nobody is told of what they do not see: removed meanwhile, or by somebody who blocks them or whom they block.
const FOLLOWERS = `select f.user_id as "userId" from message_board_follows f
  join message_board m on m.id = f.question_id and m.hidden_at is null
  where f.question_id = $1 and f.user_id > $4 and f.user_id <> $3 and ${notBlocked('$3', 'f.user_id')} and ${notBlocked('m.user_id', 'f.user_id')}
    and exists (select from message_board_answers a where a.id = $2 and a.hidden_at is null)
  order by f.user_id limit $5`;

/** Who hears of an answer, in the order of their numbers from `after` on; not its author. */
export async function followersOfQuestion(
  db: Queryable,
  { questionId, answerId, authorId }: Reply,
  { after, limit }: { after: number; limit: number },
): Promise<number[]> {
  const { rows } = await db.query<{ userId: number }>(FOLLOWERS, [questionId, answerId, authorId, after, limit]);
  return rows.map(({ userId }) => userId);
}
