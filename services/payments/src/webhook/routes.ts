import { Router, type RequestHandler } from 'express';
import { addressOf, quota, tooManyRequests } from '@beltway/kit/rate-limit';
import { rawBody } from '@beltway/kit/read-body';
import type { Provider } from '../provider/provider.ts';
import type { ProviderEvent } from '../provider/objects.ts';
import { recordProviderEvent, type ProviderEventDeps } from './provider-event.ts';

/** The provider's largest webhooks have a few tens of kilobytes. */
const MAX_BYTES = 1024 * 1024;
/**
 * Limit for each IP address. The provider signs everything, so more than a few failures mean that our secret is wrong
 * or that this is an attack.
 */
const BADLY_SIGNED = { name: 'badly-signed', points: 60, perSeconds: 60 };

/**
 * POST /api/stripe/webhook receives the provider's reports. The signature covers the raw bytes, so this route must
 * precede any JSON parser. 200: recorded, already known, or not ours; 400: not signed by the provider within the last
 * 300 s; 429: too many bad signatures; 503: retry later. Valid signatures do not count towards the limit. `enter`
 * limits how many reports are handled concurrently.
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
