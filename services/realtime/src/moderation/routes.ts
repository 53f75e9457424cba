import { Router } from 'express';
import type { Pool } from 'pg';
import { z } from 'zod';
import { IdText } from '@beltway/contracts/common/basics';
import { ContentId, WriteReportBody, olderReason } from '@beltway/contracts/identity/moderation';
import { internalOnly } from '@beltway/kit/internal';
import type { Secrets } from '@beltway/kit/secrets';
import type { Chat } from '../chat/chat.ts';
import { COMMUNITY_KINDS, reportedOf } from './community.ts';
import { placeOf } from '../chat/message-id.ts';

/**
 * `POST /internal/content/{kind}/{id}/reports`: identity has a report; 200 ReportedContent. Of a message 404, 409, 429 as for a report here;
 * of the community, which has no reports of its own, 404, 409.
 */
export function contentRoutes({
  pool,
  chat,
  internalToken,
}: {
  pool: Pool;
  chat: Chat;
  internalToken: Secrets;
}): Router {
  const router = Router();
  for (const kind of COMMUNITY_KINDS)
    router.post(`/internal/content/${kind}/:id/reports`, internalOnly(internalToken), async (req, res) => {
      const { reporterId } = WriteReportBody.parse(req.body);
      res.json(await reportedOf(pool, kind, IdText.parse(req.params['id']), reporterId));
    });
  router.post('/internal/content/message/:id/reports', internalOnly(internalToken), async (req, res) => {
    const { id } = z.object({ id: ContentId }).parse(req.params);
    const { reporterId, reason, note } = WriteReportBody.parse(req.body);
    const { room, seq } = placeOf(id);
    res.json(
      await chat.report(room, { id: reporterId }, seq, {
        ...{ reason: olderReason(reason), ...(note !== undefined && { note }) },
      }),
    );
  });
  return router;
}
