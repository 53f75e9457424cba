import type { Config } from './config.ts';

export type Service = 'identity' | 'catalog' | 'ticketing' | 'payments' | 'media' | 'realtime' | 'sandbox';

/** The first pattern that fits decides. What fits none is the frontend's, or nobody's under /api. */
const table: Array<[pattern: RegExp, service: Service]> = [
  [/^\/api\/auth(\/|$)/, 'identity'],
  [/^\/api\/users\/[^/]+\/events$/, 'catalog'],
  [/^\/api\/users(\/|$)/, 'identity'],
  [/^\/api\/events\/[^/]+\/availability$/, 'ticketing'],
  [/^\/api\/events(\/|$)/, 'catalog'],
  [/^\/api\/(holds|tickets|orders)(\/|$)/, 'ticketing'],
  [/^\/api\/(create-ticket-payment-intent|process-ticket-purchase)$/, 'ticketing'],
  [/^\/api\/stripe\/webhook$/, 'payments'],
  [/^\/api\/images$/, 'media'],
  [/^\/media\//, 'media'],
  [/^\/socket\.io(\/|$)/, 'realtime'],
];

/** Pages and servers that exist on a developer's machine only. */
const embeddedTable: Array<[pattern: RegExp, service: Service]> = [
  [/^\/sandbox\/stripe(\/|$)/, 'sandbox'],
  [/^\/dev\/payments(\/|$)/, 'sandbox'],
  [/^\/dev\/mail(\/|$)/, 'ticketing'],
];

/** Which service answers this path. */
export const serviceFor = (path: string, embedded: boolean): Service | undefined =>
  [...table, ...(embedded ? embeddedTable : [])].find(([pattern]) => pattern.test(path))?.[1];

export const urlsOf = (
  config: Config,
): Record<Exclude<Service, 'sandbox'>, string> & { sandbox: string | undefined } => ({
  identity: config.IDENTITY_URL,
  catalog: config.CATALOG_URL,
  ticketing: config.TICKETING_URL,
  payments: config.PAYMENTS_URL,
  media: config.MEDIA_URL,
  realtime: config.REALTIME_URL,
  sandbox: config.SANDBOX_URL,
});
