import { X509Certificate } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { createServer, get } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '@beltway/kit/config';
import { readKustomization, variablesOf, withComponent, type Manifest } from './manifests.ts';
import { compare, serviceVariables } from './service-variables.ts';

// TLS between services and to engines, in containers and in Kubernetes (docs/operations/tls.md).

interface ComposeService {
  entrypoint?: string[];
  environment?: Record<string, string>;
  volumes?: string[];
  command?: string[];
  depends_on?: Record<string, object>;
}

const root = join(import.meta.dirname, '..', '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const composed = (path: string) =>
  (parse(read(path), { merge: true }) as { services: Record<string, ComposeService> }).services;
const [plain, tls] = [composed('docker-compose.yml'), composed('docker-compose.tls.yml')];
const services = Object.keys(serviceVariables);
const others = services.filter((name) => name !== 'gateway');

/** A service's environment with both compose files. Variables from `.env` have a value that each service accepts. */
function environmentOf(name: string): Record<string, string> {
  const values: Record<string, string> = {
    ...{ PUBLIC_URL: 'https://tickets.example.org', SMTP_URL: 'smtp://mail:1025', TRUSTED_HOPS: '1' },
    ...{ MAIL_FROM: 'Beltway <tickets@example.org>', SUPPORT_EMAIL: '', VAPID_PRIVATE_KEY: 'ab'.repeat(32) },
    ...{ STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_PUBLISHABLE_KEY: 'pk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_12345678' },
  };
  const filled = (text: unknown) =>
    String(text).replace(/\$\{(\w+)(?::?([-?])([^}]*))?\}/g, (_all, variable: string, rule: string, rest: string) =>
      variable in values ? values[variable]! : rule === '-' ? rest : 'x'.repeat(32),
    );
  const both = { ...plain[name]!.environment, ...tls[name]?.environment };
  return Object.fromEntries(Object.entries(both).map(([key, value]) => [key, filled(value)]));
}

const OWN_TLS = ['SERVICE_CERT_FILE', 'SERVICE_KEY_FILE', 'SERVICE_CA_FILE'];

describe('docker-compose.tls.yml', () => {
  test.each(services)('gives %s a separate certificate, and every call uses TLS', (name) => {
    const environment = environmentOf(name);
    const { missing, unknown, refused } = compare(name, environment);
    expect({ missing, unknown, refused }).toEqual({ missing: [], unknown: [], refused: [] });
    for (const variable of OWN_TLS) expect(environment[variable], variable).toMatch(/^\/tls\//);
    expect(tls[name]!.volumes).toEqual([`./.tls/${name}:/tls:ro`]);
    expect(tls[name]!.depends_on).toHaveProperty('certificates');
    // `readConfig` checks that the settings agree, and that no service is called without TLS.
    expect(() => readConfig(serviceVariables[name]!, environment)).not.toThrow();
    expect(environment['KAFKA_TLS']).toBe('on');
    if (name !== 'gateway')
      expect(environment['DATABASE_URL']).toMatch(/\?sslmode=verify-full&sslrootcert=\/tls\/ca.pem$/);
    if ('REDIS_URL' in environment) expect(environment['REDIS_URL']).toMatch(/^rediss:/);
    if ('S3_URL' in environment) expect(environment['S3_URL']).toMatch(/^https:/);
  });

  test('a service that is called without TLS does not start', () => {
    const environment = { ...environmentOf('identity'), PAYMENTS_URL: 'http://payments:4000' };
    expect(() => readConfig(serviceVariables['identity']!, environment)).toThrow(
      'PAYMENTS_URL: must begin with https://',
    );
  });

  test('a certificate is created for every container that mounts one, readable by its user', () => {
    const [script, folder, ...names] = tls['certificates']!.entrypoint!;
    expect([script, folder]).toEqual(['/certificates.sh', '/tls']);
    const mounted = Object.values(tls).flatMap(({ volumes = [] }) =>
      volumes.flatMap((volume) => /^\.\/\.tls\/([\w-]+):/.exec(volume)?.[1] ?? []),
    );
    const made = names.map((name) => name.split(':')[0]!);
    expect([...new Set(mounted)].filter((name) => name !== 'ca').sort()).toEqual(made.toSorted());
    const files = Object.entries({ '.gitignore': '.tls/', '.dockerignore': '.tls' });
    for (const [file, line] of files) expect(read(file).split('\n')).toContain(line);
  });

  test('every container that connects to PostgreSQL does so by TLS, one-shot containers included', () => {
    const found = Object.keys(plain).flatMap((name) => {
      const environment = environmentOf(name);
      const urls = Object.values(environment).filter((value) => value.startsWith('postgres://'));
      for (const url of urls) expect(url, name).toMatch(/\?sslmode=verify-full&sslrootcert=\/tls\/ca\.pem$/);
      if ('PGHOST' in environment) expect(environment['PGSSLMODE'], name).toBe('verify-full');
      const connects = urls.length > 0 || 'PGHOST' in environment;
      if (connects)
        expect(tls[name]?.volumes, name).toContainEqual(expect.stringMatching(/^\.\/\.tls\/[\w-]+:\/tls:ro$/));
      return connects ? [name] : [];
    });
    expect(found).toEqual(expect.arrayContaining(['ticketing', 'audit', 'migrate-media', 'databases', 'engines']));
  });

  test('engines accept nothing without TLS from other containers', () => {
    expect(tls['redis']!.command!.join(' ')).toMatch(/--port 0 --tls-port 6379/);
    expect(tls['kafka']!.environment!['KAFKA_LISTENERS']).toBe('TLS://:9092,CONTROLLER://127.0.0.1:9093');
    expect(tls['kafka']!.environment!['KAFKA_LISTENER_SECURITY_PROTOCOL_MAP']).toContain('TLS:SSL');
    expect(tls['s3']!.command).toEqual(expect.arrayContaining(['--cert', '--key']));
    expect(tls['postgres']!.command).toEqual([...plain['postgres']!.command!, ...tls['postgres']!.command!.slice(9)]);
    expect(tls['postgres']!.command).toEqual(expect.arrayContaining(['ssl=on', 'hba_file=/pg_hba.conf']));
    const rules = read('deploy/tls/pg_hba.conf')
      .split('\n')
      .filter((line) => /^host\s/.test(line));
    expect(rules).toEqual([expect.stringContaining('127.0.0.1/32')]);
  });

  test('Prometheus requests the same metrics over TLS', () => {
    const jobs = (path: string) => (parse(read(path), { merge: true }) as { scrape_configs: object[] }).scrape_configs;
    const byTls = { scheme: 'https', tls_config: { ca_file: '/tls/ca.pem', server_name: 'metrics.beltway' } };
    expect(jobs('deploy/watch/prometheus.tls.yml')).toEqual(
      jobs('deploy/watch/prometheus.yml').map((job) => ({ ...job, ...byTls })),
    );
  });
});

describe('certificates.sh', () => {
  const folder = mkdtempSync(join(tmpdir(), 'certificates-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const make = (...names: string[]) =>
    execFileSync(join(root, 'scripts/deploy/tls/certificates.sh'), [folder, ...names], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  const file = (name: string) => readFileSync(join(folder, name), 'utf8');

  test('makes certificates of one authority that a caller accepts for their names alone', async () => {
    expect(make('identity', 'kafka').trim().split('\n')).toEqual([
      'identity: a new certificate',
      'kafka: a new certificate',
    ]);
    const server = createServer(
      { key: file('identity/service.key'), cert: file('identity/service.pem') },
      (_req, res) => res.end('here'),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const call = (servername: string) =>
      new Promise<string | number | undefined>((resolve) =>
        get({ host: '127.0.0.1', port, servername, ca: file('ca/ca.pem') }, (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        }).on('error', ({ code }: NodeJS.ErrnoException) => resolve(code)),
      );
    expect(await call('identity')).toBe(200);
    expect(await call('metrics.beltway')).toBe(200);
    expect(await call('catalog')).toBe('ERR_TLS_CERT_ALTNAME_INVALID');
    server.closeAllConnections();
    server.close();
    expect(file('kafka/both.pem')).toBe(file('kafka/service.key') + file('kafka/service.pem'));
  });

  test('does not replace valid certificates, and keeps keys readable only by their owner', () => {
    const before = file('identity/service.pem');
    expect(make('identity', 'kafka')).toBe('');
    expect(file('identity/service.pem')).toBe(before);
    const modes = ['authority/ca.key', 'identity/service.key'].map((name) => statSync(join(folder, name)).mode & 0o077);
    expect(modes).toEqual([0, 0]);
    expect(statSync(join(folder, 'ca/ca.pem')).mode & 0o777).toBe(0o644);
    expect(readdirSync(join(folder, 'ca'))).toEqual(['ca.pem']);
  });

  test('replaces certificates that another authority signed or that expire soon', () => {
    const before = new X509Certificate(file('identity/service.pem'));
    expect(Date.parse(before.validTo) - Date.now()).toBeGreaterThan(390 * 86_400_000);
    rmSync(join(folder, 'authority'), { recursive: true });
    expect(make('identity')).toContain('identity: a new certificate');
    expect(new X509Certificate(file('identity/service.pem')).fingerprint).not.toBe(before.fingerprint);
    const ending = mkdtempSync(join(tmpdir(), 'ending-'));
    cpSync(join(folder, 'authority'), ending, { recursive: true });
    const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: ending, stdio: 'ignore' });
    openssl('req', '-new', '-key', join(folder, 'identity/service.key'), '-subj', '/CN=identity', '-out', 'request');
    openssl('x509', '-req', '-in', 'request', '-CA', 'ca.pem', '-CAkey', 'ca.key', '-set_serial', '7', '-days', '20', '-out', join(folder, 'identity/service.pem')); // oxfmt-ignore
    rmSync(ending, { recursive: true });
    expect(make('identity')).toContain('identity: a new certificate');
  });
});

describe('components/tls', () => {
  const production = readKustomization(join(root, 'k8s/overlays/production'));
  const component = join(root, 'k8s/components/tls');
  const { objects, configMaps } = withComponent(production, component);
  const { patches } = parse(readFileSync(join(component, 'kustomization.yaml'), 'utf8')) as {
    patches: Array<{ target: { kind: string; name?: string }; patch: string }>;
  };
  const patchesOf = (name: string) =>
    patches
      .filter(({ target }) => target.name?.split('|').includes(name))
      .map(({ patch }) => patch)
      .join('\n');

  test.each(services)('gives %s a separate certificate, and calls to services use TLS', (name) => {
    const deployment = objects.find((one) => one.kind === 'Deployment' && one.metadata.name === name)!;
    const variables = variablesOf(deployment.spec.template.spec.containers[0], configMaps);
    const urls = [...variables].flatMap(([variable, found]) =>
      'value' in found && others.some((other) => variable === `${other.toUpperCase()}_URL`) ? [found.value] : [],
    );
    expect(urls.length).toBeGreaterThan(0);
    for (const url of urls) expect(url).toMatch(/^https:/);
    for (const variable of OWN_TLS)
      expect(variables.get(variable)).toMatchObject({ value: expect.stringMatching(/^\/tls\//) });
    expect(patchesOf(name)).toContain(`secretName: tls-${name}`);
    const certificate = objects.find((one: Manifest) => one.kind === 'Certificate' && one.metadata.name === name)!;
    expect(certificate.spec).toMatchObject({ secretName: `tls-${name}`, dnsNames: [name, 'metrics.beltway'] });
  });

  test('probes and the ingress use TLS, for the gateway too', () => {
    for (const name of [...services, 'media-live'])
      expect(patchesOf(name).match(/httpGet\/scheme, value: HTTPS/g), name).toHaveLength(3);
    expect(configMaps.get('gateway')).toMatchObject({ PORT_TLS: 'on' });
    const ingress = patches.find(({ target }) => target.kind === 'Ingress')!.patch;
    expect(ingress).toContain('backend-protocol, value: HTTPS');
    expect(ingress).toContain("proxy-ssl-verify, value: 'on'");
  });
});
