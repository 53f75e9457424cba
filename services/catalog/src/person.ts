import type { Pool } from 'pg';
import { MAX_EXPORTED, type PersonPart } from '@beltway/contracts/identity/people';
import { endOf } from '@beltway/contracts/common/times';
import { Rejected } from '@beltway/event-store';
import { transaction, type Queryable } from '@beltway/kit/postgres';
import { deleteComment, type Writing } from './comments/comments.ts';
import { removeReactions } from './engagement/reactions.ts';
import type { Listings } from './event/stream.ts';
import { listingById } from './event/queries.ts';

/** What stands in the place of a name once the account was erased. */
export const DELETED_ACCOUNT = 'Deleted account';

/** Finds the highest number of an account that stands here: identity gives none up to it. */
export const HIGHEST_ACCOUNT = `select greatest((select max(user_id) from accounts), (select max(organiser_id) from listings),
  (select max(user_id) from event_reactions), (select max(follower_id) from follows), (select max(user_id) from saved_searches))`;

/** Their events, comments, likes and their kin, whom they follow, what they search for and what they reported; the newest first. */
export async function personPart(db: Queryable, userId: number): Promise<PersonPart> {
  const list = async (text: string) => (await db.query(text, [userId, MAX_EXPORTED])).rows as object[];
  const [events, comments, reactions, follows, savedSearches, reports] = await Promise.all([
    list(`select event_id as id, title, description, location, event_date as "eventDate", event_start_time as "eventStartTime",
        contact_email as "contactEmail", picture_url as "pictureUrl", status, created_at as "createdAt"
      from listings where organiser_id = $1 order by created_at desc limit $2`),
    list(`select c.event_id as "eventId", l.title as event, c.text, c.created_at as "createdAt", c.edited_at as "editedAt",
        c.hidden_at as "hiddenAt" from comments c left join listings l using (event_id)
      where c.author_id = $1 and c.deleted_at is null order by c.id desc limit $2`),
    list(`select kind, value, event_id as "eventId", created_at as "createdAt" from event_reactions
      where user_id = $1 order by created_at desc limit $2`),
    list(`select organiser_id as "organiserId", created_at as "createdAt" from follows
      where follower_id = $1 order by created_at desc limit $2`),
    list(`select name, search, saved_at as "savedAt" from saved_searches
      where user_id = $1 order by saved_at desc limit $2`),
    list(`select comment_id as "commentId", reason, note, created_at as "createdAt" from comment_reports
      where reporter_id = $1 order by created_at desc limit $2`),
  ]);
  const isComplete = [events, comments, reactions, follows, savedSearches, reports].every(
    ({ length }) => length < MAX_EXPORTED,
  );
  return { events, comments, reactions, follows, savedSearches, reports, isComplete };
}

export interface ErasureDeps extends Writing {
  pool: Pool;
  listings: Listings;
  clock: () => Date;
}

/**
 * Takes the person out of the catalog: their events to come are cancelled, and lose the address to write to, as those of before do; their
 * comments, likes and follows go, and their name. Events that took place stay, organised by a deleted account.
 */
export async function erasePerson(deps: ErasureDeps, userId: number): Promise<void> {
  const { pool, listings, clock } = deps;
  const { rows: events } = await pool.query<{ eventId: number }>(
    'select event_id as "eventId" from listings where organiser_id = $1 order by event_id',
    [userId],
  );
  for (const { eventId } of events) {
    const listing = await listingById(pool, eventId);
    const isToCome =
      listing && listing.status !== 'cancelled' && (listing.status === 'postponed' || endOf(listing) > clock());
    if (isToCome)
      await listings
        .handle(
          eventId,
          { type: 'CancelEvent', at: clock().toISOString() },
          { commandId: `organiser-erased\0${userId}\0${eventId}` },
        )
        .catch(ignoreRejected);
    await listings.handle(
      eventId,
      { type: 'EraseContact' },
      { commandId: `contact-erased\0${userId}\0${eventId}\0${listing?.version ?? 0}` },
    );
  }
  const { rows: comments } = await pool.query<{ id: number; eventId: number }>(
    'select id, event_id as "eventId" from comments where author_id = $1 and deleted_at is null order by id',
    [userId],
  );
  for (const { id: commentId, eventId } of comments)
    await deleteComment(deps, { eventId, commentId, authorId: userId }, clock());
  await removeReactions(pool, userId);
  await transaction(pool, async (tx) => {
    await tx.query('delete from follows where follower_id = $1 or organiser_id = $1', [userId]);
    await tx.query('delete from saved_searches where user_id = $1', [userId]);
    await tx.query('delete from event_shares where sharer = $1', [`user:${userId}`]);
    await tx.query('delete from comment_requests where author_id = $1', [userId]);
    await tx.query('update comment_reports set note = null where reporter_id = $1', [userId]);
    // What of a series is not there yet never will be.
    await tx.query(
      `update event_series set details = null, published_at = coalesce(published_at, now()) where organiser_id = $1 and details is not null`,
      [userId],
    );
    await tx.query('delete from publish_requests where user_id = $1', [userId]);
    await tx.query('update accounts set name = $2 where user_id = $1', [userId, DELETED_ACCOUNT]);
  });
}

function ignoreRejected(error: unknown): void {
  if (!(error instanceof Rejected)) throw error;
}
