import { badTarget, pathOf } from '../inbound/target.ts';
import { gateOf, type GateName } from '../routes/gates.ts';
import type { RateClass, Route, Service } from '../routes/route.ts';
import type { RouteTable } from '../routes/table.ts';

/** What a service is asked for in place of everybody who asks for the same. */
export interface Target {
  /** The one spelling of the address: entries are found by it, and the service is asked by it. */
  url: string;
  service: Service;
  /** The row's path, with `{names}`. */
  route: string;
  hasQuery: boolean;
  rate: RateClass;
  gate?: GateName;
  /** Other sites may show it in a frame. */
  isFramed?: true;
}

/** Longer addresses are no shared reading. */
const MAX_URL = 1_024;
const PLAIN_SEGMENT = /^[\w.~-]{0,64}$/;

/** Calls that answer everybody alike. Pictures are kept by browsers for ever and are too large to be kept here. */
const isShared = ({ method, cache, service, file, rate }: Route): boolean =>
  method === 'get' && cache === 'public' && service !== 'gateway' && rate !== 'none' && !file?.startsWith('image/');

/**
 * Gives where the answer to a GET is kept; undefined: it is not to be kept. Spellings of one address have one target:
 * letters of the path's fixed parts and a last slash do not matter, parameters are sorted, and those that the call's
 * row does not name are left out, for the service does not read them. As the service is asked for exactly this, no
 * spelling can put another answer in its place.
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

/** Undefined when a parameter is repeated: what that means is the service's to say. */
function canonicalQuery(text: string, known: Route['query'] = {}): string | undefined {
  if (text === '') return '';
  const given = [...new URLSearchParams(text)].filter(([name]) => Object.hasOwn(known, name));
  given.sort(([a], [b]) => (a < b ? -1 : 1));
  if (given.some(([name], at) => name === given[at + 1]?.[0])) return undefined;
  return new URLSearchParams(given).toString();
}
