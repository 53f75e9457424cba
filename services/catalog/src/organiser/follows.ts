import { MAX_FOLLOWED, type Followed } from '@beltway/contracts/catalog/organizers';
import { Rejected } from '@beltway/event-store';
import type { Queryable } from '@beltway/kit/postgres';

// The bound is counted without a lock: requests that run at once may go past it by as many as they are.
const FOLLOW = `insert into follows (follower_id, organiser_id)
  select $1, $2 where (select count(*) from follows where follower_id = $1) < ${MAX_FOLLOWED}
  on conflict (follower_id, organiser_id) do nothing`;
const UNFOLLOW = 'delete from follows where follower_id = $1 and organiser_id = $2';
const STATE = `select exists (select from follows where follower_id = $1 and organiser_id = $2) as following,
  (select count(*)::int from follows where organiser_id = $2) as followers`;

/** How it is now: whether this account follows, and how many do. */
async function stateOf(db: Queryable, followerId: number, organiserId: number): Promise<Followed> {
  const { rows } = await db.query<Followed>({
    name: 'follow-state',
    text: STATE,
    values: [followerId, organiserId],
  });
  return rows[0]!;
}

/** Follows an organiser; a repeat changes nothing. Rejected: `own-page`, `too-many-followed`. */
export async function follow(db: Queryable, followerId: number, organiserId: number): Promise<Followed> {
  if (followerId === organiserId) throw new Rejected('own-page', 'This is your own page.');
  const { rowCount } = await db.query({ name: 'follow', text: FOLLOW, values: [followerId, organiserId] });
  const now = await stateOf(db, followerId, organiserId);
  // Nothing was written because it stood there already, or because there is no more room.
  if (rowCount === 0 && !now.following)
    throw new Rejected('too-many-followed', `You follow ${MAX_FOLLOWED} organisers, which is as many as we keep.`);
  return now;
}

/** Follows an organiser no longer; a repeat changes nothing. */
export async function unfollow(db: Queryable, followerId: number, organiserId: number): Promise<Followed> {
  await db.query({ name: 'unfollow', text: UNFOLLOW, values: [followerId, organiserId] });
  return stateOf(db, followerId, organiserId);
}

/** Whom an account follows: `MAX_FOLLOWED` at most, or as many more as came at once. */
export async function organisersFollowedBy(db: Queryable, followerId: number): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>(
    `select organiser_id as id from follows where follower_id = $1 order by organiser_id limit ${2 * MAX_FOLLOWED}`,
    [followerId],
  );
  return rows.map(({ id }) => id);
}

/** Who follows an organiser, in the order of their numbers from `after` on. */
export async function followersOf(
  db: Queryable,
  organiserId: number,
  { after, limit }: { after: number; limit: number },
): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>(
    'select follower_id as id from follows where organiser_id = $1 and follower_id > $2 order by follower_id limit $3',
    [organiserId, after, limit],
  );
  return rows.map(({ id }) => id);
}
