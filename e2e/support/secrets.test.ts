import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { givenSecrets } from './secrets.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'beltway-secrets-'));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

test('finds issued secrets, the system’s own secrets, and secret-like strings in every log', () => {
  mkdirSync(join(dataDir, 'logs'));
  const own = { INTERNAL_TOKEN: 'i'.repeat(32), STRIPE_PUBLISHABLE_KEY: 'pk_test_public' };
  writeFileSync(join(dataDir, 'secrets.json'), JSON.stringify(own));
  const lines = [
    'GET /api/orders/1 with a0b1c2d3e4f5a6b7c8d9',
    `x-internal-token: ${own.INTERNAL_TOKEN}`,
    'GET /ticket-success?orderId=1&key=abcdefgh',
    'authorization: Bearer eyJhbGciOiJSUzI1.eyJzdWIiOiI3In0.xyz',
    'cookie of that session',
  ];
  const harmless = ['listening', 'the key pk_test_public', 'GET /api/events?tag=free 200'];
  writeFileSync(join(dataDir, 'logs', 'gateway.log'), [...lines.slice(0, 2), ...harmless].join('\n'));
  writeFileSync(join(dataDir, 'logs', 'postgres.log'), lines.slice(2).join('\n'));
  const secrets = givenSecrets();
  secrets.note('{"orderId":"1","accessKey":"a0b1c2d3e4f5a6b7c8d9"}');
  secrets.add('cookie of that session');
  expect(secrets.inLogs(dataDir).map((found) => found.replace(/^\w+\.log: /, ''))).toEqual(lines);
});
