import { expect, test } from 'vitest';
import { restartPauses } from './processes/supervise.ts';
import { compact } from './processes/logs.ts';
import { readSettings, root } from './settings.ts';
import { beltway, type Surroundings } from './system.ts';
import { join } from 'node:path';

test('the pause before a restart doubles from 0.2 s to 5 s, and starts over after 5 s of uptime', () => {
  const next = restartPauses();
  expect([0, 0, 0, 0, 0, 0, 0].map((alive) => next(alive))).toEqual([200, 400, 800, 1600, 3200, 5000, 5000]);
  expect(next(5_000)).toBe(200);
  expect(next(4_999)).toBe(400);
});

test('settings come from the environment', () => {
  expect(readSettings({}, [])).toEqual({
    port: 3000,
    host: '127.0.0.1',
    dataDir: join(root, '.data'),
    demo: true,
    rateLimits: true,
    replicas: {},
    engines: false,
    kafkaBrokers: undefined,
    redisUrl: undefined,
    databaseServer: undefined,
    dev: false,
    oneProcess: false,
  });
  const env = {
    PORT: '8080',
    DATA_DIR: '/tmp/x',
    BELTWAY_DEMO: '0',
    BELTWAY_RATE_LIMITS: 'off',
    BELTWAY_REPLICAS: 'ticketing:2',
    KAFKA_BROKERS: 'k:1',
    REDIS_URL: '',
    DATABASE_SERVER_URL: 'postgres://p',
  };
  expect(readSettings(env, ['--dev', '--engines'])).toEqual({
    port: 8080,
    host: '127.0.0.1',
    dataDir: '/tmp/x',
    demo: false,
    rateLimits: false,
    replicas: { ticketing: 2 },
    engines: true,
    kafkaBrokers: 'k:1',
    redisUrl: undefined,
    databaseServer: 'postgres://p',
    dev: true,
    oneProcess: false,
  });
  expect(readSettings({}, ['--one-process']).oneProcess).toBe(true);
  expect(readSettings({}, ['--engines']).dataDir).toBe(join(root, '.data', 'engines'));
  expect(() => readSettings({ PORT: 'web' }, [])).toThrow('PORT');
  expect(() => readSettings({}, ['--fast'])).toThrow('--fast');
  expect(() => readSettings({}, ['--one-process', '--dev'])).toThrow('--dev');
  expect(() => readSettings({ BELTWAY_REPLICAS: 'media:2' }, ['--one-process'])).toThrow('BELTWAY_REPLICAS');
});

test.each(['0.0.0.0', '::', '192.168.1.7', 'myhost', '127.0.0.1.evil.test'])(
  'refuses to listen beyond this machine: HOST=%s',
  (HOST) => {
    expect(() => readSettings({ HOST }, [])).toThrow(/this machine only/);
  },
);

test.each(['127.0.0.1', '127.0.0.2', '::1', 'localhost'])('accepts HOST=%s', (HOST) => {
  expect(readSettings({ HOST }, []).host).toBe(HOST);
});

test('only warnings and errors of a log are printed, shortened', () => {
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

const { services } = beltway();

/**
 * Environment of an instance of a service. The first service listens at 20000 (its further instances at 20010, …), the
 * next service at 20001.
 */
function env(
  name: string,
  index = 0,
  replicas: Record<string, number> = {},
  engines: Partial<Surroundings> = {},
): Record<string, string> {
  const secrets = Object.fromEntries(
    ['DATABASE_SECRET', 'KEY_ENCRYPTION_SECRET', 'TICKET_SECRET', 'INTERNAL_TOKEN', 'STRIPE_SECRET_KEY'].map((one) => [
      one,
      `${one}!`,
    ]),
  );
  const ports = Object.fromEntries(
    services.map((one, at) => [
      one.name,
      Array.from({ length: replicas[one.name] ?? 1 }, (_, i) => 20_000 + 10 * i + at),
    ]),
  );
  const around = {
    settings: readSettings({}, []),
    secrets,
    ports,
    doorPort: 3000,
    databaseUrl: (database: string) => `postgres://${database}:x@127.0.0.1:5/${database}`,
    ...engines,
  } as unknown as Surroundings;
  return services.find((service) => service.name === name)!.env(around, index);
}

test('each service gets only its own database and secrets', () => {
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

test('a service with one instance gets no list, no pause before it stops, and no shared port', () => {
  expect(env('ticketing')['IDENTITY_URL']).toBe('http://127.0.0.1:20000');
  expect(env('ticketing')).not.toHaveProperty('LAME_DUCK_MS');
  expect(env('gateway')).not.toHaveProperty('SHARE_PORT');
});

test('with several instances, every service knows all instances', () => {
  const replicas = { identity: 2, gateway: 2, payments: 2 };
  expect(env('identity', 1, replicas)).toMatchObject({
    SERVICE_PORT: '20010',
    LAME_DUCK_MS: '1000',
  });
  expect(env('catalog', 0, replicas)['IDENTITY_URL']).toBe('http://127.0.0.1:20000,http://127.0.0.1:20010');
  expect(env('gateway', 1, replicas)).toMatchObject({
    PORT: '3000',
    SERVICE_PORT: '20017',
    SHARE_PORT: '1',
    LAME_DUCK_MS: '1000',
  });
  // Webhooks go through the public door, which knows the running instances.
  expect(env('sandbox')['WEBHOOK_URL']).toBe(`${env('catalog')['PAYMENTS_URL']}/api/stripe/webhook`);
  expect(env('sandbox', 0, replicas)['WEBHOOK_URL']).toBe('http://127.0.0.1:3000/api/stripe/webhook');
});

test('the bus is a database unless Kafka is present, and REDIS_URL is set only if Redis is present', () => {
  expect(env('ticketing')['BUS_DATABASE_URL']).toMatch(/\/bus$/);
  for (const name of ['KAFKA_BROKERS', 'REDIS_URL']) expect(env('ticketing')).not.toHaveProperty(name);
  const engines = env('ticketing', 0, {}, { kafkaBrokers: 'k:1', redisUrl: 'redis://r:2' });
  expect(engines).toMatchObject({ KAFKA_BROKERS: 'k:1', REDIS_URL: 'redis://r:2', BELTWAY_MODE: 'embedded' });
  expect(engines).not.toHaveProperty('BUS_DATABASE_URL');
});
