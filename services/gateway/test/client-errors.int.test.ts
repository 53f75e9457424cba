import { afterAll, beforeAll, expect, test } from 'vitest';
import { startGateway, type TestGateway } from './gateway.ts';

let gateway: TestGateway;
beforeAll(async () => void (gateway = await startGateway({ BELTWAY_RATE_LIMITS: 'on', TRUSTED_HOPS: 1 })));
afterAll(() => gateway.stop());

let visitor = 0;
/** Sends each report from a different IP address, unless one is given. */
const send = (body: unknown, headers: Record<string, string> = {}) =>
  gateway.post('/api/client-errors', body, { 'x-forwarded-for': `203.0.113.${++visitor}`, ...headers });
const report = { message: 'x is not a function', stack: 'at f (/assets/a.js:1:2)', path: '/event/7', release: '1.4.0' };

test('a report gets 204 without a body, and is sent to no service', async () => {
  for (const body of [report, { message: '', path: '/' }]) {
    const answer = await send(body);
    expect([answer.status, await answer.text()]).toEqual([204, '']);
  }
  expect(gateway.heard()).toEqual([]);
});

test.each([
  ['message', { ...report, message: 'x'.repeat(501) }],
  ['message', { path: '/' }],
  ['stack', { ...report, stack: 'x'.repeat(4_001) }],
  ['path', { ...report, path: `/${'x'.repeat(200)}` }],
  ['path', { ...report, path: '/event/7?key=secret' }],
  ['path', { ...report, path: 'https://elsewhere.test/' }],
  ['release', { ...report, release: 'x'.repeat(65) }],
  ['userId', { ...report, userId: 7 }],
])('400 names the field %s', async (field, body) => {
  const answer = await send(body);
  expect([answer.status, await answer.json()]).toMatchObject([400, { code: 'invalid', errors: [{ field }] }]);
});

test('the longest report is accepted, however it is escaped; longer or malformed reports are refused', async () => {
  const longest = { message: '\u0001'.repeat(500), stack: '\u0001'.repeat(4_000), path: '/', release: 'x'.repeat(64) };
  expect((await send(longest)).status).toBe(204);
  expect((await send({ message: 'x'.repeat(33_000), path: '/' })).status).toBe(413);
  const text = async (body: string, type: string) =>
    (
      await fetch(`${gateway.url}/api/client-errors`, {
        method: 'POST',
        body,
        headers: { 'content-type': type, 'x-forwarded-for': `203.0.113.${++visitor}` },
      })
    ).status;
  expect(await text(JSON.stringify(report), 'text/plain')).toBe(415);
  expect(await text('{"message":', 'application/json')).toBe(400);
  expect(await text('', 'application/json')).toBe(400);
});

test('a chunked report has the same size limit', async () => {
  const chunked = (text: string) =>
    gateway.raw(
      `POST /api/client-errors HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nX-Forwarded-For: 203.0.113.${++visitor}\r\n\r\n${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`,
    );
  expect(await chunked(JSON.stringify(report))).toMatch(/^HTTP\/1\.1 204 /);
  expect(await chunked(JSON.stringify({ ...report, stack: 'x'.repeat(40_000) }))).toMatch(/^HTTP\/1\.1 413 /);
});

test('one address may report twenty errors a minute, and its other limits are not affected', async () => {
  const from = { 'x-forwarded-for': '198.51.100.9' };
  const statuses = [];
  for (let n = 0; n < 25; n++) statuses.push((await send(report, from)).status);
  expect(statuses).toEqual([...Array<number>(20).fill(204), ...Array<number>(5).fill(429)]);
  expect((await gateway.post('/api/auth/refresh', {}, from)).status).toBe(200);
  expect((await send(report)).status).toBe(204);
});

test('OPTIONS and the OpenAPI document list the call', async () => {
  const options = await fetch(`${gateway.url}/api/client-errors`, { method: 'OPTIONS' });
  expect(options.headers.get('allow')).toBe('POST, OPTIONS');
  const { paths } = (await (await gateway.get('/api/openapi.json')).json()) as { paths: Record<string, object> };
  expect(paths['/api/client-errors']).toMatchObject({ post: { security: [], responses: { '204': {}, '400': {} } } });
});
