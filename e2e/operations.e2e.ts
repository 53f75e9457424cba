import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { publish, runScript } from './support/operations.ts';
import { stage } from './support/stage.ts';
import { eventually } from './support/wait.ts';

const here = stage({ demo: true });

test('the read models rebuilt from the log are the same, byte for byte, while the system runs', async () => {
  const { code, output } = await runScript('rebuild.ts', [], here.beltway.dataDir);
  expect(output).not.toContain('NOT EQUAL');
  for (const service of ['identity', 'catalog', 'ticketing', 'payments'])
    expect(output).toMatch(new RegExp(`^${service}: [1-9]\\d* events replayed`, 'm'));
  expect(output.match(/: equal, [1-9]\d* rows/g)!.length).toBeGreaterThan(4);
  expect(code).toBe(0);
  expect(await here.api.invariants()).toMatchObject({ ok: true });
});

test('a message that nobody can handle is set aside with its cause, the rest goes on, and it can be replayed', async () => {
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

  // What comes after it is not held up.
  const { event } = await here.api.organise();
  await here.api.buy(event.id, 1);

  const letter = listed
    .split('\n')
    .find((line) => line.includes('ticketing.'))!
    .split(' ')[0]!;
  const replayed = await runScript('dead-letters.ts', ['replay', letter], here.beltway.dataDir);
  expect(replayed).toMatchObject({
    code: 0,
    output: expect.stringContaining(`replayed ${letter} to ticketing.catalog.retries`),
  });
  const all = await runScript('dead-letters.ts', ['--replayed'], here.beltway.dataDir);
  expect(all.output).toMatch(new RegExp(`^${letter} .*\\(replayed `, 'm'));
  const unknown = await runScript('dead-letters.ts', ['replay', randomUUID()], here.beltway.dataDir);
  expect(unknown).toMatchObject({ code: 1, output: expect.stringContaining('There is no dead letter') });
});

interface Operation {
  responses: Record<string, unknown>;
  requestBody?: { content: Record<string, unknown> };
}

test('whatever is wrong with what is sent, the answer is one of those that the document names', async () => {
  const { token } = await here.api.register('Careless Client');
  const { event } = await here.api.organise();
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
