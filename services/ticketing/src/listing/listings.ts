import type { TicketEvent } from '@beltway/contracts/ticketing/tickets';
import type { EventCanceledV1, EventState, EventStatus } from '@beltway/contracts/catalog/events';
import { endOf } from '@beltway/contracts/common/times';
import type { Pool } from 'pg';
import { int4s } from '@beltway/event-store';
import { batchLoaderByKey } from '@beltway/kit/batch-loader';
import { fieldsOf, type RowOf } from '@beltway/kit/columns';
import { anyOf, excluded, type Of } from '@beltway/kit/kysely';
import type { Queryable } from '@beltway/kit/postgres';
import { kysely, statement } from '../db.ts';
import { listings } from '../generated/tables.ts';

/** Ticketing's copy of an event: the public fields from the catalog, and the event's organizer. */
export type Listing = RowOf<typeof listings> & { status: EventStatus };

const listingsByIds = statement((db, of: Of<{ eventIds: Buffer }>) =>
  db
    .selectFrom('listings')
    .selectAll()
    .where('eventId', '=', anyOf<number>(of('eventIds')))
    .$narrowType<{ status: EventStatus }>(),
);

/** The listings of these events; unknown events are left out. */
export const listingsOf = async (db: Queryable, eventIds: number[]): Promise<Listing[]> =>
  eventIds.length === 0 ? [] : listingsByIds.rows(db, { eventIds: int4s(eventIds) });

export const listingById = batchLoaderByKey(
  (pool: Pool, ids: number[]) => listingsOf(pool, ids),
  ({ eventId }) => eventId,
);

/** The listing as the API returns it. */
export const ticketEvent = ({
  eventId,
  organizerId: _organizer,
  catalogVersion: version,
  eventDate,
  eventLastDate,
  ...shown
}: Listing): TicketEvent => ({
  id: eventId,
  version,
  eventDate: eventDate.toISOString(),
  eventLastDate: eventLastDate?.toISOString() ?? null,
  ...shown,
});

/**
 * Locks the listing until the transaction ends, and returns it. undefined if no message with the event's title has
 * arrived yet.
 */
export async function lockListing(tx: Queryable, eventId: number): Promise<Listing | undefined> {
  const listing = await kysely(tx)
    .selectFrom('listings')
    .selectAll()
    .where('eventId', '=', eventId)
    .$narrowType<{ status: EventStatus }>()
    .forUpdate()
    .executeTakeFirst();
  return listing?.title === '' ? undefined : listing;
}

const { status: _status, ...replaced } = listings.columns;
/** Built by `table()` from all columns, so a new column is written without a change here. */
const SAVE = listings.insert(
  fieldsOf(listings.columns),
  `${listings.onConflict(['eventId'], fieldsOf(replaced))},
     status = case listings.status when 'canceled' then listings.status else excluded.status end
   where listings.catalog_version <= excluded.catalog_version`,
);

/**
 * Saves the state of an event. If the stored state is newer, changes nothing and returns false. A canceled event stays
 * canceled.
 */
export async function saveListing(db: Queryable, event: EventState): Promise<boolean> {
  const { rowCount } = await db.query(
    SAVE.text,
    SAVE.values({
      ...event,
      organizerId: event.ownerId,
      status: event.isPostponed ? 'postponed' : 'published',
      isSuspended: event.isSuspended === true,
      catalogVersion: event.version,
    }),
  );
  return rowCount === 1;
}

/**
 * Stores a cancellation. If its message arrives before the message about the event's publication, the row has no title
 * until the second message arrives.
 */
export const cancelListing = (db: Queryable, { eventId, ownerId: organizerId }: EventCanceledV1['data']) =>
  kysely(db)
    .insertInto('listings')
    .values({
      ...{ eventId, organizerId, title: '', location: '', eventDate: new Date(0), eventStartTime: '' },
      status: 'canceled',
    })
    .onConflict((conflict) => conflict.column('eventId').doUpdateSet((eb) => excluded(eb, ['status'])))
    .execute();

/** The highest known event id; 0 if there is none. */
export async function newestListing(db: Queryable): Promise<number> {
  const { id } = await kysely(db)
    .selectFrom('listings')
    .select((eb) => eb.fn.max('eventId').as('id'))
    .executeTakeFirstOrThrow();
  return id ?? 0;
}

/** The time at which sales end, in UTC: the time that the organizer set, or the end of the event. */
export const closesAt = (
  event: Pick<EventState, 'salesEnd' | 'eventDate' | 'eventLastDate' | 'eventStartTime' | 'eventEndTime'>,
): string => event.salesEnd ?? endOf(event).toISOString();
