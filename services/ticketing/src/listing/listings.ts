import type { TicketEvent } from '@beltway/contracts/ticketing/tickets';
import type { EventCancelledV1, EventState, EventStatus } from '@beltway/contracts/catalog/events';
import { endOf } from '@beltway/contracts/common/times';
import type { Pool } from 'pg';
import { int4s } from '@beltway/event-store';
import { batchLoaderByKey } from '@beltway/kit/batch-loader';
import { fieldsOf, type RowOf } from '@beltway/kit/columns';
import type { Queryable } from '@beltway/kit/postgres';
import { listings } from '../columns.ts';
import { kysely } from '../db.ts';

/** What the catalog says of an event; ticketing keeps its own copy, of what anybody may see and of its organiser. */
export type Listing = Omit<RowOf<typeof listings>, 'status'> & {
  status: EventStatus;
};

const { status: _status, ...replaced } = listings.columns;
const SELECT = `select ${listings.select()} from listings where event_id = any($1)`;
const SAVE = listings.insert(
  fieldsOf(listings.columns),
  `${listings.onConflict(['eventId'], fieldsOf(replaced))},
     status = case listings.status when 'cancelled' then listings.status else excluded.status end
   where listings.catalog_version <= excluded.catalog_version`,
);
const CANCEL = listings.insert(
  ['eventId', 'organiserId', 'title', 'location', 'eventDate', 'eventStartTime', 'status'],
  listings.onConflict(['eventId'], ['status']),
);

/** The listings there are of these events. */
export async function listingsOf(db: Queryable, eventIds: number[]): Promise<Listing[]> {
  if (eventIds.length === 0) return [];
  const { rows } = await db.query<Listing>({
    name: 'listings-of',
    text: SELECT,
    values: [int4s(eventIds)],
  });
  return rows;
}

export const listingById = batchLoaderByKey(
  (pool: Pool, ids: number[]) => listingsOf(pool, ids),
  ({ eventId }) => eventId,
);

/** As the API answers it. */
export const ticketEvent = ({
  eventId,
  organiserId: _organiser,
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
  const { rows } = await tx.query<Listing>(`${SELECT} for update`, [[eventId]]);
  return rows[0]?.title === '' ? undefined : rows[0];
}

/** Keeps the newest of what was heard; false: this is older. A cancelled event stays cancelled. */
export async function saveListing(db: Queryable, event: EventState): Promise<boolean> {
  const { rowCount } = await db.query(
    SAVE.text,
    SAVE.values({
      ...event,
      organiserId: event.ownerId,
      status: event.isPostponed ? 'postponed' : 'published',
      catalogVersion: event.version,
    }),
  );
  return rowCount === 1;
}

/**
 * Heard before the event itself, it is remembered by a row without a title, which the event's own message then fills.
 */
export const cancelListing = (db: Queryable, { eventId, ownerId: organiserId }: EventCancelledV1['data']) => {
  const empty = { title: '', location: '', eventDate: new Date(0), eventStartTime: '' };
  return db.query(CANCEL.text, CANCEL.values({ eventId, organiserId, ...empty, status: 'cancelled' }));
};

/** The highest id of an event that is known here; 0 when none is. */
export async function newestListing(db: Queryable): Promise<number> {
  const { id } = await kysely(db)
    .selectFrom('listings')
    .select((eb) => eb.fn.max('eventId').as('id'))
    .executeTakeFirstOrThrow();
  return id ?? 0;
}

/** When sales end: as the organiser says, else when the event is over. UTC. */
export const closesAt = (
  event: Pick<EventState, 'salesEnd' | 'eventDate' | 'eventStartTime' | 'eventEndTime'>,
): string => event.salesEnd ?? endOf(event).toISOString();
