import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { afterAll, beforeAll, test } from 'vitest';
import { freePort } from '@beltway/kit/free-ports';
import { eventually, testDatabase, type TestDatabase } from '@beltway/kit/testing';
import { testIdentity } from '@beltway/kit/testing-auth';
import { BUS, INTERNAL_TOKEN, builtPage, services, standIns } from './gateway.ts';

let database: TestDatabase;
let identity: Awaited<ReturnType<typeof testIdentity>>;
let behind: Awaited<ReturnType<typeof standIns>>;
const children: ChildProcess[] = [];

beforeAll(async () => {
  [database, identity, behind] = await Promise.all([testDatabase(BUS), testIdentity(), standIns()]);
});
afterAll(async () => {
  children.forEach((child) => child.kill('SIGKILL'));
  await Promise.all([...Object.values(behind).map((service) => service.die()), identity.close()]);
  await database.drop();
});

/** Starts the gateway as the launcher does. */
async function start(change: Record<string, string> = {}) {
  const env = {
    PATH: process.env['PATH'],
    BELTWAY_MODE: 'embedded',
    PORT: '0',
    PUBLIC_URL: 'http://localhost:3000',
    BUS_DATABASE_URL: database.url,
    INTERNAL_TOKEN,
    DATA_DIR: '/tmp',
    FRONTEND_DIR: builtPage(),
    ...Object.fromEntries(services.map((name) => [`${name.toUpperCase()}_URL`, behind[name].url])),
    IDENTITY_URL: identity.url,
    ...change,
  };
  const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
  const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  children.push(child);
  let output = '';
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (chunk) => (output += chunk));
  const started = /"port":(\d+)[^\n]*"listening"/;
  await eventually(() => started.test(output) || child.exitCode !== null);
  const port = started.exec(output)?.[1];
  if (!port) throw new Error(output);
  return { child, port: Number(port), output: () => output };
}

test.concurrent('stops despite open sockets and long polls, and finishes requests in progress', async ({ expect }) => {
  const { child, port } = await start();
  const url = `http://127.0.0.1:${port}`;
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  let seen = '';
  socket.on('data', (chunk) => (seen += chunk));
  socket.write('GET /socket.io/ HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
  await eventually(() => seen.includes('101'));
  behind.realtime.answer = () => undefined;
  const poll = fetch(`${url}/socket.io/?transport=polling`);
  behind.ticketing.answer = (_req, res) => void setTimeout(() => res.end('sold'), 250);
  const buying = fetch(`${url}/api/holds`, { method: 'POST', body: '{}' });
  // An idle connection of another client.
  const idle = connect(port, '127.0.0.1').on('error', () => undefined);
  await eventually(() => behind.ticketing.heard.length === 1 && behind.realtime.heard.length === 2);

  const stopped = performance.now();
  const exit = new Promise((resolve) => child.once('exit', (code) => resolve(code)));
  child.kill('SIGTERM');
  await eventually(() => socket.destroyed || socket.readableEnded);
  expect((await poll).status).toBe(503);
  expect(await (await buying).text()).toBe('sold');
  expect(await exit).toBe(0);
  // The process stops without waiting for the 20 s timeout (`serve.ts`).
  expect(performance.now() - stopped).toBeLessThan(15_000);
  idle.destroy();
});

test.concurrent('the gateway does not start with invalid variables, and names them', async ({ expect }) => {
  await expect(start({ PUBLIC_URL: 'nonsense', TRUSTED_HOPS: '-1', PORT: '99999' })).rejects.toThrow(
    /PUBLIC_URL[^]*TRUSTED_HOPS|TRUSTED_HOPS[^]*PUBLIC_URL/,
  );
});

test.concurrent('secrets in queries, headers and database connections are never logged', async ({ expect }) => {
  const own = await testDatabase(BUS);
  const secret = 'Zx81SecretOfTheTest';
  const { child, port, output } = await start({
    BUS_DATABASE_URL: own.url,
    LOG_LEVEL: 'trace',
    BELTWAY_RATE_LIMITS: 'off',
    CATALOG_URL: 'http://127.0.0.1:1',
    TICKETING_URL: 'http://127.0.0.1:1',
    REALTIME_URL: 'http://127.0.0.1:1',
  });
  const url = `http://127.0.0.1:${port}`;
  const headers = { 'x-order-key': secret, authorization: `Bearer ${secret}`, cookie: `beltway_refresh=${secret}` };
  const paths = [
    '/api/events',
    '/api/orders/1',
    '/ticket-success',
    '/event/1',
    '/assets/none.js',
    '/socket.io/',
    '/%',
    '//x',
  ];
  for (const path of paths) await fetch(`${url}${path}?key=${secret}`, { headers });
  const json = { ...headers, 'content-type': 'application/json', 'idempotency-key': `${secret}-1` };
  for (const path of ['/api/holds', '/api/auth/login', `/api/holds?key=${secret}`])
    await fetch(url + path, { method: 'POST', headers: json, body: `{"key":"${secret}"` });
  // A request with a streamed body, and a refused socket.
  await fetch(`${url}/api/orders/1/link?key=${secret}`, {
    method: 'POST',
    headers,
    body: new Blob([secret]).stream(),
    duplex: 'half',
  } as RequestInit);
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  socket.write(
    `GET /socket.io/?key=${secret} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
  );
  await eventually(() => socket.readableEnded || socket.destroyed || socket.bytesRead > 0);
  socket.destroy();
  // Ends the idle database sessions of the gateway's pool.
  const admin = new Client({ connectionString: own.url });
  await admin.connect();
  await admin.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  await admin.end();
  await eventually(() => /57P01/.test(output()));
  const exit = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await exit;
  await own.drop();
  expect(output().match(/"no answer"/g)?.length).toBeGreaterThan(3);
  expect(output()).not.toContain(secret);
  expect(output()).not.toMatch(/secretKey|processID|connectionParameters/);
});

test.concurrent('a connection with incomplete or missing headers is closed', async ({ expect }) => {
  const { port } = await start();
  const started = performance.now();
  const drip = connect(port, '127.0.0.1').on('error', () => undefined);
  let seen = '';
  drip.on('data', (chunk) => (seen += chunk));
  drip.write('GET /api/events HTTP/1.1\r\nHost: x\r\n');
  const dripping = setInterval(() => drip.write('X: y\r\n'), 500);
  const mute = connect(port, '127.0.0.1')
    .on('error', () => undefined)
    .resume();
  await eventually(() => drip.closed && mute.closed);
  clearInterval(dripping);
  expect(seen).toMatch(/^HTTP\/1\.1 408 /);
  const took = performance.now() - started;
  expect(took).toBeGreaterThan(8_000);
  expect(took).toBeLessThan(40_000);
});

test.concurrent('browsers’ reports are a metric on METRICS_PORT, not on the public port', async ({ expect }) => {
  const own = await freePort();
  const { port, output } = await start({ METRICS_PORT: String(own) });
  const report = { message: 'x is not a function', path: '/my-tickets' };
  const send = () =>
    fetch(`http://127.0.0.1:${port}/api/client-errors`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(report),
    });
  for (let n = 0; n < 3; n++) expect((await send()).status).toBe(204);
  const scraped = await (await fetch(`http://127.0.0.1:${own}/metrics`)).text();
  expect(scraped).toMatch(/^client_errors_total 3$/m);
  expect(scraped).toContain('http_requests_total{method="POST",route="/api/client-errors",status="204"} 3');
  // The metrics match docs/operations/metrics.md.
  const described = [...scraped.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name!);
  const table = readFileSync(new URL('../../../docs/operations/metrics.md', import.meta.url), 'utf8');
  const shown = [...table.matchAll(/^\| `(\w+)`.* \| (?:all|gateway) +\|/gm)].map(([, name]) => name!);
  expect(described.filter((name) => !/^(nodejs|process)_/.test(name)).sort()).toEqual(shown.sort());
  expect((await fetch(`http://127.0.0.1:${own}/api/health/live`)).status).toBe(404);
  expect(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()).not.toContain('client_errors_total');
  const line = /^.*an error in a browser.*$/m.exec(output())?.[0] ?? '{}';
  expect(JSON.parse(line)).toMatchObject({ level: 40, name: 'gateway', clientError: report });
});
