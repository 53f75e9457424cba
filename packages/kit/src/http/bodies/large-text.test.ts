import { createServer, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import express from 'express';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { LargeTextReader, largeTextBody } from './large-text.ts';
import { logger } from '../../observe/logger.ts';
import { problems } from '../problems.ts';
import { eventually } from '../../testing/testing.ts';

const MAX_BYTES = 300_000;
/** Parses a body that arrives in pieces of this length. */
function read(body: string | Buffer, pieceLength = 65_536): unknown {
  const reader = new LargeTextReader('imageUrl', MAX_BYTES);
  const bytes = Buffer.from(body);
  for (let at = 0; at < bytes.length; at += pieceLength) reader.write(bytes.subarray(at, at + pieceLength));
  return reader.end();
}
const refusal = (body: string) => {
  try {
    return read(body);
  } catch (error) {
    return (error as { code: string }).code;
  }
};

test('any object is parsed like JSON.parse, in any division into pieces', () => {
  const key = fc.oneof(fc.constantFrom('imageUrl', 'image', '"imageUrl"', 'imageUrl\\', '{', ':,'), fc.string());
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', maxDepth: 4 },
      fc.string({ unit: 'binary' }),
      fc.constantFrom('"imageUrl":"x"', '\\', '\\"', '"'),
      fc.integer(),
      fc.constant(null),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(key, tie('value'), { maxKeys: 4 }),
    ),
  }));
  fc.assert(
    fc.property(fc.dictionary(key, value), fc.integer({ min: 1, max: 40 }), fc.boolean(), (object, length, spaced) => {
      const text = JSON.stringify(object, null, spaced ? 2 : 0);
      expect(read(text, length)).toEqual(JSON.parse(text));
    }),
    { numRuns: 500 },
  );
});

test('only the field of the outermost object may be large', () => {
  const large = 'x'.repeat(200_000);
  expect(read(JSON.stringify({ title: 'a', imageUrl: large, tags: [] }))).toEqual({
    title: 'a',
    imageUrl: large,
    tags: [],
  });
  for (const body of [
    { title: large },
    { [large]: 1 },
    { image: large },
    { a: { imageUrl: large } },
    [{ imageUrl: large }],
    ['imageUrl', large],
    { imageUrl: [large] },
    { imageUrl: 'x'.repeat(MAX_BYTES + 1) },
    { imageUrl: 'x', x: Array(40_000).fill({}) },
  ])
    expect(refusal(JSON.stringify(body)), JSON.stringify(body).slice(0, 40)).toBe('too-large');
  expect(refusal(`{"image\\u0055rl":"${large}"}`)).toBe('too-large');
});

test('a text of nothing but escapes is parsed in linear time', () => {
  const escapes = '\\/'.repeat(MAX_BYTES / 2);
  expect(read(`{"imageUrl":"${escapes}"}`)).toEqual({ imageUrl: '/'.repeat(MAX_BYTES / 2) });
});

test('a repeated field or an unterminated text is refused', () => {
  expect(refusal('{"imageUrl":"a","imageUrl":"b"}')).toBe('repeated-key');
  for (const body of ['{"imageUrl":"a', '{"imageUrl":"a\\"}', '{"imageUrl":"a"', '{"imageUrl":"a" "b"}', '', '"a"'])
    expect(refusal(body), body).toBe('malformed-json');
  expect(refusal('{"imageUrl":"\n"}')).toBe('malformed-json');
  expect(refusal(`{"x":${'['.repeat(9)}${']'.repeat(9)},"imageUrl":"a"}`)).toBe('too-deep');
  expect(refusal(`{"imageUrl":"a","x":[${'{},'.repeat(1_000)}{}]}`)).toBe('too-many-values');
});

test('invalid UTF-8 becomes the replacement character, as everywhere', () =>
  expect(read(Buffer.from('{"imageUrl":"\xff"}', 'latin1'))).toEqual({ imageUrl: '\ufffd' }));

/** A service that accepts texts of 400 kB in total. Authentication runs first, for as long as the test decides. */
async function service(signIn: (req: IncomingMessage) => Promise<unknown> = () => Promise.resolve()) {
  const app = express();
  app.use(async (req, _res, next) => {
    await signIn(req);
    req.caller = {
      id: Number(req.url.slice(1)),
      email: '',
      name: '',
      role: 'business',
      sessionId: '',
      isVerified: true,
    };
    next();
  });
  app.use(largeTextBody({ field: 'imageUrl', maxBytes: MAX_BYTES, maxTotalBytes: 400_000 }));
  app.use((req, res) => void res.json((req.body as { imageUrl: string }).imageUrl.length));
  app.use(problems(logger('test', 'silent')));
  const server = createServer(app).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => void (server.close(), server.closeAllConnections()));
  const { port } = server.address() as AddressInfo;
  return (account: number, body: string, announced = body.length) => {
    const socket = connect(port, '127.0.0.1').setEncoding('latin1');
    onTestFinished(() => void socket.destroy());
    const seen = { text: '', socket };
    socket.on('error', () => undefined).on('data', (chunk: string) => (seen.text += chunk));
    socket.write(
      `POST /${account} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${announced}\r\n\r\n${body}`,
    );
    return seen;
  };
}
const picture = `{"imageUrl":"${'x'.repeat(180_000)}"}`;

test('senders that stall just before the end of a text do not block others', async () => {
  const send = await service();
  const stalled = [1, 2].map((account) => send(account, picture.slice(0, -1), picture.length));
  await eventually(() => stalled.every(({ socket }) => socket.writableLength === 0));
  for (const account of [3, 4]) {
    const { text } = await eventuallyAnswered(send(account, picture));
    expect(text).toMatch(/^HTTP\/1\.1 200 [^]*180000$/);
  }
  expect((await eventuallyAnswered(stalled[0]!)).text).toMatch(/^HTTP\/1\.1 503 [^]*retry-after: 2/i);
});

test('a sender that disconnected during the sign-in check may send again', async () => {
  const checks: Array<() => void> = [];
  let left = 0;
  const send = await service((req) => {
    req.once('close', () => left++);
    return new Promise<void>((resolve) => checks.push(resolve));
  });
  const first = send(1, picture.slice(0, 100), picture.length);
  await eventually(() => checks.length === 1);
  first.socket.destroy();
  await eventually(() => left === 1);
  checks[0]!();
  const again = send(1, picture);
  await eventually(() => checks.length === 2);
  checks[1]!();
  expect((await eventuallyAnswered(again)).text).toMatch(/^HTTP\/1\.1 200 /);
});

async function eventuallyAnswered<Seen extends { text: string }>(seen: Seen): Promise<Seen> {
  await eventually(() => seen.text.includes('\r\n\r\n'), { what: 'an answer' });
  return seen;
}
