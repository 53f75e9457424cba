import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { STOP_MS } from '@beltway/kit/serve';
import { withSecrets } from './env-file.mjs';
import { compare, leftOutInVain, serviceVariables } from './service-variables.ts';
import { databases } from '../launcher/system.ts';
import { sandboxConfig } from '../../packages/card-sandbox/src/config.ts';
import { config as gatewayConfig } from '../../services/gateway/src/config.ts';
import { config as paymentsConfig } from '../../services/payments/src/config.ts';

interface ComposeService {
  image: string;
  build?: { context: string; target?: string; args: { SERVICE: string; REVISION: string } };
  profiles?: string[];
  command?: string[];
  entrypoint?: string[];
  environment?: Record<string, string | number>;
  ports?: string[];
  volumes?: string[];
  networks: string[];
  depends_on?: Record<string, { condition: string; required?: boolean }>;
  stop_grace_period?: string;
  healthcheck?: { disable?: boolean; test?: string[] };
  read_only?: boolean;
  restart?: string;
  init?: boolean;
  mem_limit?: string;
  cap_drop?: string[];
}
interface ComposeFile {
  services: Record<string, ComposeService>;
  volumes: Record<string, unknown>;
  networks: Record<string, { internal?: boolean } | null>;
}

const root = join(import.meta.dirname, '..', '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const example = read('.env.example');

/** What a person fills in, beside what the example and `npm run secrets` give. */
const FILLED_IN = {
  STRIPE_SECRET_KEY: 'sk_test_1',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_12345678',
};
const filledIn: Record<string, string> = {
  ...(parseEnv(withSecrets(example).text) as Record<string, string>),
  ...FILLED_IN,
};

/** `${NAME}`, `${NAME-default}`, `${NAME:-default}`, `${NAME:+instead}` and `${NAME:?message}`, as compose reads them. */
const VARIABLE = /(?<!\$)\$\{(\w+)(?:(:?[-?+])([^}]*))?\}/g;
const parsed = parse(read('docker-compose.yml'), { merge: true }) as unknown;

/** As compose does it: in the values that were parsed, so that an empty one is a text and no null. */
function interpolate(value: unknown, replace: (...found: string[]) => string): unknown {
  if (typeof value === 'string') return value.replace(VARIABLE, replace).replaceAll('$$', '$');
  if (Array.isArray(value)) return value.map((one) => interpolate(one, replace));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, interpolate(one, replace)]));
}

const used: Array<{ name: string; rule: string }> = [];
interpolate(parsed, (_all, name = '', rule = '') => {
  used.push({ name, rule });
  return '';
});

const load = (env: Record<string, string>): ComposeFile =>
  interpolate(parsed, (_all, name = '', rule = '', rest = '') => {
    const value = env[name] ?? '';
    if (value === '' && rule.endsWith('?')) throw new Error(`${name}: ${rest}`);
    if (rule.endsWith('+')) return value === '' ? '' : rest;
    return value === '' && rule.endsWith('-') ? rest : value;
  }) as ComposeFile;
const file = load(filledIn);
const services = Object.keys(serviceVariables);
const environmentOf = (name: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(file.services[name]!.environment ?? {}).map(([key, value]) => [key, String(value)]),
  );

/** What the profile `sandbox` sets besides: elsewhere it is left out on purpose. */
const WITH_SANDBOX: Record<string, Record<string, string>> = {
  gateway: { SANDBOX_URL: '' },
  payments: { STRIPE_API_BASE: '' },
  sandbox: { SANDBOX_URL: 'http://sandbox:4000' },
  demo: { SANDBOX_URL: 'http://sandbox:4000' },
};

/** The names of folders with a service in them, by the launcher. */
const withDatabase = databases.map(({ name }) => name).filter((name) => name !== 'bus' && name !== 'sandbox');

describe('docker-compose.yml', () => {
  test.each([...services, 'sandbox', 'demo'])(
    'gives %s every variable it reads, none that it does not, and none that it refuses',
    (name) => {
      const environment = { ...environmentOf(name), ...WITH_SANDBOX[name] };
      const setAnyway = Object.keys(WITH_SANDBOX[name] ?? {});
      expect(compare(name, environment)).toEqual({ missing: [], unknown: [], setAnyway, refused: [] });
    },
  );

  test('sends cards to the sandbox by one variable, which is empty unless somebody asks for it', () => {
    const url = 'http://sandbox:4000';
    const withSandbox = load({ ...filledIn, SANDBOX_URL: url });
    for (const [name, variables] of Object.entries(WITH_SANDBOX))
      for (const variable of Object.keys(variables)) {
        expect(environmentOf(name)[variable]).toBe('');
        expect(withSandbox.services[name]!.environment![variable]).toBe(url);
      }
    const { SERVICE_PORT, HOST } = withSandbox.services['sandbox']!.environment!;
    expect(`http://sandbox:${SERVICE_PORT}`).toBe(url);
    expect(HOST).toBe('0.0.0.0');
  });

  test('has the card sandbox and demo data in a profile and an image of their own', () => {
    const profiled = Object.keys(file.services).filter((name) => file.services[name]!.profiles !== undefined);
    const sandbox = profiled.filter((name) => file.services[name]!.profiles!.includes('sandbox'));
    expect(sandbox.toSorted()).toEqual(['database-sandbox', 'demo', 'migrate-sandbox', 'sandbox']);
    for (const name of sandbox) expect(file.services[name]!.profiles).toEqual(['sandbox']);
    const withImage = Object.entries(file.services).filter(([, { image }]) => image === 'beltway/sandbox');
    expect(withImage.map(([name]) => name).toSorted()).toEqual(['demo', 'migrate-sandbox', 'sandbox']);
    for (const [, { build, read_only }] of withImage)
      expect({ build, read_only }).toEqual({
        build: { context: '.', target: 'sandbox', args: { SERVICE: 'card-sandbox', REVISION: 'unknown' } },
        read_only: true,
      });
    // Without the profile nothing may wait for them.
    for (const [name, { depends_on = {} }] of Object.entries(file.services))
      for (const [other, { required }] of Object.entries(depends_on))
        if (profiled.includes(other)) {
          const shared = file.services[name]!.profiles?.some((one) => file.services[other]!.profiles!.includes(one));
          expect([name, required ?? true]).toEqual([name, shared ?? false]);
        }
  });

  test.each([
    ['the site is for others', { PUBLIC_URL: 'https://tickets.example.org' }, 'PUBLIC_URL'],
    ['the gateway is published to others', { PUBLISH: '0.0.0.0:3000' }, 'PUBLISH'],
    ['the gateway is published on all addresses', { PUBLISH: '3000' }, 'PUBLISH'],
    ['nobody would use it', { SANDBOX_URL: '' }, 'SANDBOX_URL'],
    ['the keys are live', { STRIPE_SECRET_KEY: 'sk_live_1' }, 'STRIPE_SECRET_KEY'],
  ])('has a sandbox that does not start when %s, and says so', (_what, change, variable) => {
    const settings = { ...filledIn, SANDBOX_URL: 'http://sandbox:4000' };
    const start = (env: Record<string, string>) =>
      sandboxConfig(load(env).services['sandbox']!.environment as NodeJS.ProcessEnv);
    for (const PUBLISH of ['127.0.0.1:3000', '127.0.0.1:3000-3001', '[::1]:3000'])
      expect(start({ ...settings, PUBLISH }).PUBLIC_URL).toBe('http://localhost:3000');
    expect(() => start({ ...settings, ...change })).toThrow(variable);
  });

  test('refuses the sandbox in gateway, payments and demo data when the site is for others', () => {
    const environmentAt = (publicUrl: string) => (name: string) => {
      const env = { ...filledIn, SANDBOX_URL: 'http://sandbox:4000', PUBLIC_URL: publicUrl };
      const given = Object.entries(load(env).services[name]!.environment!);
      return Object.fromEntries(given.map(([key, value]) => [key, String(value)]));
    };
    const here = environmentAt('http://localhost:3000');
    expect(gatewayConfig(here('gateway')).SANDBOX_URL).toBe('http://sandbox:4000');
    expect(paymentsConfig(here('payments')).STRIPE_API_BASE).toBe('http://sandbox:4000');
    expect(compare('demo', here('demo')).refused).toEqual([]);
    for (const site of [
      'https://tickets.example.org',
      'https://localhost.example.org:3000',
      'https://192.168.1.7:3000',
    ]) {
      const there = environmentAt(site);
      expect(() => gatewayConfig(there('gateway'))).toThrow('SANDBOX_URL');
      expect(() => paymentsConfig(there('payments'))).toThrow('STRIPE_API_BASE');
      expect(compare('demo', there('demo')).refused.join()).toContain('PUBLIC_URL');
    }
  });

  test('runs every service', () => {
    expect(services.toSorted()).toEqual(readdirSync(join(root, 'services')).toSorted());
  });

  test('leaves out on purpose only what a service reads', () => {
    expect(leftOutInVain()).toEqual([]);
  });

  test('reads exactly the variables that .env.example explains', () => {
    const explained = Object.keys(parseEnv(example));
    expect([...new Set(used.map(({ name }) => name))].toSorted()).toEqual(explained.toSorted());
    const unexplained = example
      .split(/\n\s*\n/)
      .filter((part) => /^\w+=/m.test(part) && !/^# /m.test(part))
      .map((part) => part.split('=')[0]);
    expect(unexplained).toEqual([]);
  });

  test('has no default for a secret, and does not start without it', () => {
    const { made } = withSecrets(example);
    expect(made.length).toBeGreaterThan(0);
    for (const name of [...made, ...Object.keys(FILLED_IN)]) {
      expect(used.filter((one) => one.name === name).map(({ rule }) => rule)).not.toContain(':-');
      expect(() => load({ ...filledIn, [name]: '' })).toThrow(name);
    }
  });

  test('builds an image for each service, from the one Dockerfile, and runs it as it is', () => {
    for (const name of services) {
      const { image, build, command, entrypoint, read_only, cap_drop } = file.services[name]!;
      expect({ image, build, command, entrypoint, read_only, cap_drop }).toEqual({
        image: `beltway/${name}`,
        build: { context: '.', args: { SERVICE: name, REVISION: 'unknown' } },
        command: undefined,
        entrypoint: undefined,
        read_only: true,
        cap_drop: ['ALL'],
      });
    }
  });

  test('names services by addresses at which they listen', () => {
    for (const name of services)
      for (const [variable, url] of Object.entries(environmentOf(name))) {
        if (!/^http:\/\/\w+:\d+$/.test(url) || ['PUBLIC_URL', 'S3_URL'].includes(variable)) continue;
        const { hostname, port } = new URL(url);
        expect(`${hostname.toUpperCase()}_URL`).toBe(variable);
        expect(environmentOf(hostname)['SERVICE_PORT']).toBe(port);
        expect(environmentOf(hostname)['HOST']).toBe('0.0.0.0');
      }
  });

  test('kills no container before it has stopped by itself', () => {
    for (const name of services) {
      const { stop_grace_period: grace = '' } = file.services[name]!;
      expect(grace).toMatch(/^\d+s$/);
      expect(parseInt(grace) * 1_000).toBeGreaterThan(Number(environmentOf(name)['LAME_DUCK_MS']) + STOP_MS);
    }
  });

  test('publishes the gateway’s port, and RTMP’s for encoders, and no other beside those for watching, on this machine alone', () => {
    const published = Object.entries(file.services).flatMap(([name, { ports = [], profiles = [] }]) =>
      ports.map((port) => ({ name, port, isWatching: profiles.includes('watch') })),
    );
    const watching = published.filter(({ isWatching }) => isWatching);
    expect(published.filter(({ isWatching }) => !isWatching)).toEqual([
      { name: 'gateway', port: `127.0.0.1:3000:${environmentOf('gateway')['PORT']}`, isWatching: false },
      { name: 'gateway-2', port: `127.0.0.1:3001:${environmentOf('gateway')['PORT']}`, isWatching: false },
      { name: 'media', port: '127.0.0.1:1935:1935', isWatching: false },
    ]);
    for (const { port } of watching) expect(port).toMatch(/^127\.0\.0\.1:\d+:\d+$/);
  });

  test('takes live streams in where the port is published, and keeps what is recorded on a volume', () => {
    const { INGEST_ADDRESS, INGEST_CAMERAS, DATA_DIR } = environmentOf('media');
    const { ports, volumes } = file.services['media']!;
    expect(ports).toEqual([`127.0.0.1:1935:${INGEST_ADDRESS!.split(':')[1]}`]);
    // The port is of the container, and cameras would come to others that nobody reaches.
    expect([INGEST_ADDRESS!.split(':')[0], INGEST_CAMERAS]).toEqual(['0.0.0.0', 'off']);
    expect(volumes).toEqual([`streams:${DATA_DIR}`]);
    expect(Object.keys(file.volumes)).toContain('streams');
    // The image makes that folder, and it is the user's who runs the service.
    expect(read('Dockerfile')).toContain(`mkdir ${DATA_DIR} && chown node:node ${DATA_DIR}`);
  });

  test('its own trace viewer is where .env.example says', () => {
    const [, url = ''] = /^# Where traces go.*?(http:\S+)/m.exec(example) ?? [];
    const { hostname, port } = new URL(url);
    // Jaeger takes OTLP by HTTP at 4318; the services reach it by the network that they all are on.
    expect([file.services[hostname]!.profiles, port]).toEqual([['watch'], '4318']);
    for (const name of services) expect(file.services[name]!.networks).toContain(file.services[hostname]!.networks[0]);
  });

  test('gives each service a database and a role of its own, migrated before it starts', () => {
    expect(file.services['databases']!.entrypoint).toEqual(['/databases.sh', ...withDatabase]);
    for (const name of withDatabase) {
      const { DATABASE_URL = '' } = environmentOf(name);
      const { username, password, host, pathname } = new URL(DATABASE_URL);
      expect([username, host, pathname]).toEqual([name, 'postgres:5432', `/${name}`]);
      expect(environmentOf('databases')[`${name.toUpperCase()}_DATABASE_PASSWORD`]).toBe(password);
      const others = services.filter((other) => other !== name);
      for (const other of others) expect(Object.values(environmentOf(other)).join()).not.toContain(password);

      const migration = file.services[`migrate-${name}`]!;
      expect([migration.image, migration.command]).toEqual([`beltway/${name}`, ['migrate']]);
      expect(migration.environment).toEqual({ DATABASE_URL });
      expect(migration.depends_on).toEqual({ databases: { condition: 'service_completed_successfully' } });
      expect(file.services[name]!.depends_on).toMatchObject({
        [`migrate-${name}`]: { condition: 'service_completed_successfully' },
        kafka: { condition: 'service_healthy' },
        redis: { condition: 'service_healthy' },
      });
    }
  });

  test('keeps pictures in a bucket that is made before, with the keys of its server', () => {
    const { S3_URL = '', S3_BUCKET, S3_ACCESS_KEY, S3_SECRET_KEY } = environmentOf('media');
    const { hostname, port } = new URL(S3_URL);
    const { command, depends_on, volumes, image } = file.services[hostname]!;
    expect(command).toEqual(['--port', `:${port}`, 'posix', '/data']);
    expect(environmentOf(hostname)).toEqual({ ROOT_ACCESS_KEY: S3_ACCESS_KEY, ROOT_SECRET_KEY: S3_SECRET_KEY });
    expect(Object.keys(depends_on!)).toEqual(['bucket']);
    expect(file.services['bucket']).toMatchObject({
      image,
      volumes,
      entrypoint: ['mkdir', '-p', `/data/${S3_BUCKET}`],
    });
    expect(file.services['media']!.depends_on).toMatchObject({
      bucket: { condition: 'service_completed_successfully' },
    });
  });

  test('waits for health only where there is a health check, and for an end only where there is one', () => {
    for (const { depends_on = {} } of Object.values(file.services))
      for (const [name, { condition }] of Object.entries(depends_on)) {
        const { image, healthcheck, command, entrypoint } = file.services[name]!;
        const ends =
          command?.[0] === 'migrate' || ['/databases.sh', 'mkdir'].includes(entrypoint?.[0] ?? '') || name === 'demo';
        // Its image has nothing to ask it with: media waits for it itself.
        if (name === 's3') {
          expect(condition).toBe('service_started');
          continue;
        }
        const isChecked = !ends && (healthcheck?.test !== undefined || image.startsWith('beltway/'));
        expect([name, condition]).toEqual([name, ends ? 'service_completed_successfully' : 'service_healthy']);
        expect(ends || isChecked).toBe(true);
      }
    expect(Object.keys(file.services['gateway']!.depends_on!).toSorted()).toEqual(
      ['demo', ...services.filter((name) => name !== 'gateway')].toSorted(),
    );
  });

  test('keeps engines away from the internet and from whoever does not use them', () => {
    const on = (network: string) =>
      Object.keys(file.services).filter((name) => file.services[name]!.networks.includes(network));
    expect(file.networks['databases']).toEqual({ internal: true });
    expect(file.networks['bus']).toEqual({ internal: true });
    expect(file.networks['objects']).toEqual({ internal: true });
    expect(on('objects').toSorted()).toEqual(['bucket', 'engines', 'media', 's3']);
    expect(
      on('databases')
        .filter((name) => !/^migrate-/.test(name))
        .toSorted(),
    ).toEqual(
      ['postgres', 'databases', 'database-sandbox', 'database-watch', 'engines', 'sandbox', ...withDatabase].toSorted(),
    );
    expect(on('bus').toSorted()).toEqual(['engines', 'gateway-2', 'kafka', 'redis', ...services].toSorted());
  });

  test('names exact versions of what others build, bounds the memory of all that keeps running, and reaps the children of PostgreSQL', () => {
    const running = Object.entries(file.services).filter(([, { restart }]) => restart !== 'no');
    for (const [name, { image, mem_limit }] of running) {
      expect(mem_limit, name).toMatch(/^\d+m$/);
      if (!image.startsWith('beltway/')) expect(image, name).toMatch(/:v?\d+\.\d+/);
    }
    expect(file.services['postgres']!.init).toBe(true);
    const megabytes = (names: string[]) =>
      names.reduce((sum, name) => sum + parseInt(file.services[name]!.mem_limit!), 0) / 1024;
    const [, ours, all] = /services add up to ([\d.]+) GB, with the engines ([\d.]+) GB/.exec(
      read('docs/operations/compose.md').replaceAll('\n', ' '),
    )!;
    expect(megabytes(services).toFixed(1)).toBe(ours);
    const always = running.filter(([, { profiles }]) => !profiles).map(([name]) => name);
    expect(megabytes(always).toFixed(1)).toBe(all);
  });

  test('mounts volumes that it names, and files that are there', () => {
    const mounts = Object.values(file.services).flatMap(({ volumes = [] }) => volumes.map((one) => one.split(':')[0]!));
    const folders = mounts.filter((one) => one.startsWith('./'));
    expect(folders.length).toBeGreaterThan(0);
    for (const path of folders) expect(existsSync(join(root, path))).toBe(true);
    const named = [...new Set(mounts.filter((one) => !one.startsWith('./')))];
    expect(named.toSorted()).toEqual(Object.keys(file.volumes).toSorted());
  });
});
