import type { TicketEvent } from '@beltway/contracts/ticketing/tickets';
import type { EventCanceledV1, EventState, EventStatus } from '@beltway/contracts/catalog/events';
import { endOf } from '@beltway/contracts/common/times';
import type { Pool } from 'pg';
import { int4s } from '@beltway/event-store';
import { batchLoaderByKey } from '@beltway/kit/batch-loader';
import { fieldsOf, type RowOf } from '@beltway/kit/columns';
import { anyOf, excluded } from '@beltway/kit/kysely';
import type { Queryable } from '@beltway/kit/postgres';
import { builtOnce, kysely } from '../db.ts';
import { listings } from '../generated/tables.ts';

/** What the catalog says of an event; ticketing keeps its own copy, of what anybody may see and of its organizer. */
export type Listing = RowOf<typeof listings> & { status: EventStatus };

const listingsByIds = builtOnce((db, eventIds: Buffer) =>
  db
    .selectFrom('listings')
    .selectAll()
    .where('eventId', '=', anyOf<number>(eventIds))
    .$narrowType<{ status: EventStatus }>(),
);

/** The listings there are of these events. */
export const listingsOf = async (db: Queryable, eventIds: number[]): Promise<Listing[]> =>
  eventIds.length === 0 ? [] : listingsByIds(db, int4s(eventIds));

export const listingById = batchLoaderByKey(
  (pool: Pool, ids: number[]) => listingsOf(pool, ids),
  ({ eventId }) => eventId,
);

/** As the API answers it. */
export const ticketEvent = ({
  eventId,
  organizerId: _organizer,
  catalogVersion: version,
  eventDate,
  ...shown
}: Listing): TicketEvent => ({
  id: eventId,
  version,
  eventDate: eventDate.toISOString(),
  ...shown,
});

/** The listing as it is, until this transaction ends; none was heard of before when it has no title. */
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
/** By `table()`, which names no column: messages fill a new one by themselves. */
const SAVE = listings.insert(
  fieldsOf(listings.columns),
  `${listings.onConflict(['eventId'], fieldsOf(replaced))},
     status = case listings.status when 'canceled' then listings.status else excluded.status end
   where listings.catalog_version <= excluded.catalog_version`,
);

/** Keeps the newest of what was heard; false: this is older. A canceled event stays canceled. */
export async function saveListing(db: Queryable, event: EventState): Promise<boolean> {
  const { rowCount } = await db.query(
    SAVE.text,
    SAVE.values({
      ...event,
      organizerId: event.ownerId,
      status: event.isPostponed ? 'postponed' : 'published',
      catalogVersion: event.version,
    }),
  );
  return rowCount === 1;
}

/**
 * Heard before the event itself, it is remembered by a row without a title, which the event's own message then fills.
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

/** The highest id of an event that is known here; 0 when none is. */
export async function newestListing(db: Queryable): Promise<number> {
  const { id } = await kysely(db)
    .selectFrom('listings')
    .select((eb) => eb.fn.max('eventId').as('id'))
    .executeTakeFirstOrThrow();
  return id ?? 0;
}

/** When sales end: as the organizer says, else when the event is over. UTC. */
export const closesAt = (
  event: Pick<EventState, 'salesEnd' | 'eventDate' | 'eventStartTime' | 'eventEndTime'>,
): string => event.salesEnd ?? endOf(event).toISOString();
