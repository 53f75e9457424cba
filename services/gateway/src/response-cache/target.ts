import { badTarget, pathOf } from '../inbound/target.ts';
import { gateOf, type GateName } from '../routes/gates.ts';
import type { RateClass, Route, Service } from '../routes/route.ts';
import type { RouteTable } from '../routes/table.ts';

/** The canonical request for one public URL, shared by all its readers. */
export interface Target {
  /** The canonical URL. It is the cache key, and is requested from the service. */
  url: string;
  service: Service;
  /** The route's path, with `{names}`. */
  route: string;
  hasQuery: boolean;
  rate: RateClass;
  gate?: GateName;
  /** Whether other sites may show the answer in a frame. */
  isFramed?: true;
}

/** Answers for longer URLs are not shared. */
const MAX_URL = 1_024;
const PLAIN_SEGMENT = /^[\w.~-]{0,64}$/;

/**
 * Whether a call has the same answer for all callers. Pictures are excluded, because browsers cache them permanently
 * and they are too large for memory.
 */
const isShared = ({ method, cache, service, file, rate }: Route): boolean =>
  method === 'get' && cache === 'public' && service !== 'gateway' && rate !== 'none' && !file?.startsWith('image/');

/**
 * The cache target of a GET. Undefined: the answer is not cached. All spellings of a URL have one target: the case of
 * the path's fixed parts and a trailing slash are ignored, parameters are sorted, and unknown parameters are dropped,
 * because the service does not read them. The service gets exactly the canonical URL, so no spelling can poison the
 * answer to another spelling.
 */
export const findTarget =
  (table: RouteTable) =>
  (url: string): Target | undefined => {
    if (url.length > MAX_URL) return undefined;
    const path = pathOf(url);
    const route = table.find('GET', path);
    if (!route || !isShared(route) || table.serviceFor(path) !== route.service) return undefined;
    if (badTarget('GET', url)) return undefined;
    const asked = path.split('/');
    const segments = route.path.split('/').map((segment, at) => (segment.startsWith('{') ? asked[at]! : segment));
    if (!segments.every((segment) => PLAIN_SEGMENT.test(segment))) return undefined;
    const query = canonicalQuery(url.slice(path.length + 1), route.query);
    if (query === undefined) return undefined;
    const hasQuery = query !== '';
    const gate = gateOf(route, hasQuery);
    return {
      url: segments.join('/') + (query && `?${query}`),
      service: route.service,
      route: route.path,
      hasQuery,
      rate: route.rate === undefined || route.rate === 'none' ? 'read' : route.rate,
      ...(gate && { gate }),
      ...(route.isFramed && { isFramed: true }),
    };
  };

/** Returns undefined when a parameter is repeated: only the service knows what a repeated parameter means. */
function canonicalQuery(text: string, known: Route['query'] = {}): string | undefined {
  if (text === '') return '';
  const given = [...new URLSearchParams(text)].filter(([name]) => Object.hasOwn(known, name));
  given.sort(([a], [b]) => (a < b ? -1 : 1));
  if (given.some(([name], at) => name === given[at + 1]?.[0])) return undefined;
  return new URLSearchParams(given).toString();
}
