import type { RequestHandler } from 'express';
import { USUAL_BYTES } from '@beltway/kit/json-body';
import { UNMATCHED } from '@beltway/kit/metrics';
import { accounts } from './accounts.ts';
import { broadcasts } from './broadcasts.ts';
import { chat } from './chat.ts';
import { comments } from './comments.ts';
import { engagement, events, media } from './events.ts';
import { ads } from './ads.ts';
import { community } from './community.ts';
import { gallery } from './gallery.ts';
import type { Mount, RateClass, Route, Service } from './route.ts';
import { moderation } from './moderation.ts';
import { notifications } from './notifications.ts';
import { mounts as publicMounts, system, webhooks } from './system.ts';
import { payouts } from './payouts.ts';
import { connections } from './connections.ts';
import { points } from './points.ts';
import { promotions } from './promotions.ts';
import { referrals } from './referrals.ts';
import { servedAds } from './served-ads.ts';
import { tickets } from './tickets.ts';
import { topPicks } from './top-picks.ts';

/** Returns the path in the form that Express compares, which ignores case and a trailing slash. */
export const comparable = (path: string): string => path.toLowerCase().replace(/(?<=.)\/$/, '');

/** Every public call. */
export const publicRoutes: Route[] = [
  ...accounts,
  ...events,
  ...engagement,
  ...comments,
  ...moderation,
  ...points,
  ...connections,
  ...referrals,
  ...notifications,
  ...chat,
  ...community,
  ...media,
  ...gallery,
  ...broadcasts,
  ...topPicks,
  ...tickets,
  ...promotions,
  ...ads,
  ...servedAds,
  ...payouts,
  ...system,
  ...webhooks,
];

/** Lookups derived from the rows. Method arguments are methods of requests, and path arguments have no query. */
export interface RouteTable {
  routes: readonly Route[];
  /** Finds the call for a method and path; a HEAD finds the GET. Undefined: there is no such call. */
  find(method: string, path: string): Route | undefined;
  /** The service for a request, chosen based on the path alone, because the service itself refuses unknown methods. */
  serviceFor(path: string): Service | undefined;
  /** The rate class of a request. Undefined: not limited (webhooks are signed, and the frontend's files are cheap). */
  rateOf(method: string, path: string): RateClass | undefined;
  /** Maximum body of a request, in bytes. */
  maxBytes(method: string, path: string): number;
  /** The methods of a public path; `GET` adds `HEAD`. Empty if no call has this path. */
  methodsOf(path: string): string[];
  /**
   * The label of a request in metrics and logs: the path of a row or mount, or the kind of file. Never contains text
   * from a client.
   */
  labelOf(method: string, path: string): string;
  /** Whether a path can never belong to the frontend. Such a path gets 404 if no service handles it. */
  isNoPage(path: string): boolean;
}

const isBelow = (prefix: string, path: string): boolean => path === prefix || path.startsWith(`${prefix}/`);
/** The first `segments` segments of a path. */
const areaOf = (path: string, segments = 1): string => path.split('/', segments + 1).join('/');

/** Returns a pattern that matches like Express: case and a trailing slash are ignored. `{name}` is any segment. */
const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`, 'i');

/** The environment, which decides which optional mounts exist. */
interface Surroundings {
  isEmbedded: boolean;
  /** Whether card payments use the sandbox. */
  hasSandbox: boolean;
}

/** Builds the table of these rows. Leaves out the mounts for other environments. */
export function routeTable(
  { isEmbedded, hasSandbox }: Surroundings,
  routes = publicRoutes,
  allMounts: Mount[] = publicMounts,
): RouteTable {
  const there = { embedded: isEmbedded, sandbox: hasSandbox };
  const mounts = allMounts.filter(({ only }) => only === undefined || there[only]);
  const rows = routes
    .map((route) => ({ route, method: route.method.toUpperCase(), pattern: patternOf(route.path) }))
    // A literal path comes before a path with a parameter.
    .sort((a, b) => Number(a.route.path.includes('{')) - Number(b.route.path.includes('{')));
  const areas = new Set([...routes.map(({ path }) => areaOf(path)), ...allMounts.map(({ prefix }) => areaOf(prefix))]);

  const byArea = Map.groupBy(rows, ({ route }) => areaOf(route.path, 2));
  const at = (path: string) => {
    const compared = comparable(path);
    return (byArea.get(areaOf(compared, 2)) ?? []).filter(({ pattern }) => pattern.test(compared));
  };
  const find: RouteTable['find'] = (method, path) => {
    const asked = method === 'HEAD' ? 'GET' : method;
    return at(path).find((row) => row.method === asked)?.route;
  };
  const mountOf = (path: string) => mounts.find(({ prefix }) => isBelow(prefix, path));

  const isNoPage: RouteTable['isNoPage'] = (path) =>
    areas.has(areaOf(path.toLowerCase())) || isBelow('/internal', path.toLowerCase());

  return {
    routes,
    find,
    serviceFor(path) {
      const mount = mountOf(path);
      if (mount) return mount.service;
      // Our first segments are lower case, so `/API` does not match. The security headers treat `/API` the same way.
      if (!areas.has(areaOf(path))) return undefined;
      const service = at(path)[0]?.route.service;
      return service === 'gateway' ? undefined : service;
    },
    rateOf(method, path) {
      const route = find(method, path);
      const rate = route?.rate ?? mountOf(comparable(path))?.rate;
      if (rate !== undefined) return rate === 'none' ? undefined : rate;
      if (!route && !isBelow('/api', comparable(path))) return undefined;
      return method === 'GET' || method === 'HEAD' ? 'read' : 'write';
    },
    maxBytes: (method, path) => find(method, path)?.maxBytes ?? USUAL_BYTES,
    methodsOf: (path) => [
      ...new Set(at(path).flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))),
    ],
    labelOf(method, path) {
      const row = find(method, path) ?? at(path)[0]?.route;
      const known = row?.path ?? mountOf(path)?.prefix ?? ['/assets', '/health'].find((one) => isBelow(one, path));
      return known ?? (isNoPage(path) ? UNMATCHED : 'page');
    },
    isNoPage,
  };
}

/** Handles OPTIONS in the gateway, because each service's router knows only the service's own methods of a path. */
export const optionsRoute =
  (table: RouteTable): RequestHandler =>
  (req, res, next) => {
    const methods = req.method === 'OPTIONS' ? table.methodsOf(req.path) : [];
    if (methods.length === 0) return next();
    res
      .set('allow', [...methods, 'OPTIONS'].join(', '))
      .status(204)
      .end();
  };
