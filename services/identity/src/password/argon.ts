import { Worker } from 'node:worker_threads';

export interface Argon {
  hash(password: string): Promise<string>;
  verify(hash: string, password: string): Promise<boolean>;
}

/** The minimum OWASP recommends for argon2id; about 33 ms of one core (research/performance.md 4.2). */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** A thread weighs some 17 MB: without work it ends after so many ms. */
const REST_MS = 10_000;

/** With a hash: does the password match it? Without: hash it at this cost. */
export interface Order {
  password: string;
  hash?: string;
  cost: typeof COST;
}

interface Thread {
  worker: Worker;
  resting?: ReturnType<typeof setTimeout>;
}

const idle: Thread[] = [];

/** Threads of their own, made when there is a password: libuv's would hash at the priority of everything else, and keep files and names waiting. */
function takeThread(): Thread {
  const thread = idle.pop() ?? { worker: new Worker(new URL('./argon-thread.ts', import.meta.url)) };
  clearTimeout(thread.resting);
  thread.worker.ref();
  return thread;
}

function giveBack(thread: Thread): void {
  thread.worker.unref();
  thread.resting = setTimeout(() => {
    idle.splice(idle.indexOf(thread), 1);
    void thread.worker.terminate();
  }, REST_MS).unref();
  idle.push(thread);
}

function inThread(order: Order): Promise<unknown> {
  const thread = takeThread();
  return new Promise((resolve, reject) => {
    const ended = (why: unknown) => reject(why instanceof Error ? why : new Error('the hashing thread ended'));
    thread.worker.once('error', ended).once('exit', ended);
    thread.worker.once('message', ({ answer, error }: { answer?: unknown; error?: string }) => {
      thread.worker.off('error', ended).off('exit', ended);
      giveBack(thread);
      if (error === undefined) resolve(answer);
      else reject(new Error(error));
    });
    thread.worker.postMessage(order);
  });
}

/** The same text typed on another keyboard is the same password (NFKC). As many threads as are asked at a time: the hasher bounds it. */
export const argon: Argon = {
  hash: async (password) => String(await inThread({ password: password.normalize('NFKC'), cost: COST })),
  verify: async (hash, password) =>
    (await inThread({ password: password.normalize('NFKC'), hash, cost: COST })) === true,
};
