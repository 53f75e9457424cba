import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { publish, runScript } from './support/operations.ts';
import { instanceProcess, isReady, processesOf } from './support/processes.ts';
import { stage } from './support/stage.ts';
import { eventually, eventuallyPasses } from './support/wait.ts';

const here = stage({ demo: true, env: { LOG_LEVEL: 'trace' } });

test('rebuilding the read models while the system is running gives the same rows, byte for byte', async () => {
  const { code, output } = await runScript('rebuild.ts', [], here.beltway.dataDir);
  expect(output).not.toContain('NOT EQUAL');
  for (const service of ['identity', 'catalog', 'ticketing', 'payments'])
    expect(output).toMatch(new RegExp(`^${service}: [1-9]\\d* events replayed`, 'm'));
  expect(output.match(/: equal, [1-9]\d* rows/g)!.length).toBeGreaterThan(4);
  expect(code).toBe(0);
  expect(await here.api.invariants()).toMatchObject({ ok: true });
});

test('the probe holds a ticket, creates a payment intent and releases the ticket; with --buy it buys one in the sandbox', async () => {
  const { event } = await here.api.organize();
  const probe = (...args: string[]) =>
    runScript('deploy/probe.ts', ['--once', ...args], here.beltway.dataDir, {
      BELTWAY_URL: here.beltway.url,
      PROBE_EVENT: String(event.id),
    });
  const tickets = async () => (await here.api.ask('GET', `/api/events/${event.id}/availability`)).body;
  expect(await probe()).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^browse: \d+ ms\nhold: \d+ ms\nintent: \d+ ms\nrelease: \d+ ms\n$/),
  });
  expect(await tickets()).toMatchObject({ sold: 0, held: 0 });
  expect(await probe('--buy')).toMatchObject({
    code: 0,
    output: expect.stringMatching(/intent: \d+ ms\nbuy: \d+ ms\n$/),
  });
  expect(await tickets()).toMatchObject({ sold: 1, held: 0 });
  const { metrics } = processesOf(here.beltway.dataDir).find(({ name }) => name === 'ticketing')!;
  const text = await (await fetch(metrics!)).text();
  for (const part of ['start', 'database', 'bus', 'sessions'])
    expect(text).toContain(`ready{service="ticketing",part="${part}"} 1`);
});

test('a message that cannot be handled is parked with its cause and can be replayed; later messages continue', async () => {
  expect((await runScript('dead-letters.ts', [], here.beltway.dataDir)).output.trim()).toBe('No dead letters.');
  const id = randomUUID();
  await publish(here.beltway.dataDir, 'catalog.events', {
    id,
    type: 'catalog.event-published',
    version: 1,
    key: '1',
    occurredAt: new Date().toISOString(),
    correlationId: id,
    causationId: id,
    data: { eventId: 'not a number' },
  });
  const listed = await eventually(
    async () => {
      const { output } = await runScript('dead-letters.ts', [], here.beltway.dataDir);
      return output.includes('ticketing.') && output;
    },
    { timeoutMs: 60_000, what: 'the message is listed' },
  );
  expect(listed).toMatch(/catalog\.event-published {2}after 0 attempts: ZodError/);

  // The dead letter does not delay later messages.
  const { event } = await here.api.organize();
  await here.api.buy(event.id, 1);

  const letter = listed
    .split('\n')
    .find((line) => line.includes('ticketing.'))!
    .split(' ')[0]!;
  const replay = (...args: string[]) => runScript('dead-letters.ts', ['replay', letter, ...args], here.beltway.dataDir);
  expect(await replay()).toMatchObject({ code: 1, output: expect.stringContaining('--as') });
  expect(await replay('--as', 'nobody@beltway.test')).toMatchObject({
    code: 1,
    output: expect.stringContaining('is no admin'),
  });
  const replayed = await replay('--as', 'admin@beltway.test');
  expect(replayed).toMatchObject({
    code: 0,
    output: expect.stringContaining(`replayed ${letter} to ticketing.catalog.retries`),
  });
  const all = await runScript('dead-letters.ts', ['--replayed'], here.beltway.dataDir);
  expect(all.output).toMatch(new RegExp(`^${letter} .*\\(replayed `, 'm'));
  const unknown = await runScript(
    'dead-letters.ts',
    ['replay', randomUUID(), '--as', 'admin@beltway.test'],
    here.beltway.dataDir,
  );
  expect(unknown).toMatchObject({ code: 1, output: expect.stringContaining('There is no dead letter') });

  const admin = await here.api.call<{ token: string }>('POST', '/api/auth/login', {
    email: 'admin@beltway.test',
    password: 'demo-beltway',
  });
  const audit = await here.api.call<{ items: unknown[] }>('GET', `/api/ops/audit?subject=${letter}`, undefined, {
    token: admin.token,
  });
  expect(audit.items).toMatchObject([{ kind: 'dead-letter-replayed', subject: letter, name: expect.any(String) }]);
});

test('every command of the runbook for one machine runs, and prints no error', async () => {
  const admin = await here.api.call<{ token: string }>('POST', '/api/auth/login', {
    email: 'admin@beltway.test',
    password: 'demo-beltway',
  });
  const runbook = readFileSync(join(import.meta.dirname, '..', 'docs', 'operations', 'runbook.md'), 'utf8');
  const [definitions = '', ...blocks] = [...runbook.matchAll(/^```sh\n([^]*?)^```/gm)].map(([, block]) => block!);
  const run = (commands: string) =>
    spawnSync('sh', ['-c', `${definitions}\n${commands}`], {
      cwd: join(import.meta.dirname, '..'),
      env: {
        ...process.env,
        ...{ NODE_ENV: '', VITEST: '', DATA_DIR: here.beltway.dataDir, URL: here.beltway.url, TOKEN: admin.token },
      },
      encoding: 'utf8',
    });
  // These run only in containers.
  const elsewhere = /docker compose|\b(?:metrics|logs) (?:engines|probe|postgres|kafka)/;
  const commands = blocks.flatMap((block) => block.trim().split('\n')).filter((line) => !elsewhere.test(line));
  expect(commands.length).toBeGreaterThan(60);
  for (const command of new Set(commands)) {
    const { status, stderr } = run(command);
    expect(stderr, command).toBe('');
    // grep exits with 1 if it finds nothing.
    expect([0, 1], command).toContain(status);
  }
  expect(run('inside identity node scripts/dead-letters.ts').stdout).toMatch(/^(No dead letters|\S+ {2}\d{4}-)/);
  expect(run('inside ticketing node scripts/jobs.ts list ticketing').stdout.trim()).toBe('No job was given up.');
  expect(run('rebuild catalog').stdout).toMatch(/^catalog: \d+ events replayed/);
  await eventuallyPasses(() =>
    expect(run('audit')).toMatchObject({ status: 0, stdout: expect.not.stringContaining('DIFFERENT') as string }),
  );
});

test('publishing a log again while everything runs changes nothing', async () => {
  const { event } = await here.api.organize();
  await here.api.buy(event.id, 1);
  const { code, output } = await runScript('rebuild.ts', ['ticketing', '--topics'], here.beltway.dataDir);
  expect(output).toMatch(/^ticketing: [1-9]\d* events are published again/);
  expect(code).toBe(0);
  await here.api.buy(event.id, 1);
  expect((await here.api.ask('GET', `/api/events/${event.id}/availability`)).body).toMatchObject({ sold: 2 });
  await eventually(async () => (await here.api.invariants()).ok, { what: 'the invariants hold' });
});

interface Operation {
  responses: Record<string, unknown>;
  requestBody?: { content: Record<string, unknown> };
}

test('invalid requests get only responses that the OpenAPI document lists', async () => {
  const { token } = await here.api.register('Careless Client');
  const { event } = await here.api.organize();
  const { paths } = await here.api.call<{ paths: Record<string, Record<string, Operation>> }>(
    'GET',
    '/api/openapi.json',
  );
  const json = { 'content-type': 'application/json' };
  const bodies: Array<[body: string, headers: Record<string, string>]> = [
    ['{"a":', json],
    ['null', json],
    ['{}', json],
    [`{"a":${'['.repeat(20)}${']'.repeat(20)}}`, json],
    [`{"a":[${'{},'.repeat(2_000)}{}]}`, json],
    [`{"a":"${'x'.repeat(150_000)}"}`, json],
    ['{"a":1}', { 'content-type': 'application/json; charset=utf-16' }],
    ['{"a":1}', { ...json, 'content-encoding': 'gzip' }],
    ['a=1', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['{}', { ...json, 'idempotency-key': 'two words', 'if-match': 'x' }],
    ['{}', { ...json, origin: 'https://elsewhere.example' }],
  ];
  const undocumented: string[] = [];
  let asked = 0;
  for (const [path, methods] of Object.entries(paths))
    for (const [method, { responses, requestBody }] of Object.entries(methods)) {
      const send = async (target: string, init: RequestInit & { headers?: Record<string, string> } = {}) => {
        const answer = await fetch(new URL(target, here.beltway.url), {
          method: method.toUpperCase(),
          redirect: 'manual',
          ...init,
        });
        await answer.arrayBuffer();
        asked++;
        const { status } = answer;
        const isDefault = [408, 429, 503, 504].includes(status);
        if (!(String(status) in responses) && !isDefault) undocumented.push(`${method} ${target}: ${status}`);
      };
      const headers = path.endsWith('/logout') ? {} : { authorization: `Bearer ${token}` };
      const at = (id: string) => path.replace(/\{\w+\}/g, id);
      await send(at(String(event.id)));
      await send(at(String(event.id)), { headers: { authorization: 'Bearer nonsense' } });
      for (const id of path.includes('{') ? ['%zz', 'x', '0', '2147483647', randomUUID()] : [''])
        await send(at(id), { headers });
      if (method === 'get')
        await send(`${at(String(event.id))}?limit=x&after=x&before=x&search=%00&number=%00`, { headers });
      if (requestBody)
        for (const [body, more] of bodies) await send(at(String(event.id)), { body, headers: { ...headers, ...more } });
    }
  expect(undocumented).toEqual([]);
  expect(asked).toBeGreaterThan(300);

  const allow = async (path: string) =>
    (await fetch(new URL(path, here.beltway.url), { method: 'OPTIONS' })).headers.get('allow');
  expect([await allow('/api/events'), await allow(`/api/events/${event.id}`)]).toEqual([
    'GET, HEAD, POST, OPTIONS',
    'GET, HEAD, PATCH, OPTIONS',
  ]);
});

/** Whether every service is ready, according to the gateway. */
const areReady = () => isReady({ service: 'gateway', url: here.beltway.url });

/** Every line of the system's logs so far. */
const logLines = () =>
  readdirSync(join(here.beltway.dataDir, 'logs')).flatMap((file) =>
    readFileSync(join(here.beltway.dataDir, 'logs', file), 'utf8')
      .split('\n')
      .map((line) => `${file}: ${line}`),
  );

test('logs never contain what clients send in paths, queries, headers and bodies, even when services fail or are down', async () => {
  const secret = `Zx81${randomUUID().replaceAll('-', '')}`;
  const { token } = await here.api.register('Trusting Client');
  const { event } = await here.api.organize();
  const { paths } = await here.api.call<{ paths: Record<string, Record<string, unknown>> }>('GET', '/api/openapi.json');
  const words =
    'key token code password name message title note reason businessName ticketHolderName paymentIntentId url';
  const body = JSON.stringify({
    ...Object.fromEntries(words.split(' ').map((word) => [word, `${word} ${secret}`])),
    ...{
      email: `${secret}@example.test`,
      ticketHolderEmail: `${secret}@example.test`,
      clientSecret: `pi_1_secret_${secret}`,
    },
    ...{ eventId: event.id, quantity: 1, orderId: secret },
  });
  const personal = {
    authorization: `Bearer ${secret}`,
    cookie: `beltway_refresh=${secret}; device=${secret}`,
    'x-order-key': secret,
    'x-ad-key': secret,
    'idempotency-key': `${secret}-${randomUUID()}`,
    'user-agent': `browser of ${secret}`,
    referer: `http://localhost/ticket-success?key=${secret}`,
    'x-forwarded-for': '203.0.113.77',
  };
  const signedIn = { ...personal, authorization: `Bearer ${token}` };
  let asked = 0;
  const send = async (method: string, path: string, headers: Record<string, string>) => {
    const withBody = method !== 'GET' && method !== 'HEAD';
    const answer = await fetch(new URL(`${path}?key=${secret}&token=${secret}&q=${secret}`, here.beltway.url), {
      ...{ method, redirect: 'manual' },
      headers: { ...headers, ...(withBody && { 'content-type': 'application/json' }) },
      ...(withBody && { body }),
    }).catch(() => undefined);
    await answer?.arrayBuffer().catch(() => undefined);
    asked++;
  };
  const sendAll = async () => {
    const sends: Array<() => Promise<void>> = [];
    for (const [path, methods] of Object.entries(paths))
      for (const method of Object.keys(methods).map((one) => one.toUpperCase())) {
        // Signing out would end the session that the other calls need.
        if (path.includes('logout')) continue;
        const at = (id: string) => path.replace(/\{\w+\}/g, id);
        sends.push(
          () => send(method, at(secret), personal),
          () => send(method, at(secret), signedIn),
          () => send(method, at(String(event.id)), signedIn),
        );
      }
    const pages = ['', 'event/', 'api/', 'assets/', 'ticket/', '/', '%zz'].map((start) => `/${start}${secret}`);
    sends.push(...pages.map((path) => () => send('GET', path, personal)));
    const sender = async () => {
      for (let next = sends.shift(); next; next = sends.shift()) await next();
    };
    await Promise.all(Array.from({ length: 16 }, sender));
  };
  await sendAll();
  // Sends all requests again, while each service in turn is down for a few seconds.
  for (const name of ['ticketing', 'catalog', 'payments', 'identity', 'media']) {
    process.kill(instanceProcess(here.beltway.dataDir, name)!, 'SIGKILL');
    await sendAll();
    await eventually(areReady, { timeoutMs: 60_000, what: `${name} is back` });
  }
  expect(asked).toBeGreaterThan(500);
  const lines = await eventually(() => {
    const all = logLines();
    return all.some((line) => line.includes('"no answer"')) && all;
  });
  expect(lines.filter((line) => line.includes(secret)).map((line) => line.slice(0, 300))).toEqual([]);
  // The logs contain no IP address of a client, neither the real address nor an address from a header.
  const requests = lines.filter((line) => line.startsWith('gateway.log') && line.includes('"request"'));
  expect(requests.length).toBeGreaterThan(500);
  expect(requests.filter((line) => /127\.0\.0\.1|203\.0\.113/.test(line))).toEqual([]);
  const one = JSON.parse(requests.at(-1)!.slice('gateway.log: '.length)) as Record<string, unknown>;
  expect(Object.keys(one).sort()).toEqual(
    ['bytes', 'hostname', 'level', 'method', 'ms', 'msg', 'name', 'pid', 'requestId', 'route', 'status', 'time'].sort(),
  );
});

test('each process exports the metrics listed in docs/operations/metrics.md', async () => {
  const { event } = await here.api.organize();
  await here.api.buy(event.id, 2);
  const text = readFileSync(join(import.meta.dirname, '..', 'docs', 'operations', 'metrics.md'), 'utf8');
  const table = [...text.matchAll(/^\| `(\w+)`.* \| (all|all but the gateway|\w+) +\|/gm)];
  const processes = processesOf(here.beltway.dataDir);
  const services = processes.filter(({ metrics }) => metrics !== undefined);
  expect(services.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['gateway', 'ticketing', 'payments', 'realtime']),
  );
  for (const { name, metrics } of services) {
    if (name === 'sandbox') continue;
    const scraped = await (await fetch(metrics!)).text();
    const shown = [...scraped.matchAll(/^# TYPE (\w+)/gm)].map(([, one]) => one!);
    const isOurs = (by: string) => by === 'all' || by === name || (by === 'all but the gateway' && name !== 'gateway');
    const said = table.filter(([, , by]) => isOurs(by!)).map(([, one]) => one!);
    expect(shown.filter((one) => !/^(nodejs|process)_/.test(one)).sort(), name).toEqual(said.sort());
    // No label contains client input, so the number of series stays small.
    expect(scraped.split('\n').length, name).toBeLessThan(20_000);
    expect(scraped).not.toContain('Zx81');
  }
  const ticketing = await (await fetch(services.find(({ name }) => name === 'ticketing')!.metrics!)).text();
  expect(ticketing).toMatch(/^event_store_commands_total\{category="sale"\} [1-9]/m);
  expect(ticketing).toMatch(/^log_follower_seconds\{follower="relay"\} \d/m);
  expect(ticketing).toMatch(/^consumer_lag_messages\{group="ticketing.catalog",topic="catalog.events"\} \d/m);
  expect(ticketing).toMatch(/^pg_pool_waiting\{pool="event-store-writers"\} 0$/m);
  expect(ticketing).toMatch(
    /^http_requests_total\{method="POST",route="\/api\/create-ticket-payment-intent",status="20\d"\} [1-9]/m,
  );
});
