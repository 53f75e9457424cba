import { said } from '@beltway/kit/problems';
import {
  type Broadcast,
  type BroadcastEndReason,
  type BroadcastSource,
  type IngestState,
  type Playback,
  type Recording,
  type ViewerBar,
} from '@beltway/contracts/media/broadcast';
import type { LivestreamCategory, LivestreamStatus } from '@beltway/contracts/catalog/livestream';
import type { RowOf } from '@beltway/kit/columns';
import { ago } from '@beltway/kit/kysely';
import type { Queryable } from '@beltway/kit/postgres';
import { kysely } from '../db.ts';
import type { broadcasts } from '../generated/tables.ts';
import { notNow, type NotTaken } from './decider.ts';
import { viewersOf } from './seats.ts';
import type { Signing } from './signing.ts';
import { signalHours, type BroadcastTerms } from './terms.ts';

export type BroadcastRow = Omit<RowOf<typeof broadcasts>, 'status' | 'source' | 'endReason' | 'clip'> & {
  status: 'waiting' | 'live' | 'ended' | 'canceled';
  source: BroadcastSource | null;
  endReason: BroadcastEndReason | null;
  clip: LivestreamCategory | null;
};

/** How long a recording's signed URL works, in ms. */
const RECORDING_OPENS_MS = 6 * 3_600_000;

/** The state of a broadcast; undefined until the broadcast has a key or a signal. */
export const broadcastRow = (db: Queryable, eventId: number): Promise<BroadcastRow | undefined> =>
  kysely(db)
    .selectFrom('broadcasts')
    .selectAll()
    .where('eventId', '=', eventId)
    .$castTo<BroadcastRow>()
    .executeTakeFirst();

/** The status shown to users. A broadcast that never started also ends when its hours are over. */
export function statusOf(row: BroadcastRow | undefined, terms: BroadcastTerms): LivestreamStatus {
  if (terms.eventStatus === 'canceled' || row?.status === 'canceled') return 'canceled';
  if (row?.status === 'live') return 'live';
  return row?.status === 'ended' || terms.streamStatus === 'ended' ? 'ended' : 'scheduled';
}

export async function recordingsOf(
  { pool, signing }: { pool: Queryable; signing: Signing },
  eventId: number,
  now: Date,
): Promise<Recording[]> {
  const rows = await kysely(pool)
    .selectFrom('broadcastRecordings')
    .selectAll()
    .where('eventId', '=', eventId)
    .orderBy('startedAt')
    .limit(100)
    .execute();
  // The URL stays the same for 15 minutes, so that a player continues when the browser fetches the URL again.
  const until = String(Math.ceil(now.getTime() / 900_000) * 900_000 + RECORDING_OPENS_MS);
  return rows.map(({ session: id, startedAt, durationMs, bytes }) => ({
    id,
    startedAt: startedAt.toISOString(),
    durationSeconds: Number(durationMs) / 1_000,
    bytes: Number(bytes),
    url: `/media/recordings/${id}/${until}-${signing.sign('recording', id, until)}.mp4`,
  }));
}

/** Whether signals are accepted now, and at which URL. */
export async function ingestState(db: Queryable, eventId: number): Promise<IngestState> {
  // A running ingest: preferably with a URL for encoders, otherwise the ingest that was seen last.
  const found = await kysely(db)
    .selectFrom('broadcastIngests')
    .select(['rtmpUrl', 'hasWhip', 'reason'])
    .where('seenAt', '>', ago('10 seconds'))
    .orderBy(({ eb }) => eb('rtmpUrl', 'is', null))
    .orderBy('seenAt', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!found) return { rtmpUrl: null, whipUrl: null, reason: said('ingest-unavailable.nowhere') };
  const { rtmpUrl, hasWhip, reason } = found;
  return {
    rtmpUrl,
    whipUrl: hasWhip ? `/api/broadcasts/${eventId}/whip` : null,
    reason: reason === null ? null : said(reason as NotTaken),
  };
}

/** Everything that the broadcast's owner sees. */
export async function broadcastOf(
  deps: { pool: Queryable; signing: Signing },
  terms: BroadcastTerms,
  now: Date,
): Promise<Broadcast> {
  const { pool } = deps;
  const { eventId } = terms;
  const row = await broadcastRow(pool, eventId);
  const viewers = await viewersOf(pool, [eventId]);
  const db = kysely(pool);
  const audience = await db
    .selectFrom('broadcastAudiences')
    .select(['total', 'peak'])
    .where('eventId', '=', eventId)
    .executeTakeFirst();
  const points = await db
    .selectFrom('broadcastMinutes')
    .select(['at', 'viewers'])
    .where('eventId', '=', eventId)
    .orderBy('at', 'desc')
    .limit(720)
    .execute();
  const pending = await db
    .selectFrom('broadcastPending')
    .select('session')
    .where('eventId', '=', eventId)
    .limit(1)
    .executeTakeFirst();
  const status = statusOf(row, terms);
  const why = notNow(status === 'canceled' ? 'canceled' : (row?.status ?? 'waiting'), signalHours(terms, now));
  const streamKey =
    row?.keyMadeAt && row.keyEnding !== null ? { madeAt: row.keyMadeAt.toISOString(), ending: row.keyEnding } : null;
  return {
    eventId,
    title: terms.title,
    status,
    ...paidFor(terms),
    isTicketed: terms.isTicketed,
    source: row?.source ?? null,
    isReceiving: row?.isReceiving ?? false,
    liveSince: row?.liveSince?.toISOString() ?? null,
    endedAt: row?.endedAt?.toISOString() ?? null,
    endReason: row?.endReason ?? null,
    canStart: why === null,
    notNow: why && said(why),
    ingest: await ingestState(pool, eventId),
    streamKey,
    livestreamUrl: row?.livestreamUrl ?? null,
    viewers: {
      now: viewers.get(eventId) ?? 0,
      peak: audience?.peak ?? 0,
      total: audience?.total ?? 0,
      points: points.toReversed().map(({ at, viewers: count }) => ({ at: at.toISOString(), viewers: count })),
    },
    recordings: await recordingsOf(deps, eventId, now),
    isRecordingPending: pending !== undefined,
  };
}

const paidFor = (terms: BroadcastTerms) => ({
  startTime: terms.startTime.toISOString(),
  endTime: terms.endTime.toISOString(),
  maxViewers: terms.maxViewers,
  chatEnabled: terms.chatEnabled,
  recordingEnabled: terms.recordingEnabled,
});

/** What a viewer sees. `bar`: why the viewer may not watch. */
export async function playbackOf(
  deps: { pool: Queryable; signing: Signing },
  terms: BroadcastTerms,
  bar: Exclude<ViewerBar, 'full'> | null,
  now: Date,
): Promise<Playback> {
  const { eventId } = terms;
  const row = await broadcastRow(deps.pool, eventId);
  const viewers = (await viewersOf(deps.pool, [eventId])).get(eventId) ?? 0;
  const { recordingEnabled: _recording, ...paid } = paidFor(terms);
  const status = statusOf(row, terms);
  const isFull = status === 'live' && viewers >= terms.maxViewers;
  return {
    eventId,
    title: terms.title,
    status,
    ...paid,
    isTicketed: terms.isTicketed,
    isReceiving: row?.isReceiving ?? false,
    isClip: row?.source === 'clip',
    viewers,
    bar: bar ?? (isFull ? 'full' : null),
    recordings: bar === null ? await recordingsOf(deps, eventId, now) : [],
  };
}
