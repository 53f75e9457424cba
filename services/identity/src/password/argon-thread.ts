import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { hashSync, verifySync } from '@node-rs/argon2';
import type { Order } from './argon.ts';

/**
 * Hashing uses a whole core. On Linux each thread has a priority of its own: at nice 10 this thread gets about a tenth
 * of a contested core, or all of an idle core. On other systems the priority would apply to the whole service and slow
 * it down, so it is not changed there.
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
