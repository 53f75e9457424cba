export type Service = 'identity' | 'catalog' | 'ticketing' | 'payments' | 'media' | 'realtime' | 'sandbox';

/** The first pattern that fits decides. What fits none is the frontend's, or nobody's under /api. */
const table: Array<[pattern: RegExp, service: Service]> = [
  [/^\/api\/auth\//, 'identity'],
  [/^\/api\/users\/[^/]+\/events\/?$/, 'catalog'],
  [/^\/api\/users\//, 'identity'],
  [/^\/api\/events\/[^/]+\/(availability|attendees|attendees\.csv)\/?$/, 'ticketing'],
  [/^\/api\/events(\/|$)/, 'catalog'],
  [/^\/api\/(holds|tickets|orders|order-keys)(\/|$)/, 'ticketing'],
  [/^\/api\/(create-ticket-payment-intent|process-ticket-purchase)\/?$/, 'ticketing'],
  [/^\/api\/stripe\/webhook$/, 'payments'],
  [/^\/api\/images\/?$/, 'media'],
  [/^\/media\//, 'media'],
  [/^\/socket\.io(\/|$)/, 'realtime'],
];

/** Pages and servers that exist on a developer's machine only. */
const embeddedTable: Array<[pattern: RegExp, service: Service]> = [
  [/^\/sandbox\/stripe(\/|$)/, 'sandbox'],
  [/^\/dev\/payments(\/|$)/, 'sandbox'],
  [/^\/dev\/mail(\/|$)/, 'ticketing'],
];

const everything = [...table, ...embeddedTable];

/** Which service answers this path. */
export const serviceFor = (path: string, embedded: boolean): Service | undefined =>
  (embedded ? everything : table).find(([pattern]) => pattern.test(path))?.[1];

/** Paths that are never a page of the frontend: what no service answers there does not exist. */
export const isNoPage = (path: string): boolean => /^\/(api|media|sandbox|dev|internal|socket\.io)(\/|$)/i.test(path);
