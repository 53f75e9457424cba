import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { eventually } from '@beltway/kit/testing';
import { INTERNAL_TOKEN, caller, databases, later, type Databases } from './support.ts';

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));

function start({ url, busUrl }: Databases, env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [MAIN], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      SERVICE_PORT: '0',
      BELTWAY_MODE: 'embedded',
      DATABASE_URL: url,
      BUS_DATABASE_URL: busUrl,
      INTERNAL_TOKEN,
      IDENTITY_URL: 'http://127.0.0.1:1',
      CATALOG_URL: 'http://127.0.0.1:1',
      TICKETING_URL: 'http://127.0.0.1:1',
      PAYMENTS_URL: 'http://127.0.0.1:1',
      MEDIA_URL: 'http://127.0.0.1:1',
      REALTIME_URL: 'http://127.0.0.1:1',
      KEY_ENCRYPTION_SECRET: 'key-encryption-secret-of-the-tests-0123',
      ...env,
    },
  });
  later(() => child.kill('SIGKILL'));
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += String(chunk)));
  child.stderr.on('data', (chunk: Buffer) => (output += String(chunk)));
  const port = () => /"port":(\d+)[^\n]*"listening"/.exec(output)?.[1];
  return { child, output: () => output, base: async () => `http://127.0.0.1:${await eventually(port)}` };
}

test('starts with the demo accounts, stops in order, and starts again with the same keys', async () => {
  const on = await databases();
  const first = start(on);
  const call = caller(await first.base());
  const login = await call('POST', '/api/auth/login', {
    body: { email: 'admin@beltway.test', password: 'demo-beltway' },
  });
  expect(login).toMatchObject({ status: 200, json: { user: { role: 'admin', name: 'Demo Admin' } } });
  const jwks = (await call('GET', '/.well-known/jwks.json')).text;
  first.child.kill('SIGTERM');
  expect(await once(first.child, 'exit')).toEqual([0, null]);
  expect(first.output()).not.toContain('did not close cleanly');

  const second = start(on);
  const again = caller(await second.base());
  expect((await again('GET', '/.well-known/jwks.json')).text).toBe(jwks);
  expect((await again('GET', '/api/auth/me', { token: login.json.token })).status).toBe(200);
  expect((await again('POST', '/api/auth/refresh', { cookie: login.cookie })).status).toBe(200);
});

test('does not start without its secret, and names the missing variable', async () => {
  const { child, output } = start(await databases(), { KEY_ENCRYPTION_SECRET: '' });
  expect(await once(child, 'exit')).toEqual([1, null]);
  expect(output()).toContain('KEY_ENCRYPTION_SECRET');
});
