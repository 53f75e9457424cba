import { randomUUID } from 'node:crypto';
import { Router } from 'express';
import { IdText } from '@beltway/contracts/common/basics';
import { WriteReportBody } from '@beltway/contracts/identity/moderation';
import { requestIdOf } from '@beltway/kit/app';
import { internalOnly } from '@beltway/kit/internal';
import type { Secrets } from '@beltway/kit/secrets';
import { keepReport, type ReportDeps } from './report.ts';

/** `POST /internal/content/{photo|video}/{id}/reports`: identity has a report; 200 ReportedContent. 404, 409, 429 as for a report here. */
export function contentRoutes({ internalToken, ...deps }: ReportDeps & { internalToken: Secrets }): Router {
  const router = Router();
  for (const kind of ['photo', 'video'] as const)
    router.post(`/internal/content/${kind}/:id/reports`, internalOnly(internalToken), async (req, res) => {
      const body = WriteReportBody.parse(req.body);
      const id = String(IdText.parse(req.params['id']));
      const context = { commandId: randomUUID(), userId: body.reporterId, correlationId: requestIdOf(res) };
      res.json(await keepReport(deps, { kind, id, ...body }, context));
    });
  return router;
}
