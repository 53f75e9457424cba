import type { Pool } from 'pg';
import { endOf } from '@beltway/contracts/common/times';
import { Rejected } from '@beltway/event-store';
import { forgetRequests } from '@beltway/kit/once';
import { erasuresOf, highestAccountOf, personal } from '@beltway/kit/personal-data';
import { transaction } from '@beltway/kit/postgres';
import { sql } from 'kysely';
import { kysely } from './db.ts';
import * as tables from './generated/tables.ts';
import { removeReactions } from './engagement/reactions.ts';
import type { Listings } from './event/stream.ts';
import { listingById, statusOf } from './event/queries.ts';

/** Replaces the name of an erased account. */
export const DELETED_ACCOUNT = 'Deleted account';

const EVENTS_STAY = 'The events end one after the other, by their rules.';

/** The catalog's personal data. */
export const PERSONAL = [
  personal(tables.listings, 'organizerId', {
    exported: {
      as: 'events',
      fields: [
        ...([
          'eventId as id',
          'title',
          'description',
          'location',
          'eventDate',
          'eventLastDate',
          'eventStartTime',
        ] as const),
        ...(['contactEmail', 'pictureUrl', 'status', 'createdAt'] as const),
      ],
      newest: 'createdAt',
    },
    erasure: { elsewhere: EVENTS_STAY },
  }),
  personal(tables.eventReactions, 'userId', {
    exported: { as: 'reactions', fields: ['kind', 'value', 'eventId', 'createdAt'], newest: 'createdAt' },
    erasure: { elsewhere: 'Counts of events change with them (engagement/reactions.ts).' },
  }),
  personal(tables.follows, 'followerId', {
    exported: { as: 'follows', fields: ['organizerId', 'createdAt'], newest: 'createdAt' },
    erasure: 'delete',
  }),
  personal(tables.follows, 'organizerId', { erasure: 'delete' }),
  personal(tables.organizerProfiles, 'userId', {
    exported: { as: 'organizerProfile', fields: ['about', 'links', 'pictureUrl', 'coverUrl', 'updatedAt'], one: true },
    erasure: 'delete',
  }),
  personal(tables.savedSearches, 'userId', {
    exported: { as: 'savedSearches', fields: ['name', 'search', 'savedAt'], newest: 'savedAt' },
    erasure: 'delete',
  }),
  personal(tables.eventSeries, 'organizerId', {
    erasure: { elsewhere: 'Dates that are not published yet never are.' },
  }),
  personal(tables.organizerSuspensions, 'userId', {
    erasure: { elsewhere: 'A number without a name; the account is gone.' },
  }),
  personal(tables.accounts, 'userId', { erasure: { set: { name: DELETED_ACCOUNT } } }),
];

/** Finds the highest account id in these columns, so that identity never assigns an existing id to a new account. */
export const HIGHEST_ACCOUNT = highestAccountOf(PERSONAL);

export interface ErasureDeps {
  pool: Pool;
  listings: Listings;
  clock: () => Date;
}

/**
 * Erases an account: cancels its upcoming events, removes the contact email address from all its events, and deletes
 * its likes, follows and name. Past events stay, with a deleted account as their organizer.
 */
export async function erasePerson(deps: ErasureDeps, userId: number): Promise<void> {
  const { pool, listings, clock } = deps;
  const events = await kysely(pool)
    .selectFrom('listings')
    .select('eventId')
    .where('organizerId', '=', userId)
    .orderBy('eventId')
    .execute();
  for (const { eventId } of events) {
    const listing = await listingById(pool, eventId);
    const isToCome =
      listing && listing.status !== 'canceled' && (statusOf(listing) === 'postponed' || endOf(listing) > clock());
    if (isToCome)
      await listings
        .handle(
          eventId,
          { type: 'CancelEvent', at: clock().toISOString() },
          { commandId: `organizer-erased\0${userId}\0${eventId}` },
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
    for (const statement of erasuresOf(PERSONAL)) await tx.query(statement, [userId]);
    const db = kysely(tx);
    await db.deleteFrom('eventShares').where('sharer', '=', `user:${userId}`).execute();
    // Deletes the unpublished dates of the account's series.
    await db
      .updateTable('eventSeries')
      .set((eb) => ({ details: null, publishedAt: eb.fn.coalesce('publishedAt', sql<Date>`now()`) }))
      .where('organizerId', '=', userId)
      .where('details', 'is not', null)
      .execute();
    await forgetRequests(tx, userId);
  });
}

function ignoreRejected(error: unknown): void {
  if (!(error instanceof Rejected)) throw error;
}
