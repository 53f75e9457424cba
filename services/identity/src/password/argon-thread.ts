import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { hashSync, verifySync } from '@node-rs/argon2';
import type { Order } from './argon.ts';

/**
 * Hashing takes a whole core for as long as it lasts. On Linux a priority belongs to a thread: at 10 this one gets about a tenth of a
 * core that others want too, and all of one that nobody wants. Elsewhere it would slow the whole service, so it stays as it is.
 */
export const NICE = 10;
if (process.platform === 'linux') setPriority(NICE);

parentPort?.on('message', ({ password, hash, cost }: Order) => {
  try {
    const answer = hash === undefined ? hashSync(password, cost) : verifySync(hash, password);
    parentPort?.postMessage({ answer });
  } catch (error) {
    parentPort?.postMessage({ error: String(error) });
  }
});
