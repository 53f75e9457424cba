import { Router } from 'express';
import type { Pool } from 'pg';
import { livestreamCategoryOf, type LiveStream } from '@beltway/contracts/livestream';
import type { ListingRow } from '../event/columns.ts';
import { imageUrlOf } from '../event/publish.ts';
import { JOINED, SHOWN } from '../event/queries.ts';

const MAX_LISTED = 100;

/** Live ones first, then what comes soonest; by the clock, also while nobody has started or ended them yet. */
const COMING = `
  select ${SHOWN} from listings l ${JOINED}
  where l.is_livestream and l.livestream_status in ('scheduled', 'live') and l.status = 'published'
    and l.livestream_end_time > $1
  order by l.livestream_start_time, l.event_id limit ${MAX_LISTED}`;

export async function comingStreams(pool: Pool, now: Date): Promise<LiveStream[]> {
  const { rows } = await pool.query<ListingRow>({ name: 'live-streams', text: COMING, values: [now] });
  return rows.flatMap((row) => shown(row, now) ?? []);
}

function shown(row: ListingRow, now: Date): LiveStream | null {
  const { livestreamStartTime: start, livestreamEndTime: end } = row;
  if (!start || !end) return null;
  return {
    id: row.eventId,
    title: row.title,
    venueName: row.placeName ?? row.location,
    location: row.location,
    description: row.description,
    category: livestreamCategoryOf(row.location),
    // Without words: they stand beside it.
    thumbnailUrl: imageUrlOf({ ...row, eventDate: row.eventDate.toISOString() }, true),
    viewerCount: 0, // nobody can watch before a broadcast is there
    isLive: start <= now,
    startTime: start.toISOString(),
    endTime: end.toISOString(),
    maxViewers: row.livestreamMaxViewers ?? 0,
    chatEnabled: row.livestreamChatEnabled ?? false,
    recordingEnabled: row.livestreamRecordingEnabled ?? false,
  };
}

/** GET /api/live-streams (docs/product.md#live-streams) */
export function liveStreamRoutes({ pool, clock }: { pool: Pool; clock: () => Date }): Router {
  const router = Router();
  router.get('/api/live-streams', async (_req, res) => {
    res.set({ 'Cache-Control': 'public, max-age=1', 'Cache-Tag': 'events' }).json(await comingStreams(pool, clock()));
  });
  return router;
}
