import { Router } from 'express';
import { z } from 'zod';
import { ContentId, WriteReportBody, olderReason } from '@beltway/contracts/moderation';
import { internalOnly } from '@beltway/kit/internal';
import type { Secrets } from '@beltway/kit/secrets';
import type { Chat } from '../chat/chat.ts';
import { placeOf } from './message-id.ts';

/** `POST /internal/content/message/{id}/reports`: identity has a report; 200 ReportedContent. 404, 409, 429 as for a report here. */
export function contentRoutes({ chat, internalToken }: { chat: Chat; internalToken: Secrets }): Router {
  const router = Router();
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
