import { Router } from 'express';
import type { Pool } from 'pg';
import { IdText } from '@beltway/contracts/common/basics';
import { WriteReportBody, excerptOf, olderReason, type ReportedContent } from '@beltway/contracts/identity/moderation';
import { internalOnly } from '@beltway/kit/internal';
import { notFound } from '@beltway/kit/problems';
import type { Secrets } from '@beltway/kit/secrets';
import { commentById, type CommentRow } from '../comments/comments.ts';
import { reportComment } from '../comments/reports.ts';
import { openTurns } from '../comments/turns.ts';

/** A comment as a case of moderation shows it. */
export const reportedComment = ({ authorId, text, eventId }: CommentRow): ReportedContent => ({
  ...{ authorId, excerpt: excerptOf(text ?? ''), path: `/event/${eventId}#comments` },
});

/** `POST /internal/content/comment/{id}/reports`: identity has a report; 200 ReportedContent. 404, 409, 429 as for a report here. */
export function contentRoutes({
  pool,
  internalToken,
  clock,
}: {
  pool: Pool;
  internalToken: Secrets;
  clock: () => Date;
}): Router {
  const router = Router();
  const writing = { pool, turns: openTurns() };
  router.post('/internal/content/comment/:id/reports', internalOnly(internalToken), async (req, res) => {
    const { reporterId, reason, note } = WriteReportBody.parse(req.body);
    const comment = await commentById(pool, IdText.parse(req.params['id']));
    if (!comment) throw notFound('This comment');
    const { id: commentId, eventId } = comment;
    const body = { reason: olderReason(reason), ...(note !== undefined && { note }) };
    await reportComment(writing, { eventId, commentId, reporterId, body }, clock());
    res.json(reportedComment(comment));
  });
  return router;
}
