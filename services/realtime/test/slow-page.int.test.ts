import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket as TcpSocket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '@beltway/kit/testing';
import { startRealtime, type PageSocket, type Realtime } from './realtime.ts';

let realtime: Realtime;
beforeAll(async () => void (realtime = await startRealtime()));
afterAll(() => realtime.close());

const open = async (): Promise<PageSocket> => {
  const page = realtime.open({ transports: ['websocket'], reconnection: false });
  await eventually(() => page.connected, { what: 'the connection' });
  return page;
};

test('a page that stops reading is disconnected before its backlog grows; other pages receive everything', async () => {
  const [stuck, well] = [await open(), await open()];
  let heard = 0;
  well.onAny(() => void heard++);
  const { ws } = stuck.io.engine.transport as unknown as { ws: { _socket: TcpSocket } };
  ws._socket.pause();
  const say = realtime.io.emit.bind(realtime.io) as (word: string, text: string) => void;
  const text = 'x'.repeat(20_000);
  let said = 0;
  await eventually(
    async () => {
      // Sends no faster than the other page reads, so that only the page that reads nothing falls behind.
      for (let batch = 0; batch < 20; batch++, said++) say('word', text);
      await eventually(() => heard === said, { timeoutMs: 30_000 });
      return realtime.io.engine.clientsCount === 1;
    },
    { timeoutMs: 50_000, what: 'being cut off' },
  );
  await eventually(async () => (await realtime.connections()) === 1, { what: 'the end of its line' });
  // The system buffers a few MB for the page, and realtime less than 1 MB more.
  expect(said).toBeLessThan(2_000);
  expect(well.connected).toBe(true);
  expect(heard).toBe(said);
});

test('a WebSocket that sends nothing after it was accepted is closed', async () => {
  const own = await startRealtime({ connectMs: 2_000 });
  let accepted = 0;
  own.io.engine.on('connection', () => accepted++);
  const began = performance.now();
  const mute = new WebSocket(`${own.url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`);
  const closed = new Promise((resolve) => mute.addEventListener('close', resolve));
  await new Promise((resolve) => mute.addEventListener('open', resolve));
  expect(accepted).toBe(1);
  await closed;
  expect(performance.now() - began).toBeGreaterThan(1_900);
  await eventually(() => own.io.engine.clientsCount === 0, { what: 'its end' });
  await own.close();
});

/** A raw WebSocket client. It does not respond to a close, because it reads nothing. */
async function rudeClient(): Promise<TcpSocket> {
  const { hostname, port } = new URL(realtime.url);
  const line = connect(Number(port), hostname);
  line.on('error', () => undefined);
  line.write(
    `GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nhost: ${hostname}\r\nconnection: Upgrade\r\nupgrade: websocket\r\n` +
      `sec-websocket-version: 13\r\nsec-websocket-key: ${randomBytes(16).toString('base64')}\r\n\r\n`,
  );
  await once(line, 'data');
  line.pause();
  return line;
}
/** A masked frame with these first bits, and a text of at most 125 characters. */
const frame = (head: number, text: string): Buffer =>
  Buffer.concat([Buffer.from([head, 0x80 | text.length, 0, 0, 0, 0]), Buffer.from(text)]);
const [TEXT, FIRST, NEXT, PING, PONG] = [0x81, 0x01, 0x00, 0x89, 0x8a];

test.each([
  ['packets', Array<Buffer>(300).fill(frame(TEXT!, '42["nothing"]'))],
  ['pings', Array<Buffer>(300).fill(frame(PING!, ''))],
  ['pongs', Array<Buffer>(300).fill(frame(PONG!, ''))],
  ['parts of one message', [frame(FIRST!, '42'), ...Array<Buffer>(300).fill(frame(NEXT!, ''))]],
])(
  'a client that floods with %s and reads nothing is disconnected, and its TCP connection is closed',
  async (_what, frames) => {
    const others = await realtime.connections();
    const line = await rudeClient();
    expect(await realtime.connections()).toBe(others + 1);
    line.write(Buffer.concat([frame(TEXT!, '40'), ...frames]));
    // Without our limit, the server would wait half a minute for a response to its close.
    await eventually(async () => (await realtime.connections()) === others, { timeoutMs: 20_000, what: 'its end' });
    line.destroy();
  },
);
