import { expect, test } from 'vitest';
import { config } from './config.ts';

const env = {
  SERVICE_PORT: '0',
  BELTWAY_MODE: 'embedded',
  DATABASE_URL: 'postgres://x@127.0.0.1/payments',
  INTERNAL_TOKEN: 'x'.repeat(32),
  IDENTITY_URL: 'http://127.0.0.1:1',
  TICKETING_URL: 'http://127.0.0.1:1',
  STRIPE_SECRET_KEY: 'sk_test_1',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_12345678',
  PUBLIC_URL: 'https://beltway.test',
  STRIPE_API_BASE: 'http://127.0.0.1:3109',
};
const live = { STRIPE_SECRET_KEY: 'sk_live_1', STRIPE_PUBLISHABLE_KEY: 'pk_live_1' };

test('the sandbox serves embedded mode with test keys', () =>
  expect(config(env).STRIPE_API_BASE).toBe('http://127.0.0.1:3109'));
const onLocalhost = { BELTWAY_MODE: 'engines', PUBLIC_URL: 'http://localhost:3000' };
test('the sandbox serves containers whose site is on localhost', () =>
  expect(config({ ...env, ...onLocalhost }).STRIPE_API_BASE).toBe('http://127.0.0.1:3109'));
test('real keys are used with the real provider, in both modes', () => {
  for (const BELTWAY_MODE of ['embedded', 'engines'])
    expect(config({ ...env, ...live, BELTWAY_MODE, STRIPE_API_BASE: '' }).STRIPE_API_BASE).toBeUndefined();
});
test.each([
  ['the sandbox on a site for others', { BELTWAY_MODE: 'engines' }, 'PUBLIC_URL on localhost'],
  [
    'the sandbox on a site that begins like localhost',
    { BELTWAY_MODE: 'engines', PUBLIC_URL: 'https://localhost.beltway.test' },
    'PUBLIC_URL on localhost',
  ],
  ['a live key shown to the sandbox on localhost', { ...live, ...onLocalhost }, 'live key'],
  ['a live key shown to the sandbox', live, 'live key'],
  ['keys of two kinds', { ...live, STRIPE_PUBLISHABLE_KEY: 'pk_test_1', STRIPE_API_BASE: '' }, 'same kind'],
  ['no webhook secret', { STRIPE_WEBHOOK_SECRET: '' }, 'STRIPE_WEBHOOK_SECRET'],
  ['no secret key', { STRIPE_SECRET_KEY: '' }, 'STRIPE_SECRET_KEY'],
])('does not start with %s', (_what, change, message) => expect(() => config({ ...env, ...change })).toThrow(message));
test('an error about wrong keys never contains the keys', () => {
  try {
    config({ ...env, STRIPE_SECRET_KEY: 'oops_this_is_secret' });
    expect.unreachable();
  } catch (error) {
    expect(String(error)).not.toContain('oops');
  }
});
