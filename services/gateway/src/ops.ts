import { Router, type Request } from 'express';
import { z } from 'zod';
import type { PublicConfig } from '@beltway/contracts/config';
import { failures } from '@beltway/kit/health';
import { internalClient } from '@beltway/kit/internal';
import { forbidden } from '@beltway/kit/problems';
import type { Authenticator } from '@beltway/kit/auth';
import type { Config } from './config.ts';
import { urlsOf } from './routes.ts';

const Checks = z.object({
  checks: z.array(z.object({ name: z.string(), ok: z.boolean(), violations: z.int(), examples: z.array(z.string()) })),
});
const ProviderConfig = z.object({ publishableKey: z.string(), sandbox: z.boolean() });

const LOOPBACK = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1']);

/** What the gateway answers itself: health of the whole, public settings, the invariants on live data. */
export function opsRoutes(config: Config, auth: Authenticator): Router {
  const router = Router();
  const embedded = config.BELTWAY_MODE === 'embedded';
  const { sandbox, ...services } = urlsOf(config);
  const targets = { ...services, ...(embedded && sandbox ? { sandbox } : {}) };
  let provider: z.infer<typeof ProviderConfig> | undefined;

  router.get('/api/health/live', (_req, res) => void res.json({ status: 'live' }));

  /** 200 when every service can do its work; 503 with the names of those that cannot. */
  router.get('/api/health/ready', async (_req, res) => {
    const failed = await failures({
      gateway: auth.ready,
      ...Object.fromEntries(
        Object.entries(targets).map(([name, url]) => [
          name,
          async () => {
            const answer = await fetch(new URL('/health/ready', url), { signal: AbortSignal.timeout(1_900) });
            if (!answer.ok) throw new Error(`answers ${answer.status}`);
          },
        ]),
      ),
    });
    const ready = Object.keys(failed).length === 0;
    res
      .status(ready ? 200 : 503)
      .set('cache-control', 'no-store')
      .json({ status: ready ? 'ready' : 'not ready', ...(ready ? {} : { failed }) });
  });

  /** What the page may know (contracts/config). */
  router.get('/api/config', async (_req, res) => {
    provider ??= ProviderConfig.parse(
      await internalClient(config.PAYMENTS_URL, config.INTERNAL_TOKEN, 3_000).get('/internal/config'),
    );
    const answer: PublicConfig = {
      mode: config.BELTWAY_MODE,
      payments: {
        publishableKey: provider.publishableKey,
        apiBase: provider.sandbox ? '/sandbox/stripe' : 'https://api.stripe.com',
        sandbox: provider.sandbox,
      },
      demo:
        embedded && config.BELTWAY_DEMO === '1'
          ? {
              password: 'demo-beltway',
              accounts: ['explorer', 'business', 'admin'].map((role) => ({
                email: `${role}@beltway.test`,
                role: role === 'explorer' ? 'user' : role,
              })),
            }
          : null,
      googleMapsKey: config.GOOGLE_MAPS_KEY ?? null,
    };
    res.set('cache-control', 'public, max-age=60').json(answer);
  });

  const fromHere = (req: Request) => embedded && LOOPBACK.has(req.socket.remoteAddress ?? '');

  /** The invariants of design section 4, checked on live data now. Admins; in embedded mode also from this machine. */
  router.get(
    '/api/ops/invariants',
    (req, res, next) =>
      fromHere(req) && req.get('authorization') === undefined ? next() : auth.role('admin')(req, res, next),
    async (req, res) => {
      if (!fromHere(req) && req.caller?.role !== 'admin') throw forbidden();
      const answers = await Promise.all(
        [config.TICKETING_URL, config.PAYMENTS_URL].map(async (url) =>
          Checks.parse(await internalClient(url, config.INTERNAL_TOKEN).get('/internal/invariants')),
        ),
      );
      const checks = answers.flatMap((answer) => answer.checks);
      res
        .set('cache-control', 'no-store')
        .json({ ok: checks.every(({ ok }) => ok), at: new Date().toISOString(), checks });
    },
  );

  return router;
}
