import { BROADCAST } from '@beltway/contracts/media/broadcast';
import type { EventCanceledV1, EventPublishedV1, EventUpdatedV1 } from '@beltway/contracts/catalog/events';
import type { LivestreamChangedV1 } from '@beltway/contracts/catalog/livestream';
import { fieldsOf, type RowOf } from '@beltway/kit/columns';
import { excluded } from '@beltway/kit/kysely';
import type { Queryable } from '@beltway/kit/postgres';
import type { Broadcasts } from './stream.ts';
import { kysely } from '../db.ts';
import type { broadcastTerms } from '../generated/tables.ts';
import type { SignalHours } from './events.ts';

type TermsRow = RowOf<typeof broadcastTerms>;
/** The purchased terms of an event that has a live stream and a known owner. */
export type BroadcastTerms = { [Field in keyof TermsRow]: NonNullable<TermsRow[Field]> };

// Messages about an event and messages about its live stream arrive in any order. Each message writes only its own
// columns.
/** Values of the event's columns until the first message about the event arrives. */
const UNKNOWN = { title: '', isTicketed: true, eventStatus: 'unknown', eventVersion: 0, streamVersion: 0 };

/** Stores the event's owner, and whether viewers need a ticket. */
export async function keepEvent(db: Queryable, { data }: EventPublishedV1 | EventUpdatedV1): Promise<void> {
  const { eventId, title, ownerId, hasTickets: isTicketed, version: eventVersion } = data;
  const row = { ...UNKNOWN, eventId, title, ownerId, isTicketed, eventStatus: 'published', eventVersion };
  await kysely(db)
    .insertInto('broadcastTerms')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .column('eventId')
        .doUpdateSet((eb) => ({
          ...excluded(eb, ['title', 'ownerId', 'isTicketed', 'eventVersion']),
          // A canceled event stays canceled, even if another message arrives late.
          eventStatus: eb
            .case('broadcastTerms.eventStatus')
            .when('canceled')
            .then(eb.ref('broadcastTerms.eventStatus'))
            .else(eb.ref('excluded.eventStatus'))
            .end(),
        }))
        .whereRef('broadcastTerms.eventVersion', '<=', 'excluded.eventVersion'),
    )
    .execute();
}

/** Ends the broadcast of a canceled event permanently. */
export async function cancelWithEvent(
  { pool, broadcasts }: { pool: Queryable; broadcasts: Broadcasts },
  { data: { eventId }, id }: EventCanceledV1,
): Promise<void> {
  await kysely(pool)
    .insertInto('broadcastTerms')
    .values({ ...UNKNOWN, eventId, eventStatus: 'canceled' })
    .onConflict((conflict) => conflict.column('eventId').doUpdateSet((eb) => excluded(eb, ['eventStatus'])))
    .execute();
  if (!(await termsOf(pool, eventId))) return;
  await broadcasts.handle(eventId, { type: 'End', eventId, reason: 'canceled' }, { commandId: `${id}\0broadcast` });
}

/** Stores the hours and the purchased terms of the live stream. If the hours are over, the live stream ends. */
export async function keepStream(
  { pool, broadcasts }: { pool: Queryable; broadcasts: Broadcasts },
  { data, id }: LivestreamChangedV1,
): Promise<void> {
  const { eventId, startTime, endTime, maxViewers, chatEnabled, recordingEnabled } = data;
  const { status: streamStatus, version: streamVersion } = data;
  const stream = { streamStatus, startTime, endTime, maxViewers, chatEnabled, recordingEnabled, streamVersion };
  await kysely(pool)
    .insertInto('broadcastTerms')
    .values({ ...UNKNOWN, eventId, ...stream })
    .onConflict((conflict) =>
      conflict
        .column('eventId')
        .doUpdateSet((eb) => excluded(eb, fieldsOf(stream)))
        .whereRef('broadcastTerms.streamVersion', '<=', 'excluded.streamVersion'),
    )
    .execute();
  const known = await termsOf(pool, eventId);
  // The organizer may have bought another live stream since.
  if (known?.streamStatus !== 'ended') return;
  await broadcasts.handle(eventId, { type: 'End', eventId, reason: 'time' }, { commandId: `${id}\0broadcast` });
}

/** Undefined if the event has no known live stream. */
export const termsOf = (db: Queryable, eventId: number): Promise<BroadcastTerms | undefined> =>
  kysely(db)
    .selectFrom('broadcastTerms')
    .selectAll()
    .where('eventId', '=', eventId)
    .where('streamStatus', 'is not', null)
    .where('ownerId', 'is not', null)
    .$castTo<BroadcastTerms>()
    .executeTakeFirst();

/** The hours in which a signal is accepted. */
export const signalHours = (
  { startTime, endTime }: Pick<BroadcastTerms, 'startTime' | 'endTime'>,
  now: Date,
): SignalHours => ({
  now,
  opensAt: new Date(startTime.getTime() - BROADCAST.earlyMinutes * 60_000),
  closesAt: endTime,
});
