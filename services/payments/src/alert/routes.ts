import { Router } from 'express';
import type { Pool } from 'pg';
import { AlertQuery, ResolveAlertBody, SELF_ENDING } from '@beltway/contracts/payments/payments';
import { requestIdOf } from '@beltway/kit/app';
import { callerOf, type Authenticator } from '@beltway/kit/auth';
import { HttpProblem, notFound } from '@beltway/kit/problems';
import { alertById, alertPage } from './queries.ts';
import type { Payments } from '../payment/stream.ts';

export function alertRoutes({
  pool,
  payments,
  auth,
}: {
  pool: Pool;
  payments: Payments;
  auth: Pick<Authenticator, 'role'>;
}): Router {
  const router = Router();

  /** 200 AlertPage, for the gateway. */
  router.get('/internal/alerts', async (req, res) => {
    res.json(await alertPage(pool, AlertQuery.parse(req.query)));
  });

  /**
   * Resolves an alert that an admin has dealt with. 200 Alert, even if the alert was already resolved; the payment's
   * log records the admin, the time and the note. 409 `ends-by-itself` for alert kinds that are resolved automatically
   * when the money is refunded or the bank decides.
   */
  router.post('/api/platform/alerts/:alertId/resolve', auth.role('admin'), async (req, res) => {
    const { note } = ResolveAlertBody.parse(req.body);
    const found = await alertById(pool, String(req.params['alertId']));
    if (!found) throw notFound('alert');
    const { streamId, alert } = found;
    const { kind, subject } = alert;
    if (SELF_ENDING.includes(kind)) throw new HttpProblem(409, 'ends-by-itself');
    if (alert.resolvedAt === null)
      await payments.handle(
        streamId,
        { type: 'ResolveAlert', kind, subject, note },
        { commandId: `resolve-alert:${alert.id}`, userId: callerOf(req).id, correlationId: requestIdOf(res) },
      );
    res.set('cache-control', 'no-store').json((await alertById(pool, alert.id))?.alert);
  });

  return router;
}
