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

/** The path as Express compares it: ignoring case and a trailing slash. */
export const comparable = (path: string): string => path.toLowerCase().replace(/(?<=.)\/$/, '');

/** Every public call there is. */
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

/** What follows from the rows. Methods are as in a request, paths without a query. */
export interface RouteTable {
  routes: readonly Route[];
  /** The call; a HEAD is its GET. Undefined: there is none of this method and path. */
  find(method: string, path: string): Route | undefined;
  /** Whom a request is handed to, by its path alone: a method that a service does not know is its to refuse. */
  serviceFor(path: string): Service | undefined;
  /** What a request is counted by; undefined: not limited (webhooks are signed, the page's files are cheap). */
  rateOf(method: string, path: string): RateClass | undefined;
  /** Largest body for a request, in bytes. */
  maxBytes(method: string, path: string): number;
  /** The methods of a public path, `HEAD` beside `GET`. None: no call has this path. */
  methodsOf(path: string): string[];
  /** What a request is counted and logged by: the path of a row or mount, or the kind of file. Nothing that a client wrote. */
  labelOf(method: string, path: string): string;
  /** Whether a path is never a page of the frontend: what no service answers there does not exist. */
  isNoPage(path: string): boolean;
}

const isBelow = (prefix: string, path: string): boolean => path === prefix || path.startsWith(`${prefix}/`);
/** The first segment of a path, or the first ones. */
const areaOf = (path: string, segments = 1): string => path.split('/', segments + 1).join('/');

/** Matches as Express does: without regard to case and a last slash. `{name}` is any segment. */
const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`, 'i');

/** Which mounts there are besides those for everybody. */
interface Surroundings {
  isEmbedded: boolean;
  /** Whether cards go to the sandbox. */
  hasSandbox: boolean;
}

/** The table of these rows. Mounts that are not for these surroundings are left out. */
export function routeTable(
  { isEmbedded, hasSandbox }: Surroundings,
  routes = publicRoutes,
  allMounts: Mount[] = publicMounts,
): RouteTable {
  const there = { embedded: isEmbedded, sandbox: hasSandbox };
  const mounts = allMounts.filter(({ only }) => only === undefined || there[only]);
  const rows = routes
    .map((route) => ({ route, method: route.method.toUpperCase(), pattern: patternOf(route.path) }))
    // A path that is spelt out goes before one with a name in it.
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
      // Our areas are in small letters: `/API` is none of them, to the security headers neither.
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

/** OPTIONS, answered here: what one of several routers behind us would say of a path is only its own part. */
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
