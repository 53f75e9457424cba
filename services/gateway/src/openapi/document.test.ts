import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { serviceFor } from '../proxy/routes.ts';
import { calls, openApiDocument } from './document.ts';
import { methodsOf } from './options.ts';

const SERVICES = fileURLToPath(new URL('../../../', import.meta.url));
const SITE = 'http://localhost:3000';

/** Every route a service declares, as "GET /api/events/{id}", read from its sources. */
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
const isPublic = (route: string) => / \/(api|media)\//.test(route);
const documented = calls.map(({ method, path }) => `${method.toUpperCase()} ${path}`);
const behind = ['identity', 'catalog', 'ticketing', 'payments', 'media', 'realtime'];

test('is an OpenAPI document', async () => {
  const document = JSON.parse(JSON.stringify(openApiDocument(SITE))) as Record<string, unknown>;
  const result = await new Validator().validate(document);
  expect(result).toMatchObject({ valid: true });
  expect(document).toMatchObject({ openapi: '3.1.0', servers: [{ url: SITE }] });
});

test('tells of every public call there is, and of none that is not', () => {
  const there = [...behind, 'gateway'].flatMap(declared).filter(isPublic);
  expect([...new Set(there)].sort()).toEqual([...documented].sort());
  expect(there.length).toBeGreaterThan(30);
});

test.each(
  behind.flatMap((service) =>
    declared(service)
      .filter(isPublic)
      .map((route) => [service, route] as const),
  ),
)('%s is asked for what it declares: %s', (service, route) => {
  const path = route.split(' ')[1]!.replace(/\{\w+\}/g, '7');
  expect(serviceFor(path, false)).toBe(service);
});

test('no internal route of a service is routed', () => {
  const internal = behind.flatMap(declared).filter((route) => !isPublic(route) && !route.includes(' /dev/'));
  expect(internal.length).toBeGreaterThan(5);
  for (const route of internal) expect(serviceFor(route.split(' ')[1]!, true)).toBeUndefined();
});

test('each call has a name of its own, who may call it, and how it is refused', () => {
  const document = openApiDocument(SITE);
  const operations = Object.values(document.paths ?? {}).flatMap((item) => Object.values(item ?? {})) as Array<{
    operationId: string;
    summary: string;
    security: unknown[];
    responses: Record<string, unknown>;
  }>;
  expect(operations).toHaveLength(calls.length);
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(calls.length);
  for (const { summary, responses, security } of operations) {
    expect(summary).toMatch(/^[A-Z`“]/);
    expect(responses).toHaveProperty('default');
    if (security.length > 0 && !security.some((one) => Object.keys(one as object).length === 0))
      expect(responses).toHaveProperty('401');
  }
});

/** The patterns that stand anywhere in the document. */
function patternsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'pattern' && typeof inner === 'string' ? [inner] : patternsIn(inner),
  );
}

test('each pattern means the same with the `u` flag and without it', () => {
  const patterns = [...new Set(patternsIn(JSON.parse(JSON.stringify(openApiDocument(SITE)))))];
  expect(patterns.length).toBeGreaterThan(5);
  const texts = [
    '',
    'a',
    'Ann Lee',
    '7',
    '0',
    'a\nb',
    'a\0',
    'שלום',
    '🎉',
    '\ud800',
    '\u202ea',
    'ann@example.test',
    '19:00',
  ];
  for (const pattern of patterns) {
    // Without the flag `\\p{…}` is the letter p.
    expect(pattern).not.toMatch(/\\p\{|\\u\{/i);
    for (const text of texts) expect(new RegExp(pattern).test(text), pattern).toBe(new RegExp(pattern, 'u').test(text));
  }
});

test('a call tells how it refuses what can be wrong with what it is sent', () => {
  const document = openApiDocument(SITE);
  for (const call of calls) {
    const { responses } = document.paths![call.path]![call.method] as { responses: Record<string, unknown> };
    const wanted = [
      ...(call.path.includes('{') || call.query ? [400] : []),
      ...(call.body || call.upload ? [400, 413, 415] : []),
      ...(call.headers?.includes('Idempotency-Key') ? [400, 422] : []),
      ...(call.headers?.includes('If-Match') ? [412] : []),
    ];
    expect(Object.keys(responses), `${call.method} ${call.path}`).toEqual(expect.arrayContaining(wanted.map(String)));
  }
  const statuses = (path: string) => Object.keys((document.paths![path]!.post as { responses: object }).responses);
  for (const path of ['/api/auth/login', '/api/auth/register'])
    expect(statuses(path)).toEqual(expect.arrayContaining(['403', '415']));
  expect(statuses('/api/events/{id}/cancel')).toEqual(expect.arrayContaining(['400', '409', '412']));
});

test('OPTIONS names every method of a path', () => {
  expect(methodsOf('/api/events')).toEqual(['GET', 'HEAD', 'POST']);
  expect(methodsOf('/api/Events/7/')).toEqual(['GET', 'HEAD', 'PATCH']);
  expect(methodsOf('/api/holds/7')).toEqual(['DELETE']);
  expect(methodsOf('/media/images/x.webp')).toEqual(['GET', 'HEAD']);
  expect(methodsOf('/api/openapiXjson')).toEqual([]);
  expect(methodsOf('/somewhere')).toEqual([]);
});
