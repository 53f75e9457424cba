import type { ReportBody } from '@beltway/contracts/catalog/comments';
import { Rejected } from '@beltway/event-store';
import { notFound } from '@beltway/kit/problems';
import { changing, presentComment, type Writing } from './comments.ts';
import { checkReportLimit } from './limits.ts';

/** Open reports of one comment that are kept; more say nothing new. */
const MAX_OPEN = 100;

export interface Reporting {
  eventId: number;
  commentId: number;
  reporterId: number;
  body: ReportBody;
}

/**
 * Tells the moderators of a comment, once for each account; again only after its author changed what a moderator had let stand. Throws
 * 404, 409 for one's own, 429.
 */
export const reportComment = (
  writing: Writing,
  { eventId, commentId, reporterId, body: { reason, note } }: Reporting,
  now: Date,
): Promise<void> =>
  changing(
    writing,
    eventId,
    async (tx) => {
      const comment = await presentComment(tx, commentId);
      if (comment.hiddenAt) throw notFound('This comment');
      if (comment.authorId === reporterId)
        throw new Rejected('own-comment', 'This comment is yours. You can delete it.');
      if (comment.openReports >= MAX_OPEN) return;
      const { rows: known } = await tx.query<{ mayAgain: boolean }>(
        `select settled_at is not null and c.edited_at > settled_at as "mayAgain"
         from comment_reports r join comments c on c.id = r.comment_id where comment_id = $1 and reporter_id = $2`,
        [commentId, reporterId],
      );
      if (known[0] && !known[0].mayAgain) return;
      await checkReportLimit(tx, reporterId, now);
      await tx.query(
        `insert into comment_reports (comment_id, reporter_id, reason, note, text, created_at) values ($1, $2, $3, $4, $5, $6)
         on conflict (comment_id, reporter_id) do update set reason = excluded.reason, note = excluded.note,
           text = excluded.text, created_at = excluded.created_at, settled_at = null`,
        [commentId, reporterId, reason, note ?? null, comment.text, now],
      );
      await tx.query('update comments set open_reports = open_reports + 1 where id = $1', [commentId]);
    },
    reporterId,
  );
