import type { Pool } from 'pg';
import {
  excerptOf,
  olderReason,
  type QueueReportBody,
  type ReportedContent,
} from '@beltway/contracts/identity/moderation';
import type { Context } from '@beltway/event-store';
import type { InternalClient } from '@beltway/kit/internal';
import { notFound } from '@beltway/kit/problems';
import type { Photos } from '../photo/stream.ts';
import { writeReport } from '../rows/reports.ts';
import type { Videos } from '../video/stream.ts';

export interface ReportDeps {
  pool: Pool;
  photos: Photos;
  videos: Videos;
}

type Report = Pick<QueueReportBody, 'id' | 'reporterId' | 'reason' | 'note'> & { kind: 'photo' | 'video' };

const WHERE = {
  photo: {
    sql: `select user_id as "authorId", title from photos join photo_texts using (photo_id) where photo_id = $1 and status = 'verified'`,
    path: '/gallery',
  },
  video: {
    sql: `select user_id as "authorId", title from videos join video_texts using (video_id) where video_id = $1 and is_approved`,
    path: '/top-picks',
  },
} as const;

/** A photo or video that others see, as a case of moderation shows it. Throws 404. */
async function reportedContent(pool: Pool, kind: Report['kind'], id: number): Promise<ReportedContent> {
  const { rows } = await pool.query<{ authorId: number; title: string }>(WHERE[kind].sql, [id]);
  if (!rows[0]) throw notFound(`This ${kind}`);
  const { authorId, title } = rows[0];
  return { authorId, excerpt: excerptOf(title), path: WHERE[kind].path };
}

/** Writes a report down here, once for each account, and says what it is of. Throws 404, 409 for one's own, 429. */
export async function keepReport(
  { pool, photos, videos }: ReportDeps,
  { kind, id, reporterId, note, ...given }: Report,
  context: Context,
): Promise<ReportedContent> {
  const content = await reportedContent(pool, kind, Number(id));
  // Videos have a word of their own for rights.
  const reason = kind === 'video' && given.reason === 'rights' ? given.reason : olderReason(given.reason);
  const append = () =>
    kind === 'photo'
      ? photos.handle(id, { type: 'ReportPhoto', reporterId, reason: olderReason(given.reason) }, context)
      : videos.handle(id, { type: 'ReportVideo', reporterId, reason }, context);
  await writeReport(pool, { of: kind, id: Number(id), reporterId, reason, note, append });
  return content;
}

export type TellReport = (given: Report, context: Context) => Promise<void>;

/** The same for a report by a call of ours, which goes into the queue of admins as well. */
export const telling =
  (deps: ReportDeps & { /** Has the queue. */ identity: Pick<InternalClient, 'post'> }): TellReport =>
  async (given, context) => {
    const content = await keepReport(deps, given, context);
    await deps.identity.post('/internal/reports', { ...given, ...content } satisfies QueueReportBody);
  };
