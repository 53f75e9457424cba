import { Router, type RequestHandler } from 'express';
import { InvariantReport } from '@beltway/contracts/ops';
import { internalClient } from '@beltway/kit/internal';
import type { Instances } from '@beltway/kit/instances';
import { unavailable } from '@beltway/kit/problems';
import type { Authenticator } from '@beltway/kit/auth';
import type { Config } from '../config.ts';
import type { Backends } from '../proxy/backends.ts';
import { fromHere } from './here.ts';
import { pricesAgree } from './prices.ts';

/** The checks read whole logs. */
const TIMEOUT_MS = 20_000;

const away =
  (what: string) =>
  (cause: unknown): never => {
    throw Object.assign(unavailable(`The invariants of ${what} cannot be checked right now.`, 5), { cause });
  };

/** Checks the invariants (docs/architecture.md#invariants) for admins; in embedded mode also for this machine. */
export function invariantRoutes(
  config: Config,
  { ticketing, payments, catalog }: Backends,
  auth: Pick<Authenticator, 'role'>,
): Router {
  const client = (instances: Instances) => internalClient(instances, config.INTERNAL_TOKEN, TIMEOUT_MS);
  const clients = { ticketing: client(ticketing), payments: client(payments), catalog: client(catalog) };
  const sources = Object.entries(clients);
  const isHere = fromHere(config);
  const admin = auth.role('admin');
  const allowed: RequestHandler = (req, res, next) =>
    isHere(req, res) && req.get('authorization') === undefined ? next() : admin(req, res, next);

  const check = async () => {
    const reports = await Promise.all(
      sources.map(async ([service, source]) => {
        const answer = await source.get('/internal/invariants').catch(away(service));
        return InvariantReport.parse(answer).checks;
      }),
    );
    const prices = await pricesAgree(clients.catalog, clients.ticketing).catch(away('the prices'));
    const checks = [...reports.flat(), prices];
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
