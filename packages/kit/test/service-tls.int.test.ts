import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:tls';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { testCertificates, type TestCertificates } from '@beltway/test-engines/certificates';
import { instances } from '../src/http/instances/instances.ts';
import { internalClient } from '../src/http/instances/internal.ts';
import { fetchService, trustServices } from '../src/http/instances/service-tls.ts';
import { freePort, freePorts } from '../src/testing/free-ports.ts';
import { eventually } from '../src/testing/testing.ts';

// Tests services that call each other with TLS, with certificates of a private authority (OWASP ASVS 5.0, 12.3).

const entry = new URL('./tls-service.ts', import.meta.url).pathname;
const TOKEN = 'internal-token-of-the-tests-0123456789';
let certificates: TestCertificates;
const of: Record<string, { key: string; cert: string }> = {};
beforeAll(async () => {
  certificates = await testCertificates();
  for (const name of ['identity', 'ticketing', 'catalog']) of[name] = await certificates.of(name);
});
afterAll(() => certificates.remove());
const closing: Array<() => unknown> = [];
afterEach(() => {
  closing.splice(0).forEach((close) => close());
  trustServices({});
});

const tlsOf = (name: string) => ({
  ...{ SERVICE_CERT_FILE: of[name]!.cert, SERVICE_KEY_FILE: of[name]!.key },
  SERVICE_CA_FILE: certificates.ca,
});

function launch(name: string, port: number, env: Record<string, string>) {
  const child = fork(entry, [name], {
    ...{ execArgv: [], silent: true },
    env: {
      ...{ PATH: process.env['PATH'] ?? '', SERVICE_PORT: String(port), INTERNAL_TOKEN: TOKEN },
      ...{ IDENTITY_URL: 'https://127.0.0.1:1', ...env },
    },
  });
  closing.push(() => child.kill('SIGKILL'));
  let output = '';
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (chunk) => (output += String(chunk)));
  return { output: () => output, ended: once(child, 'close').then(([code]) => code as number) };
}

/** Starts a service and returns its base URL. */
async function start(name: string, env: Record<string, string> = {}): Promise<string> {
  const port = await freePort();
  const { output } = launch(name, port, { ...tlsOf(name), ...env });
  await eventually(() => output().includes('"listening"'), { what: `${name} listens` });
  return `https://127.0.0.1:${port}`;
}

const ask = (service: string, url: string, path: string) =>
  internalClient(instances({ service, urls: [url] }), TOKEN, 3_000).get(path);
const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'answered',
    (error: { code?: string }) => error.code,
  );

test('services call each other by TLS, each with a certificate for its name and not for its IP address', async () => {
  const identity = await start('identity');
  const ticketing = await start('ticketing', { IDENTITY_URL: identity });
  trustServices({ SERVICE_CA_FILE: certificates.ca });
  expect(await ask('ticketing', ticketing, '/internal/who')).toEqual({ who: 'ticketing' });
  expect(await ask('ticketing', ticketing, '/internal/peer')).toEqual({ who: 'identity' });
  expect(await ask('ticketing', ticketing, '/internal/peer-is-ready')).toMatchObject({ service: 'identity' });
  const answer = await fetchService('ticketing', new URL('/health/ready', ticketing));
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, expect.stringContaining('json')]);
});

test('a service of another authority is refused by calls, probes and fetches', async () => {
  const identity = await start('identity');
  const ticketing = await start('ticketing', { IDENTITY_URL: identity, SERVICE_CA_FILE: certificates.otherCa });
  trustServices({ SERVICE_CA_FILE: certificates.ca });
  // Ticketing trusts a different authority than the authority that signed identity's certificate.
  await expect(ask('ticketing', ticketing, '/internal/peer')).rejects.toMatchObject({ status: 503 });
  trustServices({ SERVICE_CA_FILE: certificates.otherCa });
  const why = /CERT|VERIFY|SELF_SIGNED|UNABLE/;
  expect(await codeOf(ask('identity', identity, '/internal/who'))).toMatch(why);
  expect(await codeOf(fetchService('identity', new URL('/health/ready', identity)))).toMatch(why);
  const two = instances({ service: 'identity', urls: [identity, 'https://127.0.0.1:1'], probeMs: 50 });
  closing.push(two.stop);
  await two.started;
  expect(await codeOf(internalClient(two, TOKEN, 3_000).get('/internal/who'))).not.toBe('answered');
});

test('the certificate of another service is refused, even if the authority is the same', async () => {
  const catalog = await start('catalog');
  trustServices({ SERVICE_CA_FILE: certificates.ca });
  expect(await ask('catalog', catalog, '/internal/who')).toEqual({ who: 'catalog' });
  expect(await codeOf(ask('identity', catalog, '/internal/who'))).toBe('ERR_TLS_CERT_ALTNAME_INVALID');
  expect(await codeOf(fetchService('identity', new URL('/health/ready', catalog)))).toBe(
    'ERR_TLS_CERT_ALTNAME_INVALID',
  );
});

test('a port with TLS answers nothing without it, and nothing older than TLS 1.2', async () => {
  const identity = await start('identity');
  await expect(fetch(`${identity.replace('https:', 'http:')}/health/ready`)).rejects.toThrow();
  const port = Number(new URL(identity).port);
  const old = connect({
    port,
    host: '127.0.0.1',
    minVersion: 'TLSv1',
    maxVersion: 'TLSv1.1',
    rejectUnauthorized: false,
  });
  closing.push(() => old.destroy());
  expect((await once(old, 'error'))[0]).toMatchObject({ code: expect.stringMatching(/PROTOCOL|VERSION|SSL/) });
});

test('metrics are served by TLS with the same certificate', async () => {
  const [port, metricsPort] = await freePorts(2);
  const { output } = launch('identity', port!, { ...tlsOf('identity'), METRICS_PORT: String(metricsPort) });
  await eventually(() => output().includes('"listening"'));
  trustServices({ SERVICE_CA_FILE: certificates.ca });
  const answer = await fetchService('identity', new URL(`https://127.0.0.1:${metricsPort}/metrics`));
  expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('nodejs')]);
  await expect(fetch(`http://127.0.0.1:${metricsPort}/metrics`)).rejects.toThrow();
});

test('instances of a name are found by DNS and called by TLS', async () => {
  const identity = await start('identity');
  trustServices({ SERVICE_CA_FILE: certificates.ca });
  const { port } = new URL(identity);
  const lookup = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
  const found = instances({ service: 'identity', urls: [`https://identity.test:${port}`], lookup });
  closing.push(found.stop);
  await found.started;
  expect(found.all).toEqual([identity]);
  expect(await internalClient(found, TOKEN, 3_000).get('/internal/who')).toEqual({ who: 'identity' });
});

test.each([
  ['a certificate without a key', { SERVICE_KEY_FILE: '' }, 'SERVICE_KEY_FILE: is missing'],
  ['a certificate without the authority', { SERVICE_CA_FILE: '' }, 'SERVICE_CA_FILE: is missing'],
  ['a URL without TLS', { IDENTITY_URL: 'http://identity:4000' }, 'IDENTITY_URL: must begin with https://'],
  ['an authority that is not there', { SERVICE_CA_FILE: '/nowhere.pem' }, 'SERVICE_CA_FILE: cannot be read'],
])('a service with %s does not start, and names the variable', async (_what, change, reason) => {
  const { output, ended } = launch('identity', 0, { ...tlsOf('identity'), ...change });
  expect(await ended).toBe(1);
  expect(output()).toContain(reason);
});

test('a service with the key of another certificate does not start', async () => {
  const { output, ended } = launch('identity', 0, { ...tlsOf('identity'), SERVICE_KEY_FILE: of['catalog']!.key });
  expect(await ended).toBe(1);
  expect(output()).toContain('SERVICE_KEY_FILE: cannot be used with SERVICE_CERT_FILE');
});
