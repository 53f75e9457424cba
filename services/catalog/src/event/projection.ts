import { DEFAULT_REFUND_DEADLINE_HOURS } from '@beltway/contracts/refunds';
import type { Projection, Recorded, Statements } from '@beltway/event-store';
import { indexEvent, moveToCancelled } from '../search/document.ts';
import { DETAILS, PLACE, listings } from './columns.ts';
import type { Details, ListingEvent, Running } from './events.ts';
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

const PROMOTE = listings.update('eventId', ['isSponsored', 'promotionLevel']);
/** Shown of several that are in force. */
const HIGHEST = ['livestream', 'premium', 'featured'] as const;

/** What is in force now, and nothing else. The version stays: its organiser sees no other event. */
function promote(sql: Statements, eventId: number, running: Running[]): void {
  const promotionLevel = HIGHEST.find((level) => running.some((one) => one.level === level)) ?? 'none';
  sql.query(PROMOTE.text, PROMOTE.values({ eventId, isSponsored: running.length > 0, promotionLevel }));
  sql.query('delete from promotions where event_id = $1', [eventId]);
  if (running.length > 0)
    sql.query(
      'insert into promotions (event_id, level, ends_at) select $1, * from unnest($2::text[], $3::timestamptz[])',
      [eventId, running.map(({ level }) => level), running.map(({ until }) => until)],
    );
}

/** Events of before this could be said have the default. */
const whole = (details: Details): Details & { refundDeadlineHours: number | null } => ({
  ...details,
  refundDeadlineHours:
    details.refundDeadlineHours === undefined ? DEFAULT_REFUND_DEADLINE_HOURS : details.refundDeadlineHours,
});

/** What the feed, the cards and the event's page show, and what a search finds it by. One statement per event: an event changes seldom, so groups are of one. */
export const projectListings: Projection<ListingEvent> = (sql, group) => {
  for (const event of group) write(event);

  function write({ id, version, occurredAt, ...event }: Recorded<ListingEvent>): void {
    const key = { eventId: Number(id), version, changedAt: occurredAt };
    switch (event.type) {
      case 'EventPublished': {
        const { ownerId: organiserId, seriesId = null } = event.data;
        const details = whole(event.data.details);
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
        const details = whole(event.data.details);
        noteLocation(sql, details.location);
        sql.query(UPDATE.text, UPDATE.values({ ...key, ...details, ...placeColumnsOf(details.location) }));
        placeLocated(sql, key.eventId);
        return indexEvent(sql, key.eventId, { ...details, isPostponed: event.data.isPostponed === true });
      }
      case 'EventPostponed':
        sql.query(STATUS.text, STATUS.values({ ...key, status: 'postponed' }));
        return indexEvent(sql, key.eventId, { ...event.data.details, isPostponed: true });
      case 'EventRescheduled': {
        const details = whole(event.data.details);
        const row = { ...key, ...details, ...placeColumnsOf(details.location), status: 'published' };
        noteLocation(sql, details.location);
        sql.query(RESCHEDULE.text, RESCHEDULE.values(row));
        placeLocated(sql, key.eventId);
        return indexEvent(sql, key.eventId, details);
      }
      case 'PromotionStarted':
      case 'PromotionEnded':
        return promote(sql, key.eventId, event.data.running);
      case 'PromotionRefused':
        return; // nothing to show
      case 'EventCancelled':
        promote(sql, key.eventId, []);
        sql.query(STATUS.text, STATUS.values({ ...key, status: 'cancelled' }));
        return moveToCancelled(sql, key.eventId, version);
    }
  }
};
