import type { Pool } from 'pg';
import type { ReportPhotoBody } from '@beltway/contracts/gallery';
import { Rejected, type Context } from '@beltway/event-store';
import { HttpProblem, notFound } from '@beltway/kit/problems';
import type { Photos } from './photos.ts';

const PER_DAY = 30;

/** Reports a photo, once for each account. What the report says is a row; that there is one is in the log. Throws 404, 409, 429. */
export async function reportPhoto(
  { pool, photos }: { pool: Pool; photos: Photos },
  photoId: number,
  { reason, note }: ReportPhotoBody,
  context: Context,
  reporterId: number,
): Promise<void> {
  const { rows } = await pool.query<{ reports: number }>(
    `select count(*)::integer as reports from photo_reports where user_id = $1 and created_at > now() - interval '1 day'`,
    [reporterId],
  );
  if (rows[0]!.reports >= PER_DAY)
    throw new HttpProblem(429, 'too-many-reports', 'That is enough for one day. Please write to us instead.', {
      retryAfter: 3_600,
    });
  const { rowCount: written } = await pool.query(
    `insert into photo_reports (photo_id, user_id, reason, note, created_at) values ($1, $2, $3, $4, now())
     on conflict do nothing`,
    [photoId, reporterId, reason, note ?? null],
  );
  try {
    await photos.handle(photoId, { type: 'ReportPhoto', reporterId, reason }, context);
  } catch (error) {
    if (!(error instanceof Rejected)) throw error;
    if (written)
      await pool.query('delete from photo_reports where photo_id = $1 and user_id = $2', [photoId, reporterId]);
    throw error.code === 'photo-removed' ? notFound('This photo') : error;
  }
}
