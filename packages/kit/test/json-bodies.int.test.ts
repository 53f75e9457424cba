import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

/**
 * A seventh of the heap of a real process (scripts/launcher/services/service.ts), so that attacks exhaust it sooner.
 */
const HEAP_MB = 56;

let service: ChildProcess;
let port: number;
const sockets: Socket[] = [];
beforeEach(async () => {
  service = fork(fileURLToPath(new URL('./reading-bodies.ts', import.meta.url)), {
    execArgv: [`--max-old-space-size=${HEAP_MB}`],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  [port] = (await once(service, 'message')) as [number];
});
afterEach(async () => {
  sockets.splice(0).forEach((socket) => socket.destroy());
  if (service.exitCode !== null || service.signalCode !== null) return;
  service.disconnect();
  await once(service, 'exit');
});

const survived = () => service.exitCode === null && service.signalCode === null;

interface Sending {
  sender?: number;
  headers?: Record<string, string>;
}
async function post(path: string, body: BodyInit, { sender = 1, headers = {} }: Sending = {}) {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-sender': String(sender), ...headers },
    body,
  });
  const text = await answer.text();
  const { code, ...rest } = JSON.parse(text) as { code?: string; keys?: number; length?: number };
  return { status: answer.status, code, retryAfter: answer.headers.get('retry-after'), bytes: text.length, ...rest };
}

/** Sends a request whose body arrives in chunks of one byte and never ends. Resolves when all bytes are sent. */
async function drip(path: string, sender: number, bytes: number): Promise<void> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  sockets.push(socket);
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nX-Sender: ${sender}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
  socket.write(head + '1\r\n"\r\n');
  await new Promise((resolve) => socket.write('1\r\na\r\n'.repeat(bytes), resolve));
}

/** Sends ordinary requests one after another during `attack`. Returns their statuses. */
async function beside(attack: Promise<unknown>): Promise<number[]> {
  const answers: number[] = [];
  let over = false;
  const ended = attack.finally(() => (over = true));
  do {
    answers.push((await fetch(`http://127.0.0.1:${port}/innocent`)).status);
  } while (!over);
  await ended;
  return answers;
}

const picture = (bytes: number, more = '') => `{"title":"a","imageUrl":"${'A'.repeat(bytes)}"${more}}`;

test('a body of megabytes that is not a picture is refused, without delaying other requests', async () => {
  const objects = `{"x":[${'{},'.repeat(2_300_000)}{}]}`;
  const keys = `{${Array.from({ length: 400_000 }, (_, n) => `"key${n}":1`).join()}}`;
  const attacks = [objects, keys, `${'['.repeat(7_000_000)}`, `{"x":"${'y'.repeat(7_000_000)}"}`].flatMap((body) => [
    body,
    body,
  ]);
  let answers: Array<Awaited<ReturnType<typeof post>>> = [];
  const innocents = await beside(
    (async () => {
      answers = await Promise.all(attacks.map((body, sender) => post('/picture', body, { sender })));
      answers.push(...(await Promise.all(attacks.map((body) => post('/usual', body)))));
    })(),
  );
  expect(answers.map(({ status, code }) => `${status} ${code}`)).toEqual(Array(16).fill('413 too-large'));
  expect(Math.max(...answers.map(({ bytes }) => bytes))).toBeLessThan(1_000);
  expect(new Set(innocents)).toEqual(new Set([200]));
  expect(survived()).toBe(true);
});

test('bodies with too many values or levels are refused before they are parsed', async () => {
  const objects = `{"x":[${'{},'.repeat(30_000)}{}]}`;
  const keys = `{${Array.from({ length: 10_000 }, (_, n) => `"${n}":1`).join()}}`;
  for (const path of ['/usual', '/picture']) {
    expect(await post(path, objects)).toMatchObject({ status: 400, code: 'too-many-values' });
    expect(await post(path, keys)).toMatchObject({ status: 400, code: 'too-many-values' });
    expect(await post(path, '{"a":'.repeat(15_000))).toMatchObject({ status: 400, code: 'too-deep' });
    expect(await post(path, '')).toMatchObject({ status: 200, keys: 0 });
    expect(await post(path, '{"title":"a"}')).toMatchObject({ status: 200, keys: 1 });
  }
  const beyond = picture(200_000, `,"x":[${'{},'.repeat(1_001)}{}]`);
  expect(await post('/picture', beyond)).toMatchObject({ status: 400, code: 'too-many-values' });
});

test('a picture of the maximum size is accepted, with and without a declared length', async () => {
  expect(await post('/picture', picture(7_100_000))).toMatchObject({ status: 200, keys: 2, length: 7_100_000 });
  expect(await post('/picture', picture(7_100_001))).toMatchObject({ status: 413, code: 'too-large' });
  expect(await post('/usual', picture(100_000))).toMatchObject({ status: 200, length: 100_000 });
  expect(await post('/usual', picture(103_000))).toMatchObject({ status: 413, code: 'too-large' });
});

test('a body sent byte by byte takes only the memory of its size', async () => {
  const innocents = await beside(
    Promise.all(Array.from({ length: 12 }, (_, n) => drip(n % 2 ? '/usual' : '/picture', n, 60_000))),
  );
  expect(new Set(innocents)).toEqual(new Set([200]));
  expect(survived()).toBe(true);
});

test('a sender has one large body at a time, all senders share a limit, others get Retry-After', async () => {
  let told = '';
  for (const sender of [1, 4]) {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    sockets.push(socket);
    socket.setEncoding('latin1').on('data', (chunk: string) => (told += `to ${sender}: ${chunk}`));
    socket.write(
      `POST /picture HTTP/1.1\r\nHost: x\r\nX-Sender: ${sender}\r\nContent-Type: application/json\r\nContent-Length: 7050000\r\n\r\n`,
    );
    await new Promise((resolve) => socket.write(picture(7_000_000).slice(0, -2), resolve));
  }
  // The bytes are sent, but the service counts them only once it has read them.
  await expect.poll(async () => (await post('/picture', picture(150_000))).status).toBe(503);
  expect(await post('/picture', picture(150_000))).toMatchObject({ status: 503, code: 'unavailable', retryAfter: '2' });
  expect(await post('/picture', picture(50_000))).toMatchObject({ status: 200 });
  // A third body exceeds the limit, so the earliest body is evicted.
  await expect
    .poll(async () => {
      expect(await post('/picture', picture(7_100_000), { sender: 2 })).toMatchObject({ status: 200 });
      return told;
    })
    .toMatch(/^to 1: HTTP\/1\.1 503 [^]*retry-after: 2/i);
  expect(await post('/picture', picture(7_100_000))).toMatchObject({ status: 200 });
});

test('compressed bodies, and encodings other than UTF-8, are refused', async () => {
  const utf16 = Buffer.from('{"title":"\u2261 [{},{}]"}', 'utf16le');
  for (const path of ['/usual', '/picture']) {
    for (const [body, headers] of [
      [utf16, { 'content-type': 'application/json; charset=utf-16le' }],
      [utf16, { 'content-type': 'application/json; charset=utf-7' }],
      ['{}', { 'content-encoding': 'gzip' }],
      [picture(200_000), { 'content-encoding': 'br' }],
    ] as const)
      expect(await post(path, body, { headers })).toMatchObject({ status: 415, code: 'unsupported-encoding' });
    const headers = { 'content-type': 'application/json; charset=UTF-8' };
    expect(await post(path, '{"title":"שלום"}', { headers })).toMatchObject({ status: 200, keys: 1 });
  }
});
