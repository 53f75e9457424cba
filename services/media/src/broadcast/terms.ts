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
/** What was paid for, of an event that has a live stream and an owner. */
export type BroadcastTerms = { [Field in keyof TermsRow]: NonNullable<TermsRow[Field]> };

// Messages about event and stream arrive in any order: each keeps its own part.
/** Until the event is heard of. */
const UNKNOWN = { title: '', isTicketed: true, eventStatus: 'unknown', eventVersion: 0, streamVersion: 0 };

/** Keeps of an event whose it is, and whether viewers need a ticket. */
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
          // A canceled event stays canceled, whatever arrives late.
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

/** A broadcast of a canceled event ends with it, for good. */
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

/** Keeps when the stream takes place and what was bought; one whose hours are over ends. */
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
  // Another one may have been bought since.
  if (known?.streamStatus !== 'ended') return;
  await broadcasts.handle(eventId, { type: 'End', eventId, reason: 'time' }, { commandId: `${id}\0broadcast` });
}

/** undefined where the event has no live stream, as far as anything was heard. */
export const termsOf = (db: Queryable, eventId: number): Promise<BroadcastTerms | undefined> =>
  kysely(db)
    .selectFrom('broadcastTerms')
    .selectAll()
    .where('eventId', '=', eventId)
    .where('streamStatus', 'is not', null)
    .where('ownerId', 'is not', null)
    .$castTo<BroadcastTerms>()
    .executeTakeFirst();

/** When a signal is taken. */
export const signalHours = (
  { startTime, endTime }: Pick<BroadcastTerms, 'startTime' | 'endTime'>,
  now: Date,
): SignalHours => ({
  now,
  opensAt: new Date(startTime.getTime() - BROADCAST.earlyMinutes * 60_000),
  closesAt: endTime,
});
