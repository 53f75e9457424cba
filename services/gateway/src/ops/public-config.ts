import { Router } from 'express';
import { z } from 'zod';
import type { PublicConfig } from '@beltway/contracts/ops/config';
import { internalClient } from '@beltway/kit/internal';
import { isFromThisMachine } from '@beltway/kit/this-machine';
import type { Config } from '../config.ts';
import type { Backends } from '../proxy/backends.ts';

const Provider = z.object({ publishableKey: z.string(), sandbox: z.boolean() });
type Provider = z.infer<typeof Provider>;

/** The cached settings expire, because payments may restart with other keys. */
const FRESH_MS = 10_000;

/** Returns the card provider's settings from payments. While payments is down, returns the last settings received. */
function provider(config: Config, { payments: instances }: Backends): () => Promise<Provider> {
  const payments = internalClient(instances, config.INTERNAL_TOKEN, 3_000);
  let known: Provider | undefined;
  let asking: Promise<Provider> | undefined;
  let askAgainAt = 0;
  const ask = async (): Promise<Provider> => {
    try {
      known = Provider.parse(await payments.get('/internal/config'));
    } catch (error) {
      if (!known) throw error;
    }
    askAgainAt = Date.now() + FRESH_MS;
    return known;
  };
  return async () => {
    if (known && Date.now() < askAgainAt) return known;
    asking ??= ask().finally(() => (asking = undefined));
    return asking;
  };
}

/** GET /api/config: settings for the frontend (contracts/config). */
export function configRoutes(config: Config, backends: Backends, tracesRatio: number | undefined): Router {
  const embedded = config.BELTWAY_MODE === 'embedded';
  const providerNow = provider(config, backends);
  const router = Router();
  router.get('/api/config', async (req, res) => {
    const { publishableKey, sandbox } = await providerNow();
    const answer: PublicConfig = {
      mode: config.BELTWAY_MODE,
      payments: { publishableKey, apiBase: sandbox ? '/sandbox/stripe' : 'https://api.stripe.com', sandbox },
      demo:
        embedded && config.BELTWAY_DEMO === '1' && isFromThisMachine(req)
          ? {
              password: 'demo-beltway',
              accounts: ['explorer', 'business', 'admin'].map((role) => ({
                email: `${role}@beltway.test`,
                role: role === 'explorer' ? 'user' : role,
              })),
            }
          : null,
      googleMapsKey: config.GOOGLE_MAPS_KEY ?? null,
      supportEmail: config.SUPPORT_EMAIL ?? null,
      ticketDiscountUrl: config.TICKET_DISCOUNT_URL ?? null,
      ...(tracesRatio !== undefined && { tracesRatio }),
    };
    // In embedded mode, requests from this machine get a different answer, so no shared cache may store it.
    res.set('cache-control', `${embedded ? 'private' : 'public'}, max-age=60`).json(answer);
  });
  return router;
}
