import { randomBytes, randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { percentile } from '../support/statistics.ts';

/** A load: messages per second, counted after a warm-up. */
export interface Load {
  perSecond: number;
  warmUpMs: number;
  ms: number;
}
/** Observations of the clients during the measured time. */
export interface Seen {
  deliveries: number;
  /** Messages that were sent and acknowledged. */
  said: number;
  p50Ms: number;
  p99Ms: number;
  /** Sequence numbers that did not follow the previous one, over all clients since they joined. */
  gaps: number;
}
export type Told = { ready: true } | { begins: true } | { ends: true } | { seen: Seen };

const ROOM = 'region';
/** One in this many clients parses its messages, to measure their latency. */
const READS_EACH = 40;
/** Number of writers: realtime accepts 20 packets a second from each connection. */
const WRITERS = 50;
const SEQ = Buffer.from('"seq":');
const MESSAGES = Buffer.from('42["messages"');
const [, , port = '', clients = ''] = process.argv;

const now = () => performance.timeOrigin + performance.now();
let counting = false;
let deliveries = 0;
let said = 0;
let gaps = 0;
let latencies: number[] = [];

/** A client's text frame. Clients must mask their frames; this mask is all zeros. */
function frameOf(text: string): Buffer {
  const body = Buffer.from(text);
  const head = Buffer.alloc(body.length < 126 ? 6 : 8);
  head[0] = 0x81;
  if (body.length < 126) head[1] = 0x80 | body.length;
  else {
    head[1] = 0x80 | 126;
    head.writeUInt16BE(body.length, 2);
  }
  return Buffer.concat([head, body]);
}

function numberAt(bytes: Buffer, at: number): number {
  let number = 0;
  for (let index = at; bytes[index]! >= 48 && bytes[index]! <= 57; index++) number = number * 10 + bytes[index]! - 48;
  return number;
}

/** A minimal chat client: splits frames, checks that sequence numbers are consecutive, and counts deliveries. */
async function open(index: number): Promise<Socket> {
  const socket = connect(Number(port), '127.0.0.1');
  socket.setNoDelay(true);
  const readsAll = index % READS_EACH === 0;
  let last: number | undefined;
  let rest: Buffer | undefined;
  let upgraded = false;
  let joined: () => void;
  const ready = new Promise<void>((resolve) => (joined = resolve));

  function take(payload: Buffer): void {
    if (payload.length >= MESSAGES.length && payload.compare(MESSAGES, 0, MESSAGES.length, 0, MESSAGES.length) === 0)
      return count(payload);
    const text = payload.toString();
    if (text === '2') socket.write(frameOf('3'));
    else if (text.startsWith('0')) socket.write(frameOf(`40{"token":"${index + 1}"}`));
    else if (text.startsWith('40')) socket.write(frameOf(`420["join",{"room":"${ROOM}"}]`));
    else if (text.startsWith('430')) joined();
    else if (text.startsWith('431') && counting && !text.includes('"error"')) said++;
  }

  function count(payload: Buffer): void {
    let found = 0;
    for (let at = payload.indexOf(SEQ); at >= 0; at = payload.indexOf(SEQ, at + SEQ.length)) {
      const seq = numberAt(payload, at + SEQ.length);
      if (last !== undefined && seq !== last + 1) gaps++;
      last = seq;
      found++;
    }
    if (!counting) return;
    deliveries += found;
    if (!readsAll) return;
    const [, { messages }] = JSON.parse(payload.toString('utf8', 2)) as [
      string,
      { messages: Array<{ message: string }> },
    ];
    for (const { message } of messages) latencies.push(now() - Number(message.slice(0, message.indexOf(' '))));
  }

  socket.on('data', (chunk: Buffer) => {
    let bytes = rest ? Buffer.concat([rest, chunk]) : chunk;
    if (!upgraded) {
      const end = bytes.indexOf('\r\n\r\n');
      if (end < 0) return void (rest = bytes);
      upgraded = true;
      bytes = bytes.subarray(end + 4);
    }
    let at = 0;
    while (bytes.length - at >= 2) {
      const short = bytes[at + 1]! & 127;
      const head = short < 126 ? 2 : short === 126 ? 4 : 10;
      if (bytes.length - at < head) break;
      const length = short < 126 ? short : short === 126 ? bytes.readUInt16BE(at + 2) : bytes.readUInt32BE(at + 6);
      if (bytes.length - at < head + length) break;
      take(bytes.subarray(at + head, at + head + length));
      at += head + length;
    }
    rest = at < bytes.length ? bytes.subarray(at) : undefined;
  });
  socket.on('error', (error) => console.error('a client broke', error.message));
  socket.write(
    `GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: Upgrade\r\nupgrade: websocket\r\n` +
      `sec-websocket-version: 13\r\nsec-websocket-key: ${randomBytes(16).toString('base64')}\r\n\r\n`,
  );
  await ready;
  return socket;
}

const sockets: Socket[] = [];
for (let index = 0; index < Number(clients); index += 50)
  sockets.push(...(await Promise.all(Array.from({ length: 50 }, (_, more) => open(index + more)))));

const send = (told: Told) => process.send!(told);
let next = 0;
/** About 40 characters of text: a message with its fields is about 270 bytes on the wire. */
function say(): void {
  const message = `${now().toFixed(2)} at the gate by nine`;
  const body = { room: ROOM, id: randomUUID(), message };
  sockets[next++ % WRITERS]!.write(frameOf(`421["say",${JSON.stringify(body)}]`));
}

process.on('message', async ({ perSecond, warmUpMs, ms }: Load) => {
  const began = performance.now();
  let sent = 0;
  const timer = setInterval(() => {
    for (const due = ((performance.now() - began) / 1_000) * perSecond; sent < due; sent++) say();
  }, 2);
  const until = (at: number) => new Promise((resolve) => setTimeout(resolve, began + at - performance.now()));
  await until(warmUpMs);
  [counting, deliveries, said, latencies] = [true, 0, 0, []];
  send({ begins: true });
  await until(warmUpMs + ms);
  counting = false;
  send({ ends: true });
  clearInterval(timer);
  const [p50Ms, p99Ms] = [percentile(latencies, 0.5), percentile(latencies, 0.99)];
  send({ seen: { deliveries, said, p50Ms, p99Ms, gaps } });
});
process.on('disconnect', () => process.exit(0));
send({ ready: true });
