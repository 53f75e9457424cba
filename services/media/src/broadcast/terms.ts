import { BROADCAST } from '@beltway/contracts/media/broadcast';
import type { EventCancelledV1, EventPublishedV1, EventUpdatedV1 } from '@beltway/contracts/catalog/events';
import type { LivestreamChangedV1 } from '@beltway/contracts/catalog/livestream';
import type { RowOf } from '@beltway/kit/columns';
import type { Queryable } from '@beltway/kit/postgres';
import type { Broadcasts } from './stream.ts';
import { broadcastTerms } from './columns.ts';
import type { SignalHours } from './events.ts';

type TermsRow = RowOf<typeof broadcastTerms>;
/** What was paid for, of an event that has a live stream and an owner. */
export type BroadcastTerms = { [Field in keyof TermsRow]: NonNullable<TermsRow[Field]> };

// Event and stream are told of in any order: each keeps its own part. What is cancelled stays so, whatever is heard late.
const EVENT = broadcastTerms.insert(
  ['eventId', 'title', 'ownerId', 'isTicketed', 'eventStatus', 'eventVersion', 'streamVersion'],
  `${broadcastTerms.onConflict(['eventId'], ['title', 'ownerId', 'isTicketed', 'eventVersion'])},
     event_status = case broadcast_terms.event_status when 'cancelled' then 'cancelled' else excluded.event_status end
   where broadcast_terms.event_version <= excluded.event_version`,
);
const CANCELLED = broadcastTerms.insert(
  ['eventId', 'title', 'isTicketed', 'eventStatus', 'eventVersion', 'streamVersion'],
  broadcastTerms.onConflict(['eventId'], ['eventStatus']),
);
const STREAM_FIELDS = [
  ...(['streamStatus', 'startTime', 'endTime', 'maxViewers', 'chatEnabled'] as const),
  ...(['recordingEnabled', 'streamVersion'] as const),
];
const STREAM = broadcastTerms.insert(
  ['eventId', 'title', 'isTicketed', 'eventStatus', 'eventVersion', ...STREAM_FIELDS],
  `${broadcastTerms.onConflict(['eventId'], STREAM_FIELDS)} where broadcast_terms.stream_version <= excluded.stream_version`,
);
/** Until the event is heard of. */
const UNKNOWN = { title: '', isTicketed: true, eventStatus: 'unknown', eventVersion: 0, streamVersion: 0 };

/** Keeps of an event whose it is, and whether viewers need a ticket. */
export async function keepEvent(db: Queryable, { data }: EventPublishedV1 | EventUpdatedV1): Promise<void> {
  const { eventId, title, ownerId, hasTickets: isTicketed, version: eventVersion } = data;
  const row = { ...UNKNOWN, eventId, title, ownerId, isTicketed, eventStatus: 'published', eventVersion };
  await db.query(EVENT.text, EVENT.values(row));
}

/** A broadcast of a cancelled event ends with it, for good. */
export async function cancelWithEvent(
  { pool, broadcasts }: { pool: Queryable; broadcasts: Broadcasts },
  { data: { eventId }, id }: EventCancelledV1,
): Promise<void> {
  await pool.query(CANCELLED.text, CANCELLED.values({ ...UNKNOWN, eventId, eventStatus: 'cancelled' }));
  if (!(await termsOf(pool, eventId))) return;
  await broadcasts.handle(eventId, { type: 'End', eventId, reason: 'cancelled' }, { commandId: `${id}\0broadcast` });
}

/** Keeps when the stream takes place and what was bought; one whose hours are over ends. */
export async function keepStream(
  { pool, broadcasts }: { pool: Queryable; broadcasts: Broadcasts },
  { data, id }: LivestreamChangedV1,
): Promise<void> {
  const { status: streamStatus, version: streamVersion, ...stream } = data;
  await pool.query(STREAM.text, STREAM.values({ ...UNKNOWN, ...stream, streamStatus, streamVersion }));
  const { eventId } = data;
  const known = await termsOf(pool, eventId);
  // Another one may have been bought since.
  if (known?.streamStatus !== 'ended') return;
  await broadcasts.handle(eventId, { type: 'End', eventId, reason: 'time' }, { commandId: `${id}\0broadcast` });
}

const TERMS = `select ${broadcastTerms.select()} from broadcast_terms
  where event_id = $1 and stream_status is not null and owner_id is not null`;

/** undefined where the event has no live stream, as far as anything was heard. */
export async function termsOf(db: Queryable, eventId: number): Promise<BroadcastTerms | undefined> {
  const { rows } = await db.query<BroadcastTerms>(TERMS, [eventId]);
  return rows[0];
}

/** When a signal is taken. */
export const signalHours = (
  { startTime, endTime }: Pick<BroadcastTerms, 'startTime' | 'endTime'>,
  now: Date,
): SignalHours => ({
  now,
  opensAt: new Date(startTime.getTime() - BROADCAST.earlyMinutes * 60_000),
  closesAt: endTime,
});
