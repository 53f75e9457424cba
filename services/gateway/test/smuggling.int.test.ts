import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startGateway, type TestGateway } from './gateway.ts';

let gateway: TestGateway;
beforeAll(async () => void (gateway = await startGateway()));
afterAll(() => gateway.stop());
beforeEach(() => Object.values(gateway.behind).forEach((service) => service.reset()));

const post = (...lines: string[]) => `POST /api/holds HTTP/1.1\r\nHost: x\r\n${lines.join('\r\n')}`;
const SMUGGLED = 'GET /internal/x HTTP/1.1\r\nHost: x\r\n\r\n';

/** ASVS 5.0 V4.2: two parsers must never see two requests where one was sent. */
test.each([
  ['a length and chunks', post('Content-Length: 4', 'Transfer-Encoding: chunked', '', `0\r\n\r\n${SMUGGLED}`)],
  ['chunks and a length', post('Transfer-Encoding: chunked', 'Content-Length: 4', '', `0\r\n\r\n${SMUGGLED}`)],
  ['two lengths', post('Content-Length: 0', 'Content-Length: 44', '', SMUGGLED)],
  ['the same length twice', post('Content-Length: 2', 'Content-Length: 2', '', `{}${SMUGGLED}`)],
  ['a list of lengths', post('Content-Length: 0, 44', '', SMUGGLED)],
  ['a length with a sign', post('Content-Length: +2', '', `{}${SMUGGLED}`)],
  ['a length in hex', post('Content-Length: 0x2', '', `{}${SMUGGLED}`)],
  ['another coding', post('Transfer-Encoding: xchunked', '', SMUGGLED)],
  ['chunked, and not last', post('Transfer-Encoding: chunked, identity', '', `0\r\n\r\n${SMUGGLED}`)],
  ['two codings', post('Transfer-Encoding: gzip, chunked', 'Connection: close', '', '0\r\n\r\n')],
  [
    'a coding twice',
    post('Transfer-Encoding: chunked', 'Transfer-Encoding: chunked', 'Connection: close', '', '0\r\n\r\n'),
  ],
  ['a space before the colon', post('Content-Length : 44', '', SMUGGLED)],
  ['a folded header', post('X: a', ' Content-Length: 44', '', SMUGGLED)],
  ['a bare line feed', `POST /api/holds HTTP/1.1\r\nHost: x\nContent-Length: 44\r\n\r\n${SMUGGLED}`],
  ['a bare return in a value', post('X: a\rContent-Length: 44', '', SMUGGLED)],
  ['a NUL in a value', post('X: a\0b', '', '')],
  ['a chunk size that is none', post('Transfer-Encoding: chunked', '', `0x0\r\n\r\n${SMUGGLED}`)],
  ['a chunk without its end', post('Transfer-Encoding: chunked', '', `2\r\n{}${SMUGGLED}`)],
  ['no host', 'GET /api/events HTTP/1.1\r\n\r\n'],
  ['a space in the target', 'GET /api/events /internal/x HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['headers without end', `GET /api/events HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(17_000)}\r\n\r\n`],
])('%s: refused, and the connection ends', async (_what, bytes) => {
  const answer = await gateway.raw(bytes);
  expect(answer).toMatch(/^HTTP\/1\.1 (400|431|501) /);
  expect(answer.match(/HTTP\/1\.1 \d/g)).toHaveLength(1);
  const paths = gateway.heard().map(({ url }) => url);
  expect(paths.filter((path) => path !== '/api/holds')).toEqual([]);
});

test('two well-formed requests on one connection get two answers', async () => {
  const answer = await gateway.raw(
    `${post('Content-Length: 2', '', '{}')}GET /api/users/5/events HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
  );
  expect(answer.match(/HTTP\/1\.1 200/g)).toHaveLength(2);
  expect(gateway.behind.ticketing.heard).toMatchObject([{ method: 'POST', url: '/api/holds', body: '{}' }]);
  expect(gateway.behind.catalog.heard).toMatchObject([{ method: 'GET', url: '/api/users/5/events', body: '' }]);
});

test('a GET with a chunked body is refused, and its body is not read as a request', async () => {
  const answer = await gateway.raw(
    `GET /api/events HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${SMUGGLED.length.toString(16)}\r\n${SMUGGLED}\r\n0\r\n\r\n`,
  );
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(answer.match(/HTTP\/1\.1 \d/g)).toHaveLength(1);
  expect(gateway.heard()).toEqual([]);
});
