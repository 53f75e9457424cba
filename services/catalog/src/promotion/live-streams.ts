import { Router } from 'express';
import type { Pool } from 'pg';
import { WatchedBroadcasts } from '@beltway/contracts/media/broadcast';
import { livestreamCategoryOf, type LiveStream } from '@beltway/contracts/catalog/livestream';
import type { InternalClient } from '@beltway/kit/internal';
import type { Logger } from '@beltway/kit/logger';
import { sharedAnswer } from '@beltway/kit/shared-answer';
import { imageUrlOf } from '../event/publish.ts';
import { listed } from '../event/queries.ts';

const MAX_LISTED = 100;
/** How long viewer counts are cached. */
const COUNTED_MS = 3_000;

/**
 * Current and upcoming streams: live streams first, then the others sorted by start. Compares times with the clock,
 * because the job that starts and ends streams may lag. Media reports whether a stream is live.
 */
const coming = (pool: Pool, now: Date) =>
  listed(pool)
    .leftJoin('broadcasts as b', 'b.eventId', 'l.eventId')
    .select(({ fn, lit }) => [
      fn.coalesce('b.isLive', lit(false)).as('isLive'),
      fn.coalesce('b.isClip', lit(false)).as('isClip'),
    ])
    .where('l.isLivestream', '=', true)
    .where('l.livestreamStatus', 'in', ['scheduled', 'live'])
    .where('l.status', '=', 'published')
    .where('l.livestreamEndTime', '>', now)
    .orderBy(({ fn, lit }) => fn.coalesce('b.isLive', lit(false)), 'desc')
    .orderBy('l.livestreamStartTime')
    .orderBy('l.eventId')
    .limit(MAX_LISTED)
    .execute();

type StreamRow = Awaited<ReturnType<typeof coming>>[number];

/** Returns the current viewers of these events. */
type Viewers = (eventIds: readonly number[]) => Promise<ReadonlyMap<number, number>>;

async function comingStreams(pool: Pool, viewers: Viewers, now: Date): Promise<LiveStream[]> {
  const rows = await coming(pool, now);
  const watched = await viewers(rows.filter(({ isLive }) => isLive).map(({ eventId }) => eventId));
  return rows.flatMap((row) => shown(row, row.isLive ? (watched.get(row.eventId) ?? 0) : 0) ?? []);
}

function shown(row: StreamRow, viewerCount: number): LiveStream | null {
  const { livestreamStartTime: start, livestreamEndTime: end } = row;
  if (!start || !end) return null;
  return {
    id: row.eventId,
    title: row.title,
    venueName: row.placeName ?? row.location,
    location: row.location,
    description: row.description,
    category: livestreamCategoryOf(row.location),
    // The poster without text, because the page shows the text next to it.
    thumbnailUrl: imageUrlOf({ ...row, eventDate: row.eventDate.toISOString() }, true),
    viewerCount,
    isLive: row.isLive,
    isClip: row.isClip,
    startTime: start.toISOString(),
    endTime: end.toISOString(),
    maxViewers: row.livestreamMaxViewers ?? 0,
    chatEnabled: row.livestreamChatEnabled ?? false,
    recordingEnabled: row.livestreamRecordingEnabled ?? false,
  };
}

/**
 * Requests viewer counts from media at most once per `COUNTED_MS`, even for many concurrent requests. While media is
 * down, returns the last counts.
 */
function countedViewers({ audience, log }: Pick<LiveStreamDeps, 'audience' | 'log'>): Viewers {
  let known: ReadonlyMap<number, number> = new Map();
  let until = 0;
  let asking: Promise<void> | undefined;
  const ask = async (eventIds: readonly number[]): Promise<void> => {
    try {
      const { viewers } = WatchedBroadcasts.parse(await audience.get(`/internal/viewers?events=${eventIds.join(',')}`));
      known = new Map(viewers.map((one) => [one.eventId, one.viewers]));
    } catch (err) {
      log.warn({ err }, 'the number of viewers is unavailable');
    }
    until = performance.now() + COUNTED_MS;
    asking = undefined;
  };
  return async (eventIds) => {
    if (eventIds.length === 0) return known;
    if (performance.now() >= until) await (asking ??= ask(eventIds));
    return known;
  };
}

export interface LiveStreamDeps {
  pool: Pool;
  /** Media, which counts viewers. */
  audience: Pick<InternalClient, 'get'>;
  log: Logger;
  clock: () => Date;
}

/** GET /api/live-streams (services/catalog/PRODUCT.md#live-streams) */
export function liveStreamRoutes(deps: LiveStreamDeps): Router {
  const { pool, clock } = deps;
  const viewers = countedViewers(deps);
  const router = Router();
  router.get('/api/live-streams', async (_req, res) => {
    const streams = await comingStreams(pool, viewers, clock());
    sharedAnswer(res, 'events').json(streams);
  });
  return router;
}
