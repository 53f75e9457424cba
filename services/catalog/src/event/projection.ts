import type { Projection, Recorded } from '@beltway/event-store';
import type { Details, ListingEvent } from './events.ts';

const valuesOf = (id: string, version: number, d: Details) => [
  ...[Number(id), version, d.title, d.description, d.location, d.pictureUrl, d.videoUrl, d.tags],
  ...[d.eventDate, d.eventStartTime, d.eventEndTime, d.contactEmail],
  ...[d.hasTickets, d.ticketSalesEnabled, d.priceCents, d.capacity, d.salesStart, d.salesEnd],
];

const COLUMNS = `event_id, version, title, description, location, picture_url, video_url, tags,
  event_date, event_start_time, event_end_time, contact_email,
  has_tickets, ticket_sales_enabled, price_cents, capacity, sales_start, sales_end`;
const PLACES = Array.from({ length: 18 }, (_, index) => `$${index + 1}`).join(', ');

const PUBLISH = `insert into listings (${COLUMNS}, status, owner_id, created_at) values (${PLACES}, 'published', $19, $20)`;
const UPDATE = `update listings set (${COLUMNS}) = row (${PLACES}) where event_id = $1`;
const CANCEL = `update listings set status = 'cancelled', version = $2 where event_id = $1`;

/** What the feed, the cards and the event's page show. One statement per event: an event changes seldom, so groups are of one. */
export const projectListings: Projection<ListingEvent> = (sql, group) => {
  for (const event of group) write(event);

  function write({ id, version, occurredAt, ...event }: Recorded<ListingEvent>): void {
    switch (event.type) {
      case 'EventPublished':
        return sql.query(PUBLISH, [...valuesOf(id, version, event.data.details), event.data.ownerId, occurredAt]);
      case 'EventUpdated':
        return sql.query(UPDATE, valuesOf(id, version, event.data.details));
      case 'EventCancelled':
        return sql.query(CANCEL, [Number(id), version]);
    }
  }
};
