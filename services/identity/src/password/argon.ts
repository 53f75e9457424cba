import { Worker } from 'node:worker_threads';

export interface Argon {
  hash(password: string): Promise<string>;
  verify(hash: string, password: string): Promise<boolean>;
}

/** The minimum cost that OWASP recommends for argon2id: about 33 ms of one core (research/performance.md 4.2). */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** How long a thread stays idle before it ends, in milliseconds. A thread uses about 17 MB. */
const REST_MS = 10_000;

/** With `hash`: verify the password against the hash. Without `hash`: hash the password. */
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

/**
 * Returns one of the dedicated threads, which are started on demand. libuv's pool would hash at normal priority and
 * delay file and DNS calls.
 */
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

/**
 * Passwords are normalized (NFKC), so that all keyboards produce the same text. Each concurrent call has its own
 * thread. The hasher limits the number of threads.
 */
export const argon: Argon = {
  hash: async (password) => String(await inThread({ password: password.normalize('NFKC'), cost: COST })),
  verify: async (hash, password) =>
    (await inThread({ password: password.normalize('NFKC'), hash, cost: COST })) === true,
};
