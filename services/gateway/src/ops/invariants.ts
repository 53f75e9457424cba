import { Router, type RequestHandler } from 'express';
import { InvariantReport } from '@beltway/contracts/ops';
import { internalClient } from '@beltway/kit/internal';
import { unavailable } from '@beltway/kit/problems';
import type { Authenticator } from '@beltway/kit/auth';
import type { Config } from '../config.ts';
import type { Backends } from '../proxy/backends.ts';
import { fromHere } from './here.ts';

/** The checks read whole logs. */
const PATIENCE_MS = 20_000;

/** The invariants of design section 4, checked on live data now. Admins; in embedded mode also from this machine. */
export function invariantRoutes(
  config: Config,
  { ticketing, payments }: Backends,
  auth: Pick<Authenticator, 'role'>,
): Router {
  const sources = Object.entries({ ticketing, payments });
  const isHere = fromHere(config);
  const admin = auth.role('admin');
  const allowed: RequestHandler = (req, res, next) =>
    isHere(req, res) && req.get('authorization') === undefined ? next() : admin(req, res, next);

  const check = async () => {
    const reports = await Promise.all(
      sources.map(async ([service, instances]) => {
        const answer = await internalClient(instances, config.INTERNAL_TOKEN, PATIENCE_MS)
          .get('/internal/invariants')
          .catch((cause: unknown) => {
            const problem = unavailable(`The invariants of ${service} cannot be checked right now.`, 5);
            throw Object.assign(problem, { cause });
          });
        return InvariantReport.parse(answer).checks;
      }),
    );
    const checks = reports.flat();
    return { ok: checks.every(({ ok }) => ok), at: new Date().toISOString(), checks };
  };

  // They cost more than any other call: however many ask at once, they are checked once.
  let running: ReturnType<typeof check> | undefined;
  const router = Router();
  router.get('/api/ops/invariants', allowed, async (_req, res) => {
    running ??= check().finally(() => (running = undefined));
    res.set('cache-control', 'no-store').json(await running);
  });
  return router;
}
