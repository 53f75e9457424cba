import { pipeline } from 'node:stream/promises';
import { Router } from 'express';
import type { Pool } from 'pg';
import { gate } from '@beltway/kit/overload';
import type { Objects } from '@beltway/kit/objects';
import { HttpProblem, notFound } from '@beltway/kit/problems';
import { kysely } from '../db.ts';
import type { Signing } from './signing.ts';

/** The storage key of a signal's recording. */
export const recordingKey = (session: string): string => `recordings/${session}.mp4`;

const SESSION = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const NAME = /^(\d{13})-([\w-]{22})\.mp4$/;
/** Maximum of concurrent responses, because each response uses an open file or a connection to the bucket. */
const MAX_TOGETHER = 200;

/** Serves recordings under signed URLs that expire after a few hours. Supports ranges, so that players can seek. */
export function recordingRoutes({
  pool,
  signing,
  objects,
  clock,
}: {
  pool: Pool;
  signing: Signing;
  objects: Objects;
  clock: () => Date;
}): Router {
  const router = Router();
  const reading = gate(MAX_TOGETHER, { what: 'too-many-recordings' });

  router.get('/media/recordings/:session/:name', async (req, res) => {
    const { session, name } = req.params;
    const [, until, signature] = NAME.exec(name) ?? [];
    if (!SESSION.test(session) || !until || !signature || !signing.isSigned(signature, 'recording', session, until))
      throw notFound('recording');
    if (Number(until) < clock().getTime()) throw new HttpProblem(403, 'address-expired');
    const recording = await kysely(pool)
      .selectFrom('broadcastRecordings')
      .select('bytes')
      .where('session', '=', session)
      .executeTakeFirst();
    const size = Number(recording?.bytes ?? 0);
    if (size === 0) throw notFound('recording');

    const etag = `"${session}"`;
    res.set({
      ...{ 'Content-Type': 'video/mp4', 'Accept-Ranges': 'bytes', ETag: etag },
      ...{ 'Cache-Control': 'private, max-age=3600', 'X-Content-Type-Options': 'nosniff' },
      ...{ 'Content-Security-Policy': "default-src 'none'", 'Cross-Origin-Resource-Policy': 'same-origin' },
    });
    const isOther = (req.get('if-range') ?? etag) !== etag;
    const ranges = isOther ? undefined : req.range(size, { combine: true });
    if (ranges === -1) {
      res.set('Content-Range', `bytes */${size}`);
      throw new HttpProblem(416, 'no-such-range');
    }
    // Players never request several ranges together, so such a request gets the whole file.
    const range = Array.isArray(ranges) && ranges.type === 'bytes' && ranges.length === 1 ? ranges[0] : undefined;
    if (range) res.status(206).set('Content-Range', `bytes ${range.start}-${range.end}/${size}`);
    res.set('Content-Length', String(range ? range.end - range.start + 1 : size));
    if (req.method === 'HEAD') {
      res.end();
      return;
    }
    const leave = reading.enter();
    try {
      const found = await objects.read(recordingKey(session), range && { start: range.start, end: range.end });
      if (!found) throw notFound('recording');
      // A client that disconnects early is not an error.
      await pipeline(found.stream, res).catch(() => undefined);
    } finally {
      leave();
    }
  });

  return router;
}
