import { once } from 'node:events';
import { request, type ClientRequest } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { standBack } from '../support/system.ts';
import { videoOf } from './video.ts';

/** Concurrent uploads, each by its own account and connection. */
export interface Lines {
  port: number;
  tokens: string[];
  /** Size of each video. */
  bytes: number;
  /** Rate of each connection; Infinity: as fast as the server reads. */
  bytesPerSecond: number;
  /** Makes these videos differ from the videos of other rounds. */
  seed: number;
}

const PIECE = 256 * 1024;

/**
 * Creates the videos in a separate thread. The returned function sends them, reads each response completely and counts
 * the responses by status. Creating half a gigabyte takes a second, which must not count as upload time.
 */
export async function makeVideos(lines: Lines): Promise<() => Promise<Record<number, number>>> {
  const thread = new Worker(new URL(import.meta.url), { workerData: lines });
  await once(thread, 'message');
  return async () => {
    thread.postMessage('send');
    const [statuses] = (await once(thread, 'message')) as [Record<number, number>];
    return statuses;
  };
}

const drained = (sending: ClientRequest) =>
  new Promise<void>((resolve) => {
    const done = () => {
      sending.off('drain', done).off('close', done);
      resolve();
    };
    sending.on('drain', done).on('close', done);
  });

async function send({ port, bytesPerSecond }: Lines, token: string, video: Buffer): Promise<number> {
  const head = Buffer.from(
    '--b\r\nContent-Disposition: form-data; name="title"\r\n\r\nA long night\r\n' +
      '--b\r\nContent-Disposition: form-data; name="video"; filename="night.mp4"\r\nContent-Type: video/mp4\r\n\r\n',
  );
  const tail = Buffer.from('\r\n--b--\r\n');
  const sending = request({
    ...{ host: '127.0.0.1', port, method: 'POST', path: '/api/top-picks/upload' },
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'multipart/form-data; boundary=b',
      'content-length': head.length + video.length + tail.length,
    },
  });
  const answered = new Promise<number>((resolve) => {
    sending.once('response', (res) => res.resume().once('close', () => resolve(res.statusCode!)));
    sending.once('error', () => resolve(0));
  });
  sending.write(head);
  const since = performance.now();
  for (let at = 0; at < video.length && !sending.destroyed; at += PIECE) {
    const room = sending.write(video.subarray(at, at + PIECE));
    if (!room) await drained(sending);
    const early = (at / bytesPerSecond) * 1_000 - (performance.now() - since);
    if (early > 0) await pause(early);
  }
  sending.end(tail);
  return answered;
}

const lines = workerData as Lines | null;
if (parentPort && lines) {
  standBack();
  const videos = lines.tokens.map((_, line) => videoOf(lines.bytes, lines.seed * 1_000 + line));
  const asked = once(parentPort, 'message');
  parentPort.postMessage('made');
  await asked;
  const statuses: Record<number, number> = {};
  for (const status of await Promise.all(lines.tokens.map((token, line) => send(lines, token, videos[line]!))))
    statuses[status] = (statuses[status] ?? 0) + 1;
  parentPort.postMessage(statuses);
}
