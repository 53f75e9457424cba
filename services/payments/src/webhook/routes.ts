import { Router, type RequestHandler } from 'express';
import { addressOf, quota, tooManyRequests } from '@beltway/kit/rate-limit';
import { rawBody } from '@beltway/kit/read-body';
import type { Provider } from '../provider/provider.ts';
import type { ProviderEvent } from '../provider/objects.ts';
import { recordProviderEvent, type ProviderEventDeps } from './provider-event.ts';

/** The provider's largest are some tens of kilobytes. */
const MAX_BYTES = 1024 * 1024;
/** Per address. The provider signs all it sends: more than a few are a wrong secret of ours, or somebody who guesses. */
const BADLY_SIGNED = { name: 'badly-signed', points: 60, perSeconds: 60 };

/**
 * POST /api/stripe/webhook: what the provider tells, signed over the raw bytes, so it must come before any JSON parser.
 * 200 recorded, known before, or none of our business; 400 not signed by the provider just now, 429 and that too often; 503 tell us
 * again later. What is well signed is never counted: `enter` bounds how many are dealt with at once.
 */
export function webhookRoutes(deps: ProviderEventDeps & { provider: Provider }, enter: RequestHandler): Router {
  const countBadlySigned = quota(BADLY_SIGNED);
  const verify: RequestHandler = async (req, res, next) => {
    try {
      res.locals['event'] = deps.provider.verify(req.body, req.get('stripe-signature'));
    } catch (error) {
      const taken = await countBadlySigned(addressOf(req));
      throw taken.allowed ? error : tooManyRequests(taken);
    }
    next();
  };

  const router = Router();
  router.post('/api/stripe/webhook', rawBody(MAX_BYTES), verify, enter, async (_req, res) => {
    await recordProviderEvent(deps, res.locals['event'] as ProviderEvent);
    res.json({ received: true });
  });
  return router;
}
