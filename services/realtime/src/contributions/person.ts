import type { Pool } from 'pg';
import { MAX_EXPORTED, type PersonPart } from '@beltway/contracts/identity/people';
import { forgetRequests } from '@beltway/kit/once';
import { erasuresOf } from '@beltway/kit/personal-data';
import { transaction, type Queryable } from '@beltway/kit/postgres';
import { sql, type SelectExpression } from 'kysely';
import { kysely } from '../db.ts';
import type { Tables } from '../generated/tables.ts';
import { removeForGood } from './change.ts';
import type { Kind, Mark } from './kinds.ts';
import { OF_COMMUNITY } from '../personal-data.ts';
import type { Contributing } from './write.ts';

const CHANGED = ['createdAt', 'editedAt', 'hiddenAt'] as const;
/** The lists of contributions in an export: the kind of the contributions, and the exported columns. */
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
/** The lists of marks in an export: the kind, the mark, and the name of the contribution's id. */
const MARKED: Record<string, [kind: Kind, mark: Mark, id: 'postId' | 'questionId' | 'answerId']> = {
  postLikes: ['post', 'like', 'postId'],
  postShares: ['post', 'share', 'postId'],
  questionLikes: ['question', 'like', 'questionId'],
  answerLikes: ['answer', 'like', 'answerId'],
  followedQuestions: ['question', 'follow', 'questionId'],
};

/** Contributions, likes, shares and follows of a person, newest first. */
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
  return { ...part, isComplete: Object.values(part).every(({ length }) => length < MAX_EXPORTED) };
}

/**
 * Deletes the person's contributions as the author would. Also deletes the person's likes, shares and follows, and all
 * blocks by the person or of the person. Idempotent.
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
    const counted = (mark: Mark) => sql<number>`count(*) filter (where mark = ${sql.lit(mark)})::integer`;
    await kysely(tx)
      .with('gone', (db) =>
        db.deleteFrom('contributionMarks').where('userId', '=', userId).returning(['contributionId as id', 'mark']),
      )
      .with('counted', (db) =>
        db
          .selectFrom('gone')
          .select(['id', counted('like').as('likes'), counted('share').as('shares')])
          .groupBy('id'),
      )
      .updateTable('contributions as c')
      .from('counted')
      .set(({ eb, ref }) => ({
        likes: eb('c.likes', '-', ref('counted.likes')),
        shares: eb('c.shares', '-', ref('counted.shares')),
      }))
      .whereRef('c.id', '=', 'counted.id')
      .execute();
    await forgetRequests(tx, userId);
    for (const statement of erasuresOf(OF_COMMUNITY)) await tx.query(statement, [userId]);
  });
}
