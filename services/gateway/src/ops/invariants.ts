import { Router, type RequestHandler } from 'express';
import {
  InvariantReport,
  InvariantsChecked,
  type LastInvariants,
  ChargedPrices,
  ShownPrices,
  type InvariantCheck,
} from '@beltway/contracts/ops/invariants';
import { internalClient, type InternalClient } from '@beltway/kit/internal';
import type { Instances } from '@beltway/kit/instances';
import { HttpProblem } from '@beltway/kit/problems';
import { quota, tooManyRequests, type Quota } from '@beltway/kit/rate-limit';
import type { Redis } from '@beltway/kit/redis';
import type { Authenticator } from '@beltway/kit/auth';
import type { Config } from '../config.ts';
import type { Backends } from '../proxy/backends.ts';
import type { Audit } from './audit.ts';
import { fromHere } from './here.ts';
import { jsonIn } from './json.ts';

/** Long, because a check reads whole logs. */
const TIMEOUT_MS = 20_000;

const away =
  (what: string) =>
  (cause: unknown): never => {
    throw Object.assign(new HttpProblem(503, 'unavailable.invariants', { params: { what }, retryAfter: 5 }), { cause });
  };

/** Limit for checks started on the ops page, because each check reads whole logs. */
const PER_CHECK: Quota = { name: 'check-invariants', points: 1, perSeconds: 30 };

/** Redis key of the last check. All gateways share it. */
const LAST_KEY = 'ops:invariants';

/** Merges checks with the same name. If several services have such a check, its examples name the service. */
const joined = (checks: Array<InvariantCheck & { service: string }>): InvariantCheck[] =>
  [...Map.groupBy(checks, ({ name }) => name)].map(([name, same]) => {
    const examplesOf = ({ service, examples }: (typeof same)[number]) =>
      same.length === 1 ? examples : examples.map((example) => `${service} ${example}`);
    const unchecked = same.flatMap((check) => check.unchecked ?? []);
    return {
      ...{ name, ok: same.every(({ ok }) => ok), violations: same.reduce((sum, one) => sum + one.violations, 0) },
      examples: same.flatMap(examplesOf).slice(0, 10),
      ...(unchecked.length > 0 && { unchecked: unchecked.join(' ') }),
    };
  });

interface Options {
  config: Config;
  backends: Backends;
  auth: Pick<Authenticator, 'role'>;
  audit: Audit;
  /** Lets gateways share the last check and the limit. Without Redis, each gateway has its own. */
  redis?: Redis | undefined;
}

/** Checks the invariants (docs/architecture.md#invariants) for admins; in embedded mode also for this machine. */
export function invariantRoutes({ config, backends, auth, audit, redis }: Options): Router {
  const { ticketing, payments, catalog, identity, media, realtime } = backends;
  const client = (instances: Instances) => internalClient(instances, config.INTERNAL_TOKEN, TIMEOUT_MS);
  const clients = {
    ...{ ticketing: client(ticketing), payments: client(payments), catalog: client(catalog) },
    ...{ identity: client(identity), media: client(media), realtime: client(realtime) },
  };
  const sources = Object.entries(clients);
  const isHere = fromHere(config);
  const admin = auth.role('admin');
  const allowed: RequestHandler = (req, res, next) =>
    isHere(req, res) && req.get('authorization') === undefined ? next() : admin(req, res, next);

  const check = async () => {
    const reports = await Promise.all(
      sources.map(async ([service, source]) => {
        const answer = source.get('/internal/invariants').then((report) => InvariantReport.parse(report));
        return (await answer.catch(away(service))).checks.map((check) => ({ service, ...check }));
      }),
    );
    const prices = await pricesAgree(clients.catalog, clients.ticketing).catch(away('the prices'));
    const checks = [...joined(reports.flat()), prices];
    last = { ok: checks.every(({ ok }) => ok), at: new Date().toISOString(), checks };
    const text = JSON.stringify(last);
    // If this fails, other gateways show an older check together with its time.
    await redis?.ask((client) => client.set(LAST_KEY, text)).catch(() => undefined);
    return last;
  };

  /** Returns the last check by any gateway. If Redis does not respond, returns the last one by this gateway. */
  async function lastCheck(): Promise<InvariantsChecked | null> {
    const text = await redis?.ask((client) => client.get(LAST_KEY)).catch(() => null);
    const shared = text ? InvariantsChecked.safeParse(jsonIn(text)).data : undefined;
    return shared && (!last || shared.at > last.at) ? shared : (last ?? null);
  }

  // The most expensive call: concurrent requests share one check.
  let running: ReturnType<typeof check> | undefined;
  let last: InvariantsChecked | undefined;
  const run = () => (running ??= check().finally(() => (running = undefined)));
  const take = quota(PER_CHECK, redis);

  const router = Router();
  router.get('/api/ops/invariants', allowed, async (_req, res) => {
    res.set('cache-control', 'no-store').json(await run());
  });

  /** 200 LastInvariants. Runs no check. */
  router.get('/api/ops/invariants/last', admin, async (_req, res) => {
    const answer: LastInvariants = { last: await lastCheck(), isRunning: running !== undefined };
    res.set('cache-control', 'no-store').json(answer);
  });

  /**
   * 200 InvariantsChecked. A request during a check gets the result of that check. 429 within half a minute after a
   * check.
   */
  router.post('/api/ops/invariants/check', admin, async (req, res) => {
    if (!running) {
      const taken = await take('all');
      if (!taken.allowed) throw tooManyRequests(taken);
    }
    await audit({ req, res }, 'invariants-checked', 'invariants');
    res.set('cache-control', 'no-store').json(await run());
  });
  return router;
}

const PAGE = 500;
/** Enough for 10,000 events on sale. If there are more, only the oldest are checked. */
const MAX_PAGES = 20;

/**
 * Checks that each sale charges the price that the catalog shows. Neither catalog nor ticketing can read the other's
 * table.
 */
async function pricesAgree(catalog: InternalClient, ticketing: InternalClient): Promise<InvariantCheck> {
  const wrong: string[] = [];
  let after: number | null = 0;
  for (let page = 0; page < MAX_PAGES && after !== null; page++) {
    const { prices, next }: ShownPrices = ShownPrices.parse(
      await catalog.get(`/internal/prices?after=${after}&limit=${PAGE}`),
    );
    after = next;
    if (prices.length === 0) continue;
    const eventIds = prices.map(({ eventId }) => eventId);
    const charged = ChargedPrices.parse(await ticketing.post('/internal/prices', { eventIds }));
    const sales = new Map(charged.prices.map((sale) => [sale.eventId, sale]));
    for (const { eventId, priceCents } of prices) {
      const sale = sales.get(eventId);
      // An event that is on sale in the catalog, but has no sale in ticketing, is wrong too.
      if (!sale || (!sale.isClosed && sale.priceCents !== priceCents)) wrong.push(String(eventId));
    }
  }
  return {
    name: 'each sale charges what the catalog shows',
    ok: wrong.length === 0,
    violations: wrong.length,
    examples: wrong.slice(0, 10),
  };
}
