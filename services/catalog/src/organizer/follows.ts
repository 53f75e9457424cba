import { MAX_FOLLOWED, type Followed } from '@beltway/contracts/catalog/organizers';
import { Rejected } from '@beltway/kit/rejected';
import { countRows, insertIf } from '@beltway/kit/kysely';
import type { Queryable } from '@beltway/kit/postgres';
import { sql } from 'kysely';
import { kysely } from '../db.ts';
import { follows } from '../generated/tables.ts';

/** The current state: whether this account follows, and how many accounts do. */
const stateOf = (db: Queryable, followerId: number, organizerId: number): Promise<Followed> => {
  const followers = kysely(db).selectFrom('follows').where('organizerId', '=', organizerId);
  return kysely(db)
    .selectNoFrom((eb) => [
      eb
        .exists(followers.select('followerId').where('followerId', '=', followerId))
        .$castTo<boolean>()
        .as('following'),
      followers.select(countRows).$asScalar().$notNull().as('followers'),
    ])
    .executeTakeFirstOrThrow();
};

/** Follows an organizer; idempotent. Rejected: `own-page`, `too-many-followed`. */
export async function follow(db: Queryable, followerId: number, organizerId: number): Promise<Followed> {
  if (followerId === organizerId) throw new Rejected('own-page');
  // The limit is checked without a lock, so n concurrent requests may exceed the limit by n.
  const followed = kysely(db).selectFrom('follows').select(countRows).where('followerId', '=', followerId);
  const hasRoom = sql<boolean>`(${followed}) < ${MAX_FOLLOWED}`;
  const { numInsertedOrUpdatedRows: written } = await insertIf(
    ...([kysely(db), 'follows', follows, { followerId, organizerId }, hasRoom] as const),
  )
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  const now = await stateOf(db, followerId, organizerId);
  if (written === 0n && !now.following) throw new Rejected('too-many-followed', { max: MAX_FOLLOWED });
  return now;
}

/** Stops following an organizer; idempotent. */
export async function unfollow(db: Queryable, followerId: number, organizerId: number): Promise<Followed> {
  await kysely(db)
    .deleteFrom('follows')
    .where('followerId', '=', followerId)
    .where('organizerId', '=', organizerId)
    .execute();
  return stateOf(db, followerId, organizerId);
}

/** The organizers that an account follows: at most `MAX_FOLLOWED`, plus any that concurrent requests added. */
export async function organizersFollowedBy(db: Queryable, followerId: number): Promise<number[]> {
  const rows = await kysely(db)
    .selectFrom('follows')
    .select('organizerId as id')
    .where('followerId', '=', followerId)
    .orderBy('organizerId')
    .limit(2 * MAX_FOLLOWED)
    .execute();
  return rows.map(({ id }) => id);
}

/** A part of the list of an organizer's followers, sorted by account id and beginning after the account `after`. */
export async function followersOf(
  db: Queryable,
  organizerId: number,
  { after, limit }: { after: number; limit: number },
): Promise<number[]> {
  const rows = await kysely(db)
    .selectFrom('follows')
    .select('followerId as id')
    .where('organizerId', '=', organizerId)
    .where('followerId', '>', after)
    .orderBy('followerId')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}
