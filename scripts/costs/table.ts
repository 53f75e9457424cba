import type { Route } from '../../services/gateway/src/routes/route.ts';
import { publicRoutes } from '../../services/gateway/src/routes/table.ts';

/** Pages with a first screen in their HTML. The gateway caches each variant of a page. */
const pages = ['/', '/event/{id}', '/organizer/{id}', '/ticket-checkout', '/auth'].map((path): Route => ({
  method: 'get',
  path,
  service: 'gateway',
  access: 'public',
  summary: '',
  cache: 'public',
}));
/** Everything that has a row in the table: every public call, and these pages. */
export const measured: Route[] = [...publicRoutes, ...pages];

/** A call above either of the two limits needs a cache, a gate or a specific rate class. */
export const MOST_LOOP_MS = 5;
export const MOST_BYTES = 256 * 1_024;

/** What one call costs. */
export interface Cost {
  /** Method and path, such as `GET /api/events/{id}`. */
  call: string;
  /** Status of the measured answers. */
  status: number;
  /** CPU milliseconds of the event loop in the service that responds, and in the gateway. */
  serviceMs: number;
  gatewayMs: number;
  /** The answer's body, uncompressed. */
  bytes: number;
  /** Rows that PostgreSQL sent to all services. */
  rows: number;
}

export const callOf = ({ method, path }: Pick<Route, 'method' | 'path'>): string => `${method.toUpperCase()} ${path}`;

/** Rate classes that calls have by default, so they do not bound a specific call. */
const USUAL = new Set<Route['rate']>([undefined, 'read', 'write', 'none']);

/**
 * The bounds of a call: a cache for all readers, a gate, a rate class. Empty: only the default limits bound the call.
 */
export const guardsOf = ({ cache, file, gate, rate, service }: Route): string[] => [
  // The response cache stores no pictures. The gateway generates its own large answers only once.
  ...(cache === 'public' && !file?.startsWith('image/') ? [service === 'gateway' ? 'made once' : 'cache'] : []),
  ...(gate ? [`gate ${gate}`] : []),
  ...(USUAL.has(rate) ? [] : [`class ${rate}`]),
];

const isOver = ({ serviceMs, gatewayMs, bytes }: Cost): boolean =>
  Math.max(serviceMs, gatewayMs) > MOST_LOOP_MS || bytes > MOST_BYTES;

/** The faults of a table: calls without a row, rows without a call, and expensive calls without a bound. */
export function faultsOf(routes: readonly Route[], costs: readonly Cost[]): string[] {
  const rows = new Map(costs.map((cost) => [cost.call, cost]));
  const calls = new Map(routes.map((route) => [callOf(route), route]));
  return [
    ...[...calls.keys()].filter((call) => !rows.has(call)).map((call) => `${call} has no row`),
    ...[...rows.keys()].filter((call) => !calls.has(call)).map((call) => `${call} is no public call`),
    ...[...rows.values()]
      .filter((cost) => isOver(cost) && calls.has(cost.call) && guardsOf(calls.get(cost.call)!).length === 0)
      .map(({ call }) => `${call} costs more than may be without a cache, a gate or a rate class`),
  ];
}

const HEAD = ['Call', 'Status', 'Service, ms', 'Gateway, ms', 'Bytes', 'Rows', 'Bounded by'];
const number = (value: number, digits = 0): string =>
  value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** The rows as Markdown, most expensive first. */
export function tableOf(routes: readonly Route[], costs: readonly Cost[]): string {
  const guards = new Map(routes.map((route) => [callOf(route), guardsOf(route)]));
  // Sorts by the rounded values that are written, so that a table keeps its order when it is read and written again.
  const most = ({ serviceMs, gatewayMs }: Cost) => Math.round(Math.max(serviceMs, gatewayMs) * 100);
  const rows = costs
    .toSorted((one, other) => most(other) - most(one) || (one.call < other.call ? -1 : 1))
    .map(({ call, status, serviceMs, gatewayMs, bytes, rows }) => [
      ...[`\`${call}\``, String(status), number(serviceMs, 2), number(gatewayMs, 2), number(bytes), number(rows)],
      (guards.get(call) ?? []).join(', '),
    ]);
  return [HEAD, HEAD.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** The rows of a document written by `tableOf`. */
export function readTable(text: string): Cost[] {
  const rows = text.matchAll(
    /^\| `([A-Z]+ \S+)` *\| *(\d+) *\| *([\d.,]+) *\| *([\d.,]+) *\| *([\d,]+) *\| *([\d,]+) *\|/gm,
  );
  return [...rows].map(([, call, ...cells]) => {
    const [status, serviceMs, gatewayMs, bytes, rows] = cells.map((cell) => Number(cell.replaceAll(',', '')));
    return { call: call!, status: status!, serviceMs: serviceMs!, gatewayMs: gatewayMs!, bytes: bytes!, rows: rows! };
  });
}
