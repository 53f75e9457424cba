import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { eventually, testDatabase, type TestDatabase } from '@beltway/kit/testing';
import { busMigrations, INTERNAL_TOKEN, ownMigrations } from './stack.ts';

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const children: ChildProcess[] = [];
const databases: TestDatabase[] = [];
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await Promise.all(databases.map((database) => database.drop()));
});

async function start(env: Record<string, string> = {}) {
  const [own, bus] = await Promise.all([testDatabase(ownMigrations), testDatabase(busMigrations)]);
  databases.push(own, bus);
  const child = spawn(process.execPath, [MAIN], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      SERVICE_PORT: '0',
      BELTWAY_MODE: 'embedded',
      DATABASE_URL: own.url,
      BUS_DATABASE_URL: bus.url,
      INTERNAL_TOKEN,
      IDENTITY_URL: 'http://127.0.0.1:1',
      PUBLIC_URL: 'http://localhost:3000',
      TICKETING_URL: 'http://127.0.0.1:1',
      STRIPE_SECRET_KEY: 'sk_test_main',
      STRIPE_PUBLISHABLE_KEY: 'pk_test_main',
      STRIPE_WEBHOOK_SECRET: 'whsec_main1234',
      STRIPE_API_BASE: 'http://127.0.0.1:1',
      ...env,
    },
  });
  children.push(child);
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += String(chunk)));
  child.stderr.on('data', (chunk: Buffer) => (output += String(chunk)));
  return {
    child,
    output: () => output,
    base: async () => `http://127.0.0.1:${await eventually(() => /"port":(\d+)[^\n]*"listening"/.exec(output)?.[1])}`,
  };
}

test('starts while the provider is down, becomes ready, and stops in order', async () => {
  const { child, output, base } = await start();
  const url = await base();
  expect((await eventually(() => fetch(`${url}/health/ready`).then((ready) => ready.ok && ready))).status).toBe(200);
  const config = await fetch(`${url}/internal/config`, { headers: { 'x-internal-token': INTERNAL_TOKEN } });
  expect(await config.json()).toEqual({ publishableKey: 'pk_test_main', sandbox: true });
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(output()).not.toContain('did not close cleanly');
  for (const secret of ['sk_test_main', 'whsec_main1234', INTERNAL_TOKEN]) expect(output()).not.toContain(secret);
});

test('does not start with a live API key for the sandbox', async () => {
  const { child, output } = await start({ STRIPE_SECRET_KEY: 'sk_live_x', STRIPE_PUBLISHABLE_KEY: 'pk_live_x' });
  expect(await once(child, 'exit')).toEqual([1, null]);
  expect(output()).toContain('STRIPE_API_BASE');
  expect(output()).not.toContain('sk_live_x');
});
