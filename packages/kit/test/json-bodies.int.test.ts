import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

/** A seventh of what a process of the running system has (scripts/launcher/services/service.ts): what would end that one ends this one sooner. */
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

/** A request whose body arrives in chunks of one byte each and does not end. Resolves when all of it is sent. */
async function drip(path: string, sender: number, bytes: number): Promise<void> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  sockets.push(socket);
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nX-Sender: ${sender}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
  socket.write(head + '1\r\n"\r\n');
  await new Promise((resolve) => socket.write('1\r\na\r\n'.repeat(bytes), resolve));
}

/** While `attack` goes on, somebody reads, one request after the other. Answers what that one was answered. */
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

test('megabytes that are no picture are refused, and whoever reads beside is served', async () => {
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

test('bodies within their bytes that have too many values or levels are refused before they are parsed', async () => {
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

test('a picture of the largest size is taken, with a length and without one', async () => {
  expect(await post('/picture', picture(7_100_000))).toMatchObject({ status: 200, keys: 2, length: 7_100_000 });
  expect(await post('/picture', picture(7_100_001))).toMatchObject({ status: 413, code: 'too-large' });
  expect(await post('/usual', picture(100_000))).toMatchObject({ status: 200, length: 100_000 });
  expect(await post('/usual', picture(103_000))).toMatchObject({ status: 413, code: 'too-large' });
});

test('bytes that come one by one cost what they weigh', async () => {
  const innocents = await beside(
    Promise.all(Array.from({ length: 12 }, (_, n) => drip(n % 2 ? '/usual' : '/picture', n, 60_000))),
  );
  expect(new Set(innocents)).toEqual(new Set([200]));
  expect(survived()).toBe(true);
});

test('one sender has one large body on its way, all together so many bytes; more are told when to come back', async () => {
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
  // The bytes are sent; they are counted once the service has read them.
  await expect.poll(async () => (await post('/picture', picture(150_000))).status).toBe(503);
  expect(await post('/picture', picture(150_000))).toMatchObject({ status: 503, code: 'unavailable', retryAfter: '2' });
  expect(await post('/picture', picture(50_000))).toMatchObject({ status: 200 });
  // A third does not fit beside the two. The one that began first makes room.
  await expect
    .poll(async () => {
      expect(await post('/picture', picture(7_100_000), { sender: 2 })).toMatchObject({ status: 200 });
      return told;
    })
    .toMatch(/^to 1: HTTP\/1\.1 503 [^]*retry-after: 2/i);
  expect(await post('/picture', picture(7_100_000))).toMatchObject({ status: 200 });
});

test('what is compressed, or in other letters than UTF-8, is not taken', async () => {
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
