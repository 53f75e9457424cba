import type { Projection, Recorded } from '@beltway/event-store';
import { indexEvent, moveToCancelled } from '../search/document.ts';
import { DETAILS, PLACE, listings } from './columns.ts';
import type { ListingEvent } from './events.ts';
import { noteLocation, placeColumnsOf, placeLocated } from './place.ts';

const PUBLISH = listings.insert([
  'eventId',
  'version',
  'changedAt',
  ...DETAILS,
  ...PLACE,
  'status',
  'organiserId',
  'seriesId',
  'createdAt',
]);
const UPDATE = listings.update('eventId', ['version', 'changedAt', ...DETAILS, ...PLACE]);
const STATUS = listings.update('eventId', ['status', 'version', 'changedAt']);
const RESCHEDULE = listings.update('eventId', ['status', 'version', 'changedAt', ...DETAILS, ...PLACE]);

/** What the feed, the cards and the event's page show, and what a search finds it by. One statement per event: an event changes seldom, so groups are of one. */
export const projectListings: Projection<ListingEvent> = (sql, group) => {
  for (const event of group) write(event);

  function write({ id, version, occurredAt, ...event }: Recorded<ListingEvent>): void {
    const key = { eventId: Number(id), version, changedAt: occurredAt };
    switch (event.type) {
      case 'EventPublished': {
        const { ownerId: organiserId, seriesId = null, details } = event.data;
        const row = {
          ...key,
          ...details,
          ...placeColumnsOf(details.location),
          status: 'published',
          organiserId,
          seriesId,
          createdAt: occurredAt,
        };
        noteLocation(sql, details.location);
        sql.query(PUBLISH.text, PUBLISH.values(row));
        placeLocated(sql, key.eventId);
        return indexEvent(sql, key.eventId, details);
      }
      case 'EventUpdated': {
        const { details } = event.data;
        noteLocation(sql, details.location);
        sql.query(UPDATE.text, UPDATE.values({ ...key, ...details, ...placeColumnsOf(details.location) }));
        placeLocated(sql, key.eventId);
        return indexEvent(sql, key.eventId, { ...details, isPostponed: event.data.isPostponed === true });
      }
      case 'EventPostponed':
        sql.query(STATUS.text, STATUS.values({ ...key, status: 'postponed' }));
        return indexEvent(sql, key.eventId, { ...event.data.details, isPostponed: true });
      case 'EventRescheduled': {
        const { details } = event.data;
        const row = { ...key, ...details, ...placeColumnsOf(details.location), status: 'published' };
        noteLocation(sql, details.location);
        sql.query(RESCHEDULE.text, RESCHEDULE.values(row));
        placeLocated(sql, key.eventId);
        return indexEvent(sql, key.eventId, details);
      }
      case 'EventCancelled':
        sql.query(STATUS.text, STATUS.values({ ...key, status: 'cancelled' }));
        return moveToCancelled(sql, key.eventId, version);
    }
  }
};
