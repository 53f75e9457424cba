import type { Projection, Recorded } from '@beltway/event-store';
import { DETAILS, listings } from './columns.ts';
import type { ListingEvent } from './events.ts';

const PUBLISH = listings.insert(['eventId', 'version', ...DETAILS, 'status', 'organiserId', 'createdAt']);
const UPDATE = listings.update('eventId', ['version', ...DETAILS]);
const CANCEL = listings.update('eventId', ['status', 'version']);

/** What the feed, the cards and the event's page show. One statement per event: an event changes seldom, so groups are of one. */
export const projectListings: Projection<ListingEvent> = (sql, group) => {
  for (const event of group) write(event);

  function write({ id, version, occurredAt, ...event }: Recorded<ListingEvent>): void {
    const key = { eventId: Number(id), version };
    switch (event.type) {
      case 'EventPublished': {
        const { ownerId: organiserId, details } = event.data;
        const row = { ...key, ...details, status: 'published', organiserId, createdAt: occurredAt };
        return sql.query(PUBLISH.text, PUBLISH.values(row));
      }
      case 'EventUpdated':
        return sql.query(UPDATE.text, UPDATE.values({ ...key, ...event.data.details }));
      case 'EventCancelled':
        return sql.query(CANCEL.text, CANCEL.values({ ...key, status: 'cancelled' }));
    }
  }
};
