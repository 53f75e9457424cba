import { Router } from 'express';
import { AlertPage, AlertQuery } from '@beltway/contracts/payments/payments';
import type { Authenticator } from '@beltway/kit/auth';
import { internalClient } from '@beltway/kit/internal';
import type { Config } from '../config.ts';
import type { Backends } from '../proxy/backends.ts';

/** Payments' alerts for admins. */
export function alertRoutes(config: Config, { payments }: Backends, auth: Pick<Authenticator, 'role'>): Router {
  const client = internalClient(payments, config.INTERNAL_TOKEN);
  const router = Router();
  router.get('/api/platform/alerts', auth.role('admin'), async (req, res) => {
    const { status, before, limit } = AlertQuery.parse(req.query);
    const asked = new URLSearchParams({ status, limit: String(limit), ...(before !== undefined && { before }) });
    const page = AlertPage.parse(await client.get(`/internal/alerts?${asked.toString()}`));
    res.set('cache-control', 'no-store').json(page);
  });
  return router;
}
