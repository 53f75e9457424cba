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

/** Values that the operator sets, in addition to those of the example and of `npm run secrets`. */
const FILLED_IN = {
  STRIPE_SECRET_KEY: 'sk_test_1',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_12345678',
};
const filledIn: Record<string, string> = {
  ...(parseEnv(withSecrets(example).text) as Record<string, string>),
  ...FILLED_IN,
};

/**
 * `${NAME}`, `${NAME-default}`, `${NAME:-default}`, `${NAME:+instead}` and `${NAME:?message}`, with the semantics of
 * compose.
 */
const VARIABLE = /(?<!\$)\$\{(\w+)(?:(:?[-?+])([^}]*))?\}/g;
const parsed = parse(read('docker-compose.yml'), { merge: true }) as unknown;

/**
 * Replaces variables after parsing, as compose does, so that an empty variable becomes an empty string and not null.
 */
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

/** Variables that only docker-compose.yml sets, for the profile `sandbox`; the Kubernetes manifests omit them. */
const WITH_SANDBOX: Record<string, Record<string, string>> = {
  gateway: { SANDBOX_URL: '' },
  payments: { STRIPE_API_BASE: '' },
  sandbox: { SANDBOX_URL: 'http://sandbox:4000' },
  demo: { SANDBOX_URL: 'http://sandbox:4000' },
};

/** Services with a folder and a database, from the launcher. */
const withDatabase = databases.map(({ name }) => name).filter((name) => name !== 'bus' && name !== 'sandbox');

describe('docker-compose.yml', () => {
  test.each([...services, 'sandbox', 'demo'])('gives %s exactly the variables it reads, with valid values', (name) => {
    const environment = { ...environmentOf(name), ...WITH_SANDBOX[name] };
    const migrated = withDatabase.includes(name) ? ['MIGRATE_AT_START'] : [];
    const setAnyway = [...migrated, ...Object.keys(WITH_SANDBOX[name] ?? {})];
    expect(compare(name, environment)).toEqual({ missing: [], unknown: [], setAnyway, refused: [] });
  });

  test('SANDBOX_URL alone connects gateway, payments and demo data to the sandbox, and is empty by default', () => {
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

  test('the card sandbox and the demo data have a separate profile and separate images', () => {
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
    // Without the profile, no service may wait for a service of the profile.
    for (const [name, { depends_on = {} }] of Object.entries(file.services))
      for (const [other, { required }] of Object.entries(depends_on))
        if (profiled.includes(other)) {
          const shared = file.services[name]!.profiles?.some((one) => file.services[other]!.profiles!.includes(one));
          expect([name, required ?? true]).toEqual([name, shared ?? false]);
        }
  });

  test.each([
    ['the site is public', { PUBLIC_URL: 'https://tickets.example.org' }, 'PUBLIC_URL'],
    ['the gateway is published on the network', { PUBLISH: '0.0.0.0:3000' }, 'PUBLISH'],
    ['the gateway is published without an address', { PUBLISH: '3000' }, 'PUBLISH'],
    ['no service uses it', { SANDBOX_URL: '' }, 'SANDBOX_URL'],
    ['the keys are live', { STRIPE_SECRET_KEY: 'sk_live_1' }, 'STRIPE_SECRET_KEY'],
  ])('has a sandbox that refuses to start when %s, with the reason', (_what, change, variable) => {
    const settings = { ...filledIn, SANDBOX_URL: 'http://sandbox:4000' };
    const start = (env: Record<string, string>) =>
      sandboxConfig(load(env).services['sandbox']!.environment as NodeJS.ProcessEnv);
    for (const PUBLISH of ['127.0.0.1:3000', '127.0.0.1:3000-3001', '[::1]:3000'])
      expect(start({ ...settings, PUBLISH }).PUBLIC_URL).toBe('http://localhost:3000');
    expect(() => start({ ...settings, ...change })).toThrow(variable);
  });

  test('gateway, payments and demo data refuse the sandbox on a public site', () => {
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

  test('every variable listed as deliberately omitted is read by a service', () => {
    expect(leftOutInVain()).toEqual([]);
  });

  test('uses exactly the variables that .env.example explains', () => {
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

  test('builds every service’s image from one Dockerfile, and overrides neither command nor entrypoint', () => {
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

  test('the URLs of services match the ports on which the services listen', () => {
    for (const name of services)
      for (const [variable, url] of Object.entries(environmentOf(name))) {
        if (!/^http:\/\/\w+:\d+$/.test(url) || ['PUBLIC_URL', 'S3_URL'].includes(variable)) continue;
        const { hostname, port } = new URL(url);
        expect(`${hostname.toUpperCase()}_URL`).toBe(variable);
        expect(environmentOf(hostname)['SERVICE_PORT']).toBe(port);
        expect(environmentOf(hostname)['HOST']).toBe('0.0.0.0');
      }
  });

  test('gives each container enough time to stop before it is killed', () => {
    for (const name of services) {
      const { stop_grace_period: grace = '' } = file.services[name]!;
      expect(grace).toMatch(/^\d+s$/);
      expect(parseInt(grace) * 1_000).toBeGreaterThan(Number(environmentOf(name)['LAME_DUCK_MS']) + STOP_MS);
    }
  });

  test('publishes only the ports of the gateway, RTMP and monitoring, on 127.0.0.1 by default', () => {
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

  test('accepts live streams on the published port, and stores recordings on a volume', () => {
    const { INGEST_ADDRESS, INGEST_CAMERAS, DATA_DIR } = environmentOf('media');
    const { ports, volumes } = file.services['media']!;
    expect(ports).toEqual([`127.0.0.1:1935:${INGEST_ADDRESS!.split(':')[1]}`]);
    // The container listens on all IP addresses. Browser cameras would use UDP ports, which are not published.
    expect([INGEST_ADDRESS!.split(':')[0], INGEST_CAMERAS]).toEqual(['0.0.0.0', 'off']);
    expect(volumes).toEqual([`streams:${DATA_DIR}`]);
    expect(Object.keys(file.volumes)).toContain('streams');
    // The image creates that folder for the user that runs the service.
    expect(read('Dockerfile')).toContain(`mkdir ${DATA_DIR} && chown node:node ${DATA_DIR}`);
  });

  test('the trace viewer of the profile watch has the URL that .env.example names', () => {
    const [, url = ''] = /^# Where traces go.*?(http:\S+)/m.exec(example) ?? [];
    const { hostname, port } = new URL(url);
    // Jaeger receives OTLP over HTTP at port 4318. The services reach it in the network that they all share.
    expect([file.services[hostname]!.profiles, port]).toEqual([['watch'], '4318']);
    for (const name of services) expect(file.services[name]!.networks).toContain(file.services[hostname]!.networks[0]);
  });

  test('gives each service its own database and role, which it migrates; `up` starts no container for that', () => {
    expect(file.services['databases']!.entrypoint).toEqual(['/databases.sh', ...withDatabase]);
    for (const name of withDatabase) {
      const { DATABASE_URL = '' } = environmentOf(name);
      const { username, password, host, pathname } = new URL(DATABASE_URL);
      expect([username, host, pathname]).toEqual([name, 'postgres:5432', `/${name}`]);
      expect(environmentOf('databases')[`${name.toUpperCase()}_DATABASE_PASSWORD`]).toBe(password);
      const others = services.filter((other) => other !== name);
      for (const other of others) expect(Object.values(environmentOf(other)).join()).not.toContain(password);

      // This migration is for updates, which migrate before they replace the first instance.
      const migration = file.services[`migrate-${name}`]!;
      expect([migration.image, migration.command, migration.profiles]).toEqual([
        `beltway/${name}`,
        ['migrate'],
        ['migrate'],
      ]);
      expect(migration.environment).toEqual({ DATABASE_URL });
      expect(migration.depends_on).toEqual({ databases: { condition: 'service_completed_successfully' } });
      expect(environmentOf(name)['MIGRATE_AT_START']).toBe('on');
      expect(file.services[name]!.depends_on).toMatchObject({
        databases: { condition: 'service_completed_successfully' },
        kafka: { condition: 'service_healthy' },
        redis: { condition: 'service_healthy' },
      });
    }
  });

  test('audits four databases by a container that is started by hand, with a script of its image', () => {
    const { image, command, profiles, environment } = file.services['audit']!;
    expect([image, profiles]).toEqual(['beltway/ticketing', ['tools']]);
    expect(existsSync(join(root, command![1]!))).toBe(true);
    const audited = ['ticketing', 'payments', 'catalog', 'realtime'];
    expect(environment).toEqual(
      Object.fromEntries(
        audited.map((name) => [`${name.toUpperCase()}_DATABASE_URL`, environmentOf(name)['DATABASE_URL']]),
      ),
    );
  });

  test('stores pictures in a bucket that is created first, with the S3 server’s keys', () => {
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

  test('waits for health only of services with a health check, and for completion only of services that end', () => {
    for (const { depends_on = {} } of Object.values(file.services))
      for (const [name, { condition }] of Object.entries(depends_on)) {
        const { image, healthcheck, command, entrypoint } = file.services[name]!;
        const ends =
          command?.[0] === 'migrate' || ['/databases.sh', 'mkdir'].includes(entrypoint?.[0] ?? '') || name === 'demo';
        // The S3 image has no program for a health check, so media waits for the server itself.
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

  test('isolates engines from the internet and from services that do not use them', () => {
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
      [
        ...['postgres', 'databases', 'database-sandbox', 'database-watch', 'engines', 'sandbox', 'audit'],
        ...withDatabase,
      ].toSorted(),
    );
    expect(on('bus').toSorted()).toEqual(['engines', 'gateway-2', 'kafka', 'redis', ...services].toSorted());
  });

  test('pins external images, bounds memory, and reaps the children of PostgreSQL', () => {
    const running = Object.entries(file.services).filter(([, { restart }]) => restart !== 'no');
    for (const [name, { image, mem_limit }] of running) {
      expect(mem_limit, name).toMatch(/^\d+m$/);
      if (!image.startsWith('beltway/')) expect(image, name).toMatch(/:v?\d+\.\d+/);
    }
    expect(file.services['postgres']!.init).toBe(true);
    const megabytes = (names: string[]) =>
      names.reduce((sum, name) => sum + parseInt(file.services[name]!.mem_limit!), 0) / 1024;
    const [, ours, all] = /services add up to ([\d.]+) GB, with those of the engines to ([\d.]+) GB/.exec(
      read('docs/operations/compose.md').replaceAll('\n', ' '),
    )!;
    expect(megabytes(services).toFixed(1)).toBe(ours);
    const always = running.filter(([, { profiles }]) => !profiles).map(([name]) => name);
    expect(megabytes(always).toFixed(1)).toBe(all);
  });

  test('mounts only declared volumes and existing files', () => {
    const mounts = Object.values(file.services).flatMap(({ volumes = [] }) => volumes.map((one) => one.split(':')[0]!));
    const folders = mounts.filter((one) => one.startsWith('./'));
    expect(folders.length).toBeGreaterThan(0);
    for (const path of folders) expect(existsSync(join(root, path))).toBe(true);
    const named = [...new Set(mounts.filter((one) => !one.startsWith('./')))];
    expect(named.toSorted()).toEqual(Object.keys(file.volumes).toSorted());
  });
});
