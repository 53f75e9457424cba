import type { TicketEvent } from '@beltway/contracts/ticketing';
import type { EventCancelledV1, EventState } from '@beltway/contracts/catalog';
import { endOf } from '@beltway/contracts/times';
import type { Pool } from 'pg';
import { int4s } from '@beltway/event-store';
import { batchLoaderByKey } from '@beltway/kit/batch-loader';
import type { Queryable } from '@beltway/kit/postgres';

/** What the catalog says of an event; ticketing keeps its own copy. */
export interface Listing {
  eventId: number;
  ownerId: number;
  title: string;
  location: string;
  imageUrl: string | null;
  eventDate: Date;
  eventStartTime: string;
  eventEndTime: string | null;
  status: 'published' | 'cancelled';
}

const COLUMNS = `event_id as "eventId", owner_id as "ownerId", title, location, image_url as "imageUrl", event_date as "eventDate",
  event_start_time as "eventStartTime", event_end_time as "eventEndTime", status`;

/** The listings there are of these events. */
export async function listingsOf(pool: Pool, eventIds: number[]): Promise<Listing[]> {
  if (eventIds.length === 0) return [];
  const { rows } = await pool.query<Listing>({
    name: 'listings-of',
    text: `select ${COLUMNS} from listings where event_id = any($1)`,
    values: [int4s(eventIds)],
  });
  return rows;
}

export const listingById = batchLoaderByKey(listingsOf, ({ eventId }) => eventId);

export const ticketEvent = (listing: Listing): TicketEvent => ({
  id: listing.eventId,
  title: listing.title,
  location: listing.location,
  imageUrl: listing.imageUrl,
  eventDate: listing.eventDate.toISOString(),
  eventStartTime: listing.eventStartTime,
  eventEndTime: listing.eventEndTime,
  status: listing.status,
});

/** Keeps the newest of what was heard. A cancelled event stays cancelled. */
export const saveListing = (db: Queryable, event: EventState) =>
  db.query(
    `insert into listings (event_id, owner_id, title, location, image_url, event_date, event_start_time, event_end_time, catalog_version)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     on conflict (event_id) do update set owner_id = $2, title = $3, location = $4, image_url = $5, event_date = $6, event_start_time = $7, event_end_time = $8,
       catalog_version = $9
     where listings.catalog_version <= $9`,
    [
      event.eventId,
      event.ownerId,
      event.title,
      event.location,
      event.imageUrl,
      event.eventDate,
      event.eventStartTime,
      event.eventEndTime,
      event.version ?? 0,
    ],
  );

/** Heard before the event itself, it is remembered by a row without a title, which the event's own message then fills. */
export const cancelListing = (db: Queryable, { eventId, ownerId }: EventCancelledV1['data']) =>
  db.query(
    `insert into listings (event_id, owner_id, title, location, event_date, event_start_time, status)
     values ($1, $2, '', '', 'epoch', '', 'cancelled')
     on conflict (event_id) do update set status = 'cancelled'`,
    [eventId, ownerId],
  );

/** When sales end: as the organiser says, else when the event is over. UTC. */
export const closesAt = (
  event: Pick<EventState, 'salesEnd' | 'eventDate' | 'eventStartTime' | 'eventEndTime'>,
): string => event.salesEnd ?? endOf(event).toISOString();
