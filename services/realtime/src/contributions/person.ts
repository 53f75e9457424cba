import type { Pool } from 'pg';
import { MAX_EXPORTED, type PersonPart } from '@beltway/contracts/identity/people';
import { forgetRequests } from '@beltway/kit/once';
import { transaction, type Queryable } from '@beltway/kit/postgres';
import { sql, type SelectExpression } from 'kysely';
import { kysely } from '../db.ts';
import type { Tables } from '../generated/tables.ts';
import { removeForGood } from './change.ts';
import type { Kind, Mark } from './kinds.ts';
import type { Contributing } from './write.ts';

/** The accounts that contributions and their kin have something of. */
export const HIGHEST_ACCOUNT = `select greatest((select max(user_id) from community_people), (select max(author_id) from contributions),
  (select max(user_id) from contribution_marks), (select max(user_id) from community_blocks),
  (select max(blocked_id) from community_blocks)) as highest`;

const CHANGED = ['createdAt', 'editedAt', 'hiddenAt'] as const;
/** Each list of contributions: their kind, and what it has of each. */
const WRITTEN: Record<string, [kind: Kind, columns: readonly SelectExpression<Tables, 'contributions'>[]]> = {
  comments: ['comment', ['eventId', 'text', ...CHANGED]],
  posts: [
    'post',
    [
      'id',
      'text as content',
      'imageUrl',
      'eventId',
      'placeId as place',
      'likes',
      'below as comments',
      'shares',
      ...CHANGED,
    ],
  ],
  postComments: ['post-comment', ['parentId as postId', 'text', 'createdAt', 'hiddenAt']],
  questions: [
    'question',
    ['id', 'text as question', 'category', 'placeId as location', 'eventId', 'likes', 'below as answers', ...CHANGED],
  ],
  answers: ['answer', ['parentId as questionId', 'text as answer', 'isVerified', 'likes', 'createdAt', 'hiddenAt']],
};
/** Each list of marks: the kind and mark, and how it names the contribution. */
const MARKED: Record<string, [kind: Kind, mark: Mark, id: 'postId' | 'questionId' | 'answerId']> = {
  postLikes: ['post', 'like', 'postId'],
  postShares: ['post', 'share', 'postId'],
  questionLikes: ['question', 'like', 'questionId'],
  answerLikes: ['answer', 'like', 'answerId'],
  followedQuestions: ['question', 'follow', 'questionId'],
};

/** What they wrote, liked, shared and follow, and who they block; the newest first. */
export async function communityPart(pool: Queryable, userId: number): Promise<PersonPart> {
  const db = kysely(pool);
  const part: Record<string, unknown[]> = {};
  for (const [name, [kind, columns]] of Object.entries(WRITTEN))
    part[name] = await db
      .selectFrom('contributions')
      .select(columns)
      .where('authorId', '=', userId)
      .where('kind', '=', kind)
      .where('deletedAt', 'is', null)
      .orderBy('id', 'desc')
      .limit(MAX_EXPORTED)
      .execute();
  for (const [name, [kind, mark, id]] of Object.entries(MARKED))
    part[name] = await db
      .selectFrom('contributionMarks as m')
      .innerJoin('contributions as c', 'c.id', 'm.contributionId')
      .select([`c.id as ${id}`, 'm.createdAt'])
      .where('m.userId', '=', userId)
      .where('m.mark', '=', mark)
      .where('c.kind', '=', kind)
      .orderBy('m.createdAt', 'desc')
      .limit(MAX_EXPORTED)
      .execute();
  part['blocks'] = await db
    .selectFrom('communityBlocks')
    .select(['blockedId as userId', 'createdAt'])
    .where('userId', '=', userId)
    .orderBy('id', 'desc')
    .limit(MAX_EXPORTED)
    .execute();
  return { ...part, isComplete: Object.values(part).every(({ length }) => length < MAX_EXPORTED) };
}

const UNMARK = `with gone as (delete from contribution_marks where user_id = $1 returning contribution_id as id, mark),
    counted as (select id, count(*) filter (where mark = 'like')::integer as likes, count(*) filter (where mark = 'share')::integer as shares
      from gone group by id)
  update contributions c set likes = c.likes - counted.likes, shares = c.shares - counted.shares from counted where c.id = counted.id`;

/**
 * Deletes what they wrote, as they would themselves, what they liked, shared and follow, and blocks by them and of them. Done
 * again it changes nothing more.
 */
export async function eraseFromCommunity(
  deps: Pick<Contributing, 'pool' | 'turns' | 'wakeCounts' | 'clock'> & { pool: Pool },
  userId: number,
): Promise<void> {
  const rows = await kysely(deps.pool)
    .selectFrom('contributions')
    .select(['id', sql<Kind>`kind`.as('kind'), 'parentId', 'eventId'])
    .where('authorId', '=', userId)
    .where('deletedAt', 'is', null)
    .orderBy('id')
    .execute();
  for (const row of rows) await removeForGood(deps, row);
  await transaction(deps.pool, async (tx) => {
    await tx.query(UNMARK, [userId]);
    await forgetRequests(tx, userId);
    await kysely(tx)
      .deleteFrom('communityBlocks')
      .where((eb) => eb.or([eb('userId', '=', userId), eb('blockedId', '=', userId)]))
      .execute();
    await kysely(tx).deleteFrom('communityPeople').where('userId', '=', userId).execute();
  });
}
