import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Route } from './route.ts';
import { comparable, publicRoutes, routeTable } from './table.ts';

const table = routeTable({ isEmbedded: false, hasSandbox: false });
const embedded = routeTable({ isEmbedded: true, hasSandbox: true });
const [KB, MB] = [1_024, 1_048_576];
const SERVICES = fileURLToPath(new URL('../../../', import.meta.url));

/** Every route that a service declares, such as "GET /api/events/{id}". Read from the service's sources. */
function declared(service: string): string[] {
  const src = join(SERVICES, service, 'src');
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.startsWith('generated'),
  );
  const route = /\b(?:router|app)\.(get|post|put|patch|delete)\(\s*'([^']+)'/g;
  return files.flatMap((file) =>
    [...readFileSync(join(src, file), 'utf8').matchAll(route)].map(
      ([, method, path]) => `${method!.toUpperCase()} ${path!.replace(/:(\w+)/g, '{$1}')}`,
    ),
  );
}
const isPublic = (route: string) => / \/((api|media)\/|embed$)/.test(route);
const services = ['identity', 'catalog', 'ticketing', 'payments', 'media', 'realtime'];

/** The public routes in the sources, such as "GET /api/events/{id} → catalog". */
const inSources = [...services, 'gateway'].flatMap((service) =>
  declared(service)
    .filter(isPublic)
    .map((route) => `${route} → ${service}`),
);

test('has a row for each public call that a service declares, and no other rows', () => {
  const rows = publicRoutes.map(({ method, path, service }) => `${method.toUpperCase()} ${path} → ${service}`);
  expect([...new Set(inSources)].sort()).toEqual(rows.sort());
  expect(inSources.length).toBeGreaterThan(30);
});

test.each(publicRoutes.map(({ method, path, service }) => [method.toUpperCase(), path, service] as const))(
  '%s %s is sent to %s',
  (method, path, service) => {
    const where = path.replace(/\{\w+\}/g, '7');
    expect(table.serviceFor(where)).toBe(service === 'gateway' ? undefined : service);
    expect(table.find(method, where)).toMatchObject({ path, service });
    expect(table.methodsOf(where)).toContain(method);
  },
);

test('no internal route of a service is routed', () => {
  const internal = services.flatMap(declared).filter((route) => !isPublic(route) && !route.includes(' /dev/'));
  expect(internal.length).toBeGreaterThan(5);
  for (const route of internal) expect(embedded.serviceFor(route.split(' ')[1]!)).toBeUndefined();
});

test.each([
  ['POST', '/api/auth/login', 'sign-in', 100 * KB],
  ['POST', '/API/AUTH/login/', 'sign-in', 100 * KB],
  ['POST', '/api/auth/register', 'sign-in', 100 * KB],
  ['POST', '/api/auth/refresh', 'write', 100 * KB],
  ['GET', '/api/auth/me', 'read', 100 * KB],
  ['POST', '/api/images', 'upload', 6 * MB],
  ['POST', '/api/images/', 'upload', 6 * MB],
  ['POST', '/api/events', 'write', 8 * MB],
  ['POST', '/api/Events/', 'write', 8 * MB],
  ['PATCH', '/api/events/7', 'write', 8 * MB],
  ['POST', '/api/events/7/cancel', 'write', 100 * KB],
  ['GET', '/api/events', 'read', 100 * KB],
  ['HEAD', '/api/events', 'read', 100 * KB],
  ['POST', '/api/holds', 'buy', 100 * KB],
  ['POST', '/api/holds/x/extension', 'buy', 100 * KB],
  ['POST', '/api/order-keys', 'buy', 100 * KB],
  ['POST', '/api/orders/x/claim', 'write', 100 * KB],
  ['DELETE', '/api/holds/x', 'write', 100 * KB],
  ['POST', '/api/create-ticket-payment-intent', 'buy', 100 * KB],
  ['POST', '/api/process-ticket-purchase', 'buy', 100 * KB],
  ['POST', '/api/stripe/webhook', undefined, MB],
  ['POST', '/sandbox/stripe/v1/payment_intents/x/confirm', 'read', 100 * KB],
  ['POST', '/socket.io/', 'read', 100 * KB],
  ['GET', '/assets/index.js', undefined, 100 * KB],
  ['POST', '/api/client-errors', 'client-error', 32 * KB],
  ['POST', '/api/client-spans', 'client-span', KB],
  ['GET', '/media/images/a.webp', undefined, 100 * KB],
  ['POST', '/api/no-such-call', 'write', 100 * KB],
  ['GET', '/', undefined, 100 * KB],
  ['GET', '/embed', 'read', 100 * KB],
  ['GET', '/api/events.ics', 'feed', 100 * KB],
  ['HEAD', '/api/orders/7/tickets.pdf', 'document', 100 * KB],
  ['GET', '/api/tickets/customers.csv', 'report', 100 * KB],
  ['GET', '/embed.js', undefined, 100 * KB],
])('%s %s is counted as %s and may have %i bytes', (method, path, counted, bytes) => {
  expect(embedded.rateOf(method, path)).toBe(counted);
  expect(embedded.maxBytes(method, path)).toBe(bytes);
});

const gatesOf = (isMeant: (route: Route) => boolean) =>
  publicRoutes.filter(isMeant).map(({ method, path, gate }) => `${method} ${path}: ${gate}`);

test('calls that hash a password or process a picture have separate gates', () => {
  const hashing = gatesOf(({ body }) => body instanceof z.ZodObject && 'password' in body.shape);
  expect(hashing.length).toBeGreaterThan(5);
  expect(hashing.filter((route) => !route.endsWith(': password'))).toEqual([]);
  const drawing = gatesOf(({ upload, maxBytes = 0 }) => upload !== undefined || maxBytes > MB);
  expect(drawing.length).toBeGreaterThan(4);
  expect(drawing.filter((route) => !route.endsWith(': upload'))).toEqual([]);
});

test('calls for files of any length and for generated documents have a gate', () => {
  const files = gatesOf(({ file }) => /pdf|csv|video|rss/.test(file ?? ''));
  expect(files.length).toBeGreaterThan(5);
  expect(files.filter((route) => route.endsWith(': undefined'))).toEqual([]);
});

test('OPTIONS lists every method of a path', () => {
  expect(table.methodsOf('/api/events')).toEqual(['GET', 'HEAD', 'POST']);
  expect(table.methodsOf('/api/Events/7/')).toEqual(['GET', 'HEAD', 'PATCH']);
  expect(table.methodsOf('/api/holds/7')).toEqual(['DELETE']);
  expect(table.methodsOf('/media/images/x.webp')).toEqual(['GET', 'HEAD']);
  expect(table.methodsOf('/api/openapiXjson')).toEqual([]);
  expect(table.methodsOf('/somewhere')).toEqual([]);
});

test('paths are compared as Express compares them', () => {
  expect(comparable('/API/Auth/Login/')).toBe('/api/auth/login');
  expect(comparable('/')).toBe('/');
});
