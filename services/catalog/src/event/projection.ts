import type { Projection, Recorded, Statements } from '@beltway/event-store';
import type { LivestreamStatus } from '@beltway/contracts/catalog/livestream';
import type { Of } from '@beltway/kit/kysely';
import { indexEvent, moveToCanceled, removeFromIndex } from '../search/document.ts';
import { statement } from '../db.ts';
import { listings, promotions } from '../generated/tables.ts';
import { PLACE } from './place.ts';
import { DETAILS } from './details.ts';
import type { ListingEvent, Livestream, Running, Whole } from './events.ts';
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
const SUSPEND = listings.update('eventId', ['status', 'suspendedWithoutDate', 'version', 'changedAt']);

const PROMOTE = listings.update('eventId', ['isSponsored', 'promotionLevel', 'promotionEndsAt']);
const UNPROMOTE = promotions.delete(['eventId']);
const IN_FORCE = promotions.insertMany(['level', 'endsAt'], { same: ['eventId'] });
/** If several levels are in force, the first of these is shown. */
const HIGHEST = ['livestream', 'premium', 'featured'] as const;

/**
 * Writes the levels in force. Keeps the listing's version, because a promotion does not change what the organizer sees.
 */
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

/** Adds to the total paid for an event's promotions, in cents. */
const PAID = listings.update('eventId', ['promotionPaid'], ['promotionAmount']);

const LIVESTREAM = listings.update('eventId', [
  ...(['isLivestream', 'livestreamStatus', 'livestreamStartTime', 'livestreamEndTime'] as const),
  ...(['livestreamMaxViewers', 'livestreamChatEnabled', 'livestreamRecordingEnabled'] as const),
]);

/** Writes the live stream. Keeps the listing's version, as `promote` does. */
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
const CANCEL_STREAM = statement((db, of: Of<{ eventId: number }>) =>
  db
    .updateTable('listings')
    .set({ livestreamStatus: 'canceled' })
    .where('eventId', '=', of('eventId'))
    .where('isLivestream', '=', true)
    .where('livestreamStatus', 'in', ['scheduled', 'live']),
);

/**
 * Removes the contact email address from the listing and from the stored events of its stream. Only two kinds of log
 * events change stored events (docs/decisions/0003). Idempotent in a rebuild.
 */
const NO_CONTACT = listings.update('eventId', ['contactEmail']);
/** Plain SQL, because the events table belongs to the event store. */
const ERASE_CONTACT = `update events set data = jsonb_set(data::jsonb, '{details,contactEmail}', '""')::json, fingerprint = null
     where stream = 'event-' || $1::integer and data::jsonb #>> '{details,contactEmail}' <> ''`;

/**
 * Writes the listings for feeds, cards and event pages, and the search index. Runs one statement per event, because a
 * group rarely contains several events.
 */
export const projectListings: Projection<ListingEvent> = (sql, group) => {
  for (const event of group) write(event);

  /** Lists select events by `status`. So if a suspended event is also postponed, a separate column stores this. */
  function stand(
    key: { eventId: number; version: number; changedAt: Date },
    { isSuspended = false }: { isSuspended?: boolean },
    status: 'published' | 'postponed',
  ): void {
    const suspendedWithoutDate = isSuspended && status === 'postponed';
    sql.query(
      SUSPEND.text,
      SUSPEND.values({ ...key, status: isSuspended ? 'suspended' : status, suspendedWithoutDate }),
    );
  }

  function index(eventId: number, { details, isSuspended }: Omit<Whole, 'ownerId'>, isPostponed: boolean): void {
    if (isSuspended) removeFromIndex(sql, eventId);
    else indexEvent(sql, eventId, { ...details, isPostponed });
  }

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
        return index(key.eventId, event.data, event.data.isPostponed === true);
      }
      case 'EventPostponed':
        stand(key, event.data, 'postponed');
        return index(key.eventId, event.data, true);
      case 'EventRescheduled': {
        const { details } = event.data;
        const row = { ...key, ...details, ...placeColumnsOf(details.location), status: 'published' };
        queueLookup(sql, details.location);
        sql.query(RESCHEDULE.text, RESCHEDULE.values(row));
        stand(key, event.data, 'published');
        placeLocated(sql, key.eventId);
        return index(key.eventId, event.data, false);
      }
      case 'EventSuspended':
      case 'EventResumed': {
        const isPostponed = event.data.isPostponed === true;
        stand(key, event.data, isPostponed ? 'postponed' : 'published');
        // The geocoding service may have found the place in the meantime.
        placeLocated(sql, key.eventId);
        return index(key.eventId, event.data, isPostponed);
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
