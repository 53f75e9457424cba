import { fork, type ChildProcess } from 'node:child_process';
import { Overloaded } from '@beltway/event-store';
import { unavailable, type Unavailable } from '../http/problems.ts';
import { giveWay } from './give-way.ts';

export interface WorkerPoolOptions {
  /** Maximum number of concurrent jobs, each in its own process. */
  maxWorkers?: number;
  /** Maximum number of waiting jobs; a further job is rejected immediately. */
  maxQueued?: number;
  /** Time limit of a job in ms. After it, the job's process is killed. */
  jobMs?: number;
  /** Time in ms after which an idle worker ends, to free its memory. */
  idleMs?: number;
  /** The program that a worker process runs. It answers each message with one message (`answerJobs`). */
  program: string;
}

export interface PoolTexts<Job> {
  /** The reason that callers get while the pool is closed. */
  closed: Unavailable;
  /** The error of a job whose process crashed or was killed after `jobMs`. */
  errorOfExit: (job: Job, signal: NodeJS.Signals | null) => Error;
}

/** Processes that run jobs outside this process's event loop. They are started on demand and ended when idle. */
export interface WorkerPool<Job, Outcome> {
  /**
   * Runs a job. Throws `Overloaded` if too many jobs wait. If the signal aborts while the job waits, the job is dropped
   * and rejects with the signal's reason; a job in progress is finished.
   */
  perform(job: Job, signal?: AbortSignal): Promise<Outcome>;
  /** Number of running processes. */
  size(): number;
  /** Number of waiting jobs. */
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
  /** The job in progress. */
  current: QueuedJob<Job, Outcome> | undefined;
  /** Fires when the job takes too long, or when the process has been idle long enough. */
  timer: NodeJS.Timeout | undefined;
}

export function openWorkerPool<Job extends object, Outcome>(
  { maxWorkers = 2, maxQueued = 64, jobMs = 20_000, idleMs = 20_000, program }: WorkerPoolOptions,
  { closed: closedText, errorOfExit }: PoolTexts<Job>,
): WorkerPool<Job, Outcome> {
  const workers = new Set<Worker<Job, Outcome>>();
  const queue = new Set<QueuedJob<Job, Outcome>>();
  let closed = false;

  /** If the system killed the process, the job did not cause the failure. */
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
        // Removed immediately, so that the next job is not sent to a process that is about to end.
        workers.delete(free);
        free.current = undefined;
        next.reject(errorOfExit(next.job, 'SIGXCPU'));
        free.process.kill('SIGKILL');
      }, jobMs);
      // If sending fails, the process has ended, which the `exit` event reports.
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

/** Starts a process without this process's environment, so that a hijacked decoder finds no secrets. */
function forkWithoutSecrets(program: string): ChildProcess {
  return fork(program, {
    serialization: 'advanced',
    execArgv: ['--max-old-space-size=192'],
    // Few malloc arenas, so that memory freed by one job is reused by the next.
    env: { NODE_ENV: 'production', MALLOC_ARENA_MAX: '2', UV_THREADPOOL_SIZE: '2', TZ: 'UTC', VIPS_WARNING: '0' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
}
