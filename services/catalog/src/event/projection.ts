import type { Projection, Recorded, Statements } from '@beltway/event-store';
import type { LivestreamStatus } from '@beltway/contracts/catalog/livestream';
import { indexEvent, moveToCanceled } from '../search/document.ts';
import { statement } from '../db.ts';
import { listings, promotions } from '../generated/tables.ts';
import { PLACE } from './place.ts';
import { DETAILS } from './details.ts';
import type { ListingEvent, Livestream, Running } from './events.ts';
import { placeColumnsOf, placeLocated, queueLookup } from './place.ts';

const PUBLISH = listings.insert([
  'eventId',
  'version',
  'changedAt',
  ...DETAILS,
  ...PLACE,
  'status',
  'organizerId',
  'seriesId',
  'createdAt',
]);
const UPDATE = listings.update('eventId', ['version', 'changedAt', ...DETAILS, ...PLACE]);
const STATUS = listings.update('eventId', ['status', 'version', 'changedAt']);
const RESCHEDULE = listings.update('eventId', ['status', 'version', 'changedAt', ...DETAILS, ...PLACE]);

const PROMOTE = listings.update('eventId', ['isSponsored', 'promotionLevel', 'promotionEndsAt']);
const UNPROMOTE = promotions.delete(['eventId']);
const IN_FORCE = promotions.insertMany(['level', 'endsAt'], { same: ['eventId'] });
/** Shown of several that are in force. */
const HIGHEST = ['livestream', 'premium', 'featured'] as const;

/** What is in force now, and nothing else. The version stays: its organizer sees no other event. */
function promote(sql: Statements, eventId: number, running: Running[]): void {
  const promotionLevel = HIGHEST.find((level) => running.some((one) => one.level === level)) ?? 'none';
  const promotionEndsAt =
    running
      .map(({ until }) => until)
      .sort()
      .at(-1) ?? null;
  sql.query(
    PROMOTE.text,
    PROMOTE.values({ eventId, isSponsored: running.length > 0, promotionLevel, promotionEndsAt }),
  );
  sql.query(UNPROMOTE.text, UNPROMOTE.values({ eventId }));
  if (running.length > 0)
    sql.query(
      IN_FORCE.text,
      IN_FORCE.values(running, { eventId: () => eventId, level: ({ level }) => level, endsAt: ({ until }) => until }),
    );
}

/** What was paid for promotions of it in all, in cents. */
const PAID = listings.update('eventId', ['promotionPaid'], ['promotionAmount']);

const LIVESTREAM = listings.update('eventId', [
  ...(['isLivestream', 'livestreamStatus', 'livestreamStartTime', 'livestreamEndTime'] as const),
  ...(['livestreamMaxViewers', 'livestreamChatEnabled', 'livestreamRecordingEnabled'] as const),
]);

/** The version stays, as with a promotion. */
function stream(sql: Statements, eventId: number, livestreamStatus: LivestreamStatus, of: Livestream): void {
  const row = {
    eventId,
    isLivestream: true,
    livestreamStatus,
    livestreamStartTime: of.startTime,
    livestreamEndTime: of.endTime,
    livestreamMaxViewers: of.maxViewers,
    livestreamChatEnabled: of.chatEnabled,
    livestreamRecordingEnabled: of.recordingEnabled,
  };
  sql.query(LIVESTREAM.text, LIVESTREAM.values(row));
}
const CANCEL_STREAM = statement<{ eventId: number }>((db, of) =>
  db
    .updateTable('listings')
    .set({ livestreamStatus: 'canceled' })
    .where('eventId', '=', of('eventId'))
    .where('isLivestream', '=', true)
    .where('livestreamStatus', 'in', ['scheduled', 'live']),
);

/**
 * The address leaves the listing, and the stored events of this stream too: the append that says so is one of two that change what is stored
 * (docs/decisions/0003). Done again by a rebuild it changes nothing.
 */
const NO_CONTACT = listings.update('eventId', ['contactEmail']);
/** Text: the event store's table. */
const ERASE_CONTACT = `update events set data = jsonb_set(data::jsonb, '{details,contactEmail}', '""')::json, fingerprint = null
     where stream = 'event-' || $1::integer and data::jsonb #>> '{details,contactEmail}' <> ''`;

/** What the feed, the cards and the event's page show, and what a search finds it by. One statement per event: an event changes seldom, so groups are of one. */
export const projectListings: Projection<ListingEvent> = (sql, group) => {
  for (const event of group) write(event);

  function write({ id, version, occurredAt, ...event }: Recorded<ListingEvent>): void {
    const key = { eventId: Number(id), version, changedAt: occurredAt };
    switch (event.type) {
      case 'EventPublished': {
        const { ownerId: organizerId, seriesId = null, details } = event.data;
        const row = {
          ...key,
          ...details,
          ...placeColumnsOf(details.location),
          status: 'published',
          organizerId,
          seriesId,
          createdAt: occurredAt,
        };
        queueLookup(sql, details.location);
        sql.query(PUBLISH.text, PUBLISH.values(row));
        placeLocated(sql, key.eventId);
        return indexEvent(sql, key.eventId, details);
      }
      case 'EventUpdated': {
        const { details } = event.data;
        queueLookup(sql, details.location);
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
        queueLookup(sql, details.location);
        sql.query(RESCHEDULE.text, RESCHEDULE.values(row));
        placeLocated(sql, key.eventId);
        return indexEvent(sql, key.eventId, details);
      }
      case 'PromotionStarted': {
        const { amountCents, running } = event.data;
        sql.query(PAID.text, PAID.values({ ...key, promotionPaid: true, promotionAmount: amountCents }));
        return promote(sql, key.eventId, running);
      }
      case 'LivestreamScheduled':
      case 'LivestreamMoved':
        return stream(sql, key.eventId, 'scheduled', event.data);
      case 'LivestreamStarted':
        return stream(sql, key.eventId, 'live', event.data);
      case 'LivestreamEnded':
        return stream(sql, key.eventId, 'ended', event.data);
      case 'PromotionEnded':
        return promote(sql, key.eventId, event.data.running);
      case 'PromotionReturned':
        if (event.data.running) promote(sql, key.eventId, event.data.running);
        return;
      case 'PromotionRefused':
        return; // nothing to show
      case 'ContactErased':
        sql.query(NO_CONTACT.text, NO_CONTACT.values({ ...key, contactEmail: '' }));
        return sql.query(ERASE_CONTACT, [key.eventId]);
      case 'EventCanceled':
        promote(sql, key.eventId, []);
        sql.query(CANCEL_STREAM.text, CANCEL_STREAM.values(key));
        sql.query(STATUS.text, STATUS.values({ ...key, status: 'canceled' }));
        return moveToCanceled(sql, key.eventId, version);
    }
  }
};
