import { fork, type ChildProcess } from 'node:child_process';
import { Overloaded } from '@beltway/event-store';
import { unavailable, type Unavailable } from '../http/problems.ts';
import { giveWay } from './give-way.ts';

export interface WorkerPoolOptions {
  /** Jobs at the same time, each in its own process. */
  maxWorkers?: number;
  /** Jobs that may wait; one more is refused immediately. */
  maxQueued?: number;
  /** A job that takes longer is ended with its process. */
  jobMs?: number;
  /** A worker without work ends after this long, and its memory with it. */
  idleMs?: number;
  /** What a process runs: it answers each message with one (`answerJobs`). */
  program: string;
}

export interface PoolTexts<Job> {
  /** What callers read while the pool is closed. */
  closed: Unavailable;
  /** The error of a job whose process crashed or was ended after `jobMs`. */
  errorOfExit: (job: Job, signal: NodeJS.Signals | null) => Error;
}

/** Processes that do jobs off the event loop, spawned when there is work and ended when there is none. */
export interface WorkerPool<Job, Outcome> {
  /**
   * Throws `Overloaded` when too many wait. A job whose signal aborts while it waits is dropped, and rejects with the
   * signal's reason; one that a process works on already is finished.
   */
  perform(job: Job, signal?: AbortSignal): Promise<Outcome>;
  /** How many processes are up. */
  size(): number;
  /** How many jobs wait for one. */
  waiting(): number;
  close(): void;
}

interface QueuedJob<Job, Outcome> {
  job: Job;
  resolve: (outcome: Outcome) => void;
  reject: (error: Error) => void;
}

interface Worker<Job, Outcome> {
  process: ChildProcess;
  /** What it works on. */
  current: QueuedJob<Job, Outcome> | undefined;
  /** Until its job has taken too long, or until it was idle for long enough. */
  timer: NodeJS.Timeout | undefined;
}

export function openWorkerPool<Job extends object, Outcome>(
  { maxWorkers = 2, maxQueued = 64, jobMs = 20_000, idleMs = 20_000, program }: WorkerPoolOptions,
  { closed: closedText, errorOfExit }: PoolTexts<Job>,
): WorkerPool<Job, Outcome> {
  const workers = new Set<Worker<Job, Outcome>>();
  const queue = new Set<QueuedJob<Job, Outcome>>();
  let closed = false;

  /** A process that the machine took away is not the job's fault. */
  const failureOf = (job: Job, signal: NodeJS.Signals | null) =>
    signal === 'SIGKILL' || signal === 'SIGTERM' ? unavailable('short-of-memory', 5) : errorOfExit(job, signal);

  function spawn(): Worker<Job, Outcome> {
    const worker: Worker<Job, Outcome> = { process: forkWithoutSecrets(program), current: undefined, timer: undefined };
    giveWay(worker.process);
    workers.add(worker);
    worker.process.on('message', (outcome: Outcome) => {
      const { current } = worker;
      becomeIdle(worker);
      current?.resolve(outcome);
      dispatch();
    });
    worker.process.on('error', () => worker.process.kill('SIGKILL'));
    worker.process.on('exit', (_code, signal) => {
      clearTimeout(worker.timer);
      workers.delete(worker);
      worker.current?.reject(failureOf(worker.current.job, signal));
      dispatch();
    });
    return worker;
  }

  function becomeIdle(worker: Worker<Job, Outcome>): void {
    clearTimeout(worker.timer);
    worker.current = undefined;
    worker.timer = setTimeout(() => {
      workers.delete(worker);
      worker.process.disconnect();
    }, idleMs).unref();
  }

  function dispatch(): void {
    for (const next of queue) {
      if (closed) return;
      const free = [...workers].find(({ current }) => !current) ?? (workers.size < maxWorkers ? spawn() : undefined);
      if (!free) return;
      queue.delete(next);
      free.current = next;
      clearTimeout(free.timer);
      free.timer = setTimeout(() => {
        // Removed immediately: the next job must not go to a process that is about to end.
        workers.delete(free);
        free.current = undefined;
        next.reject(errorOfExit(next.job, 'SIGXCPU'));
        free.process.kill('SIGKILL');
      }, jobMs);
      // A failure to send is the end of the process, which `exit` reports.
      free.process.send(next.job, () => undefined);
    }
  }

  return {
    perform: (job, signal) =>
      new Promise<Outcome>((resolve, reject) => {
        if (closed) return reject(unavailable(closedText));
        if (signal?.aborted) return reject(signal.reason as Error);
        if (queue.size >= maxQueued) return reject(new Overloaded());
        const queued = { job, resolve, reject };
        queue.add(queued);
        signal?.addEventListener('abort', () => {
          if (queue.delete(queued)) reject(signal.reason as Error);
        });
        dispatch();
      }),
    size: () => workers.size,
    waiting: () => queue.size,
    close() {
      closed = true;
      const gone = unavailable(closedText);
      for (const { reject } of queue) reject(gone);
      queue.clear();
      for (const { process, timer, current } of workers) {
        clearTimeout(timer);
        current?.reject(gone);
        process.kill('SIGKILL');
      }
      workers.clear();
    },
  };
}

/** With nothing of our environment: a hijacked decoder finds no secret in it. */
function forkWithoutSecrets(program: string): ChildProcess {
  return fork(program, {
    serialization: 'advanced',
    execArgv: ['--max-old-space-size=192'],
    // Few arenas: memory freed by one job is used for the next.
    env: { NODE_ENV: 'production', MALLOC_ARENA_MAX: '2', UV_THREADPOOL_SIZE: '2', TZ: 'UTC', VIPS_WARNING: '0' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
}
