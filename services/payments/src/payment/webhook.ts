import { Router } from 'express';
import { rawBody } from '@beltway/kit/read-body';
import type { Provider } from '../provider/provider.ts';
import { recordNotice, type Hearing } from './notice.ts';

/** The provider's largest are some tens of kilobytes. */
const MOST_BYTES = 1024 * 1024;

/**
 * POST /api/stripe/webhook: what the provider tells, signed over the raw bytes, so it must come before any JSON parser.
 * 200 recorded, known before, or none of our business; 400 not signed by the provider just now; 503 tell us again later.
 */
export function webhookRoutes(deps: Hearing & { provider: Provider }): Router {
  const router = Router();
  router.post('/api/stripe/webhook', rawBody(MOST_BYTES), async (req, res) => {
    await recordNotice(deps, deps.provider.verify(req.body, req.get('stripe-signature')));
    res.json({ received: true });
  });
  return router;
}
