import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { variables as realtime } from '../../services/realtime/src/config.ts';
import { databasePassword, secretsOf } from './secrets.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'secrets-'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));
const file = () => join(dataDir, 'secrets.json');

test('secrets are created once; later starts create only missing secrets', () => {
  const first = secretsOf(dataDir);
  expect(secretsOf(dataDir)).toEqual(first);
  const { TICKET_SECRET, ...older } = first;
  writeFileSync(file(), JSON.stringify({ ...older, SOMETHING_ELSE: 'kept' }));
  const later = secretsOf(dataDir);
  expect(later).toMatchObject(older);
  expect(later.TICKET_SECRET).not.toBe(TICKET_SECRET);
  expect(JSON.parse(readFileSync(file(), 'utf8'))).toMatchObject({ SOMETHING_ELSE: 'kept' });
});

test('Stripe keys look like test keys, secrets are long, each database has its own password', () => {
  const secrets = secretsOf(dataDir);
  expect(secrets.STRIPE_SECRET_KEY).toMatch(/^sk_test_\w{24,}$/);
  expect(secrets.STRIPE_PUBLISHABLE_KEY).toMatch(/^pk_test_\w{24,}$/);
  expect(secrets.STRIPE_WEBHOOK_SECRET).toMatch(/^whsec_\w{24,}$/);
  expect(new Set(Object.values(secrets)).size).toBe(Object.keys(secrets).length);
  for (const secret of Object.values(secrets)) expect(secret.length).toBeGreaterThanOrEqual(32);
  expect(databasePassword(secrets, 'identity')).not.toBe(databasePassword(secrets, 'catalog'));
});

test('realtime accepts the generated key for web push', () => {
  const { VAPID_PRIVATE_KEY: key } = secretsOf(dataDir);
  expect(realtime.VAPID_PRIVATE_KEY.safeParse(key).success).toBe(true);
  expect(realtime.VAPID_PRIVATE_KEY.safeParse(key.slice(2)).success).toBe(false);
});

test('lost or unreadable secrets are never replaced while there is data', () => {
  mkdirSync(join(dataDir, 'postgres'));
  expect(() => secretsOf(dataDir)).toThrow('no secrets.json');
  writeFileSync(file(), '{ half');
  expect(() => secretsOf(dataDir)).toThrow('not readable');
  expect(readFileSync(file(), 'utf8')).toBe('{ half');
});
