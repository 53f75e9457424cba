import { Validator } from '@seriousme/openapi-schema-validator';
import { z } from 'zod';
import { expect, test } from 'vitest';
import { publicRoutes } from '../routes/table.ts';
import { openApiDocument } from './document.ts';

const SITE = 'http://localhost:3000';

test('is an OpenAPI document', async () => {
  const document = JSON.parse(JSON.stringify(openApiDocument(SITE, publicRoutes))) as Record<string, unknown>;
  const result = await new Validator().validate(document);
  expect(result).toMatchObject({ valid: true });
  expect(document).toMatchObject({ openapi: '3.1.0', servers: [{ url: SITE }] });
});

test('each call has a unique name, its access rule and its refusals', () => {
  const document = openApiDocument(SITE, publicRoutes);
  const operations = Object.values(document.paths ?? {}).flatMap((item) => Object.values(item ?? {})) as Array<{
    operationId: string;
    summary: string;
    description?: string;
    security: unknown[];
    responses: Record<string, unknown>;
  }>;
  expect(operations).toHaveLength(publicRoutes.length);
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(publicRoutes.length);
  const adminCalls = new Set(publicRoutes.filter(({ access }) => access === 'admin').map(({ summary }) => summary));
  expect(adminCalls.size).toBeGreaterThan(10);
  for (const { summary, description, responses, security } of operations) {
    expect(summary).toMatch(/^[A-Z`“]/);
    expect(responses).toHaveProperty('default');
    expect(description).toBe(adminCalls.has(summary) ? 'For admins only.' : undefined);
    if (security.length > 0 && !security.some((one) => Object.keys(one as object).length === 0))
      expect(responses).toHaveProperty('401');
  }
});

/** All `pattern`s in the document. */
function patternsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'pattern' && typeof inner === 'string' ? [inner] : patternsIn(inner),
  );
}

test('each pattern matches the same texts with the `u` flag and without it', () => {
  const patterns = [...new Set(patternsIn(JSON.parse(JSON.stringify(openApiDocument(SITE, publicRoutes)))))];
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
    // Without the flag `u`, `\\p{…}` matches the letter p.
    expect(pattern).not.toMatch(/\\p\{|\\u\{/i);
    for (const text of texts) expect(new RegExp(pattern).test(text), pattern).toBe(new RegExp(pattern, 'u').test(text));
  }
});

test('a call documents the refusals of wrong input', () => {
  const document = openApiDocument(SITE, publicRoutes);
  for (const call of publicRoutes) {
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

/** The paths of the objects in a JSON schema that accept fields not listed in the schema. */
function openObjects(schema: unknown, path = ''): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const inner = Object.entries(schema).flatMap(([key, value]) => openObjects(value, `${path}/${key}`));
  return 'properties' in schema && (schema as { additionalProperties?: unknown }).additionalProperties !== false
    ? [path || '/', ...inner]
    : inner;
}

/**
 * Objects whose fields others define: the browser's WebAuthn version defines those of a credential, and the card
 * provider those of a webhook event.
 */
const CREDENTIAL = ['/properties/credential', '/properties/credential/properties/response'];
const OF_OTHERS: Record<string, string[]> = {
  '/api/auth/login/passkey': CREDENTIAL,
  '/api/auth/passkeys': CREDENTIAL,
  '/api/stripe/webhook': ['/'],
};

test.each(publicRoutes.flatMap(({ method, path, body }) => (body ? [[method, path, body] as const] : [])))(
  'the body of %s %s is refused when it has a field that is not listed, at any depth',
  (_, path, body) => {
    const open = openObjects(z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }));
    expect(open).toEqual(OF_OTHERS[path] ?? []);
  },
);
