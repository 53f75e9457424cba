import type { Pool } from 'pg';
import { MAX_EXPORTED, type PersonPart } from '@beltway/contracts/identity/people';
import { endOf } from '@beltway/contracts/common/times';
import { Rejected } from '@beltway/event-store';
import { forgetRequests } from '@beltway/kit/once';
import { transaction, type Queryable } from '@beltway/kit/postgres';
import { removeReactions } from './engagement/reactions.ts';
import type { Listings } from './event/stream.ts';
import { listingById } from './event/queries.ts';

/** What stands in the place of a name once the account was erased. */
export const DELETED_ACCOUNT = 'Deleted account';

/** Finds the highest number of an account that stands here: identity gives none up to it. */
export const HIGHEST_ACCOUNT = `select greatest((select max(user_id) from accounts), (select max(organiser_id) from listings),
  (select max(user_id) from event_reactions), (select max(follower_id) from follows), (select max(user_id) from saved_searches))`;

/** Their events, likes and their kin, who they follow, and what they search for; the newest first. */
export async function personPart(db: Queryable, userId: number): Promise<PersonPart> {
  const list = async (text: string) => (await db.query(text, [userId, MAX_EXPORTED])).rows as object[];
  const [events, reactions, follows, savedSearches] = await Promise.all([
    list(`select event_id as id, title, description, location, event_date as "eventDate", event_start_time as "eventStartTime",
        contact_email as "contactEmail", picture_url as "pictureUrl", status, created_at as "createdAt"
      from listings where organiser_id = $1 order by created_at desc limit $2`),
    list(`select kind, value, event_id as "eventId", created_at as "createdAt" from event_reactions
      where user_id = $1 order by created_at desc limit $2`),
    list(`select organiser_id as "organiserId", created_at as "createdAt" from follows
      where follower_id = $1 order by created_at desc limit $2`),
    list(`select name, search, saved_at as "savedAt" from saved_searches
      where user_id = $1 order by saved_at desc limit $2`),
  ]);
  const isComplete = [events, reactions, follows, savedSearches].every(({ length }) => length < MAX_EXPORTED);
  return { events, reactions, follows, savedSearches, isComplete };
}

export interface ErasureDeps {
  pool: Pool;
  listings: Listings;
  clock: () => Date;
}

/**
 * Takes the person out of the catalog: their events to come are cancelled, and lose the address to write to, as past ones do; their
 * likes and follows are deleted, and their name. Events that took place stay, organized by a deleted account.
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
  await removeReactions(pool, userId);
  await transaction(pool, async (tx) => {
    await tx.query('delete from follows where follower_id = $1 or organiser_id = $1', [userId]);
    await tx.query('delete from saved_searches where user_id = $1', [userId]);
    await tx.query('delete from event_shares where sharer = $1', [`user:${userId}`]);
    // What of a series is not there yet never will be.
    await tx.query(
      `update event_series set details = null, published_at = coalesce(published_at, now()) where organiser_id = $1 and details is not null`,
      [userId],
    );
    await forgetRequests(tx, userId);
    await tx.query('update accounts set name = $2 where user_id = $1', [userId, DELETED_ACCOUNT]);
  });
}

function ignoreRejected(error: unknown): void {
  if (!(error instanceof Rejected)) throw error;
}
