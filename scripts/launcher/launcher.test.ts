import { expect, test } from 'vitest';
import { backoff } from './backoff.ts';
import { compact } from './logs.ts';
import { readSettings, root } from './settings.ts';
import { beltway, type Surroundings } from './system.ts';
import { join } from 'node:path';

test('the pause before a restart doubles from 0.2 s to 5 s, and begins again after 30 s alive', () => {
  const next = backoff();
  expect([0, 0, 0, 0, 0, 0, 0].map((alive) => next(alive))).toEqual([200, 400, 800, 1600, 3200, 5000, 5000]);
  expect(next(30_000)).toBe(200);
  expect(next(29_999)).toBe(400);
});

test('settings come from the environment', () => {
  expect(readSettings({}, [])).toEqual({
    port: 3000,
    dataDir: join(root, '.data'),
    demo: true,
    rateLimits: true,
    dev: false,
  });
  const env = { PORT: '8080', DATA_DIR: '/tmp/x', BELTWAY_DEMO: '0', BELTWAY_RATE_LIMITS: 'off' };
  expect(readSettings(env, ['--dev'])).toEqual({
    port: 8080,
    dataDir: '/tmp/x',
    demo: false,
    rateLimits: false,
    dev: true,
  });
  expect(() => readSettings({ PORT: 'web' }, [])).toThrow('PORT');
  expect(() => readSettings({}, ['--fast'])).toThrow('--fast');
});

test('of a log only warnings and errors are told, in short', () => {
  expect(compact('{"level":30,"msg":"request"}')).toBeUndefined();
  expect(compact('{"level":40,"msg":"slow","err":{"message":"no answer","stack":"…"}}')).toBe(
    'warning: slow: no answer',
  );
  expect(compact('{"level":60,"msg":"unhandled rejection","err":"Error: x"}')).toBe(
    'error: unhandled rejection: Error: x',
  );
  expect(compact('Cannot start, these variables are wrong')).toBe('Cannot start, these variables are wrong');
  expect(compact('x'.repeat(5_000))!.length).toBeLessThan(500);
  expect(compact('')).toBeUndefined();
});

test('each service gets its own database and secrets, and not those of others', () => {
  const secrets = Object.fromEntries(
    ['DATABASE_SECRET', 'KEY_ENCRYPTION_SECRET', 'TICKET_SECRET', 'INTERNAL_TOKEN', 'STRIPE_SECRET_KEY'].map((name) => [
      name,
      `${name}!`,
    ]),
  );
  const { services } = beltway();
  const ports = Object.fromEntries(services.map(({ name }, index) => [name, 20_000 + index]));
  const settings = readSettings({}, []);
  const env = (name: string) =>
    services
      .find((service) => service.name === name)!
      .env({ settings, secrets, ports, postgresPort: 5 } as unknown as Surroundings);
  expect(env('ticketing')).toMatchObject({
    TICKET_SECRET: 'TICKET_SECRET!',
    INTERNAL_TOKEN: 'INTERNAL_TOKEN!',
    BELTWAY_MODE: 'embedded',
  });
  expect(env('ticketing')['DATABASE_URL']).toMatch(/^postgres:\/\/ticketing:.*\/ticketing$/);
  expect(env('catalog')).not.toHaveProperty('TICKET_SECRET');
  expect(env('gateway')).not.toHaveProperty('DATABASE_URL');
  expect(env('gateway')).not.toHaveProperty('STRIPE_SECRET_KEY');
  expect(services.at(-1)!.name).toBe('gateway');
});
