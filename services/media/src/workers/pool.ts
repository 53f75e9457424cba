import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Overloaded } from '@beltway/event-store';
import { gauges } from '@beltway/kit/metrics';
import { unavailable } from '@beltway/kit/problems';
import type { PictureSize, PosterEvent, PosterLook } from '@beltway/contracts/media';
import type { VideoCategory } from '@beltway/contracts/top-picks-texts';
import type { Developed } from '../image/develop.ts';
import { MAX_IMAGE_BYTES } from '../image/limits.ts';
import { ImageRefused } from '../image/refusal.ts';
import { giveWay } from './give-way.ts';
import type { Job, Outcome } from './jobs.ts';

export interface ImageWorkerPool {
  /** Throws `ImageRefused`, also for more than `maxBytes` (of an event's picture, where none is given); `Overloaded` when too many wait. */
  develop(bytes: Uint8Array, maxBytes?: number): Promise<Developed>;
  render(event: PosterEvent, size: PictureSize, look: PosterLook): Promise<Buffer>;
  /** One of our own pictures as JPEG for mails. */
  forMail(webp: Uint8Array): Promise<Buffer>;
  /** A plain picture for a video that none could be taken of. PNG. */
  cover(category: VideoCategory): Promise<Buffer>;
  /** How many processes are up. */
  size(): number;
  close(): void;
}

export interface WorkerPoolOptions {
  /** Jobs at the same time, each in its own process. */
  maxWorkers?: number;
  /** Jobs that may wait; one more is refused at once. */
  maxQueued?: number;
  /** A job that takes longer is ended with its process. */
  jobMs?: number;
  /** A worker without work ends after this long, and its memory with it. */
  idleMs?: number;
  /** For tests that need a worker which misbehaves. */
  program?: string;
}

interface QueuedJob {
  job: Job;
  resolve: (outcome: Outcome) => void;
  reject: (error: Error) => void;
}

interface Worker {
  process: ChildProcess;
  /** What it works on. */
  current: QueuedJob | undefined;
  /** Until its job has taken too long, or until it was idle for long enough. */
  timer: NodeJS.Timeout | undefined;
}

/** A pool of processes that make pictures, spawned when there is work and ended when there is none. */
export function openImageWorkers(options: WorkerPoolOptions = {}): ImageWorkerPool {
  const { maxWorkers = 2, maxQueued = 64, jobMs = 20_000, idleMs = 20_000 } = options;
  const program = options.program ?? fileURLToPath(import.meta.resolve('./worker.ts'));
  const workers = new Set<Worker>();
  const queue: QueuedJob[] = [];
  let closed = false;
  const hide = gauges(
    { image_jobs_waiting: 'Pictures that wait to be made', image_workers: 'Processes that make pictures' },
    [],
    () => [{ values: { image_jobs_waiting: queue.length, image_workers: workers.size } }],
  );

  function spawn(): Worker {
    const worker: Worker = { process: forkWithoutSecrets(program), current: undefined, timer: undefined };
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
      worker.current?.reject(errorOfExit(worker.current.job, signal));
      dispatch();
    });
    return worker;
  }

  function becomeIdle(worker: Worker): void {
    clearTimeout(worker.timer);
    worker.current = undefined;
    worker.timer = setTimeout(() => {
      workers.delete(worker);
      worker.process.disconnect();
    }, idleMs).unref();
  }

  function dispatch(): void {
    while (queue.length > 0 && !closed) {
      const free = [...workers].find(({ current }) => !current) ?? (workers.size < maxWorkers ? spawn() : undefined);
      if (!free) return;
      const next = queue.shift()!;
      free.current = next;
      clearTimeout(free.timer);
      free.timer = setTimeout(() => {
        // Removed at once: the next job must not be given to a process that is about to end.
        workers.delete(free);
        free.current = undefined;
        next.reject(errorOfExit(next.job, 'SIGXCPU'));
        free.process.kill('SIGKILL');
      }, jobMs);
      // A failure to send is the end of the process, which `exit` reports.
      free.process.send(next.job, () => undefined);
    }
  }

  const perform = (job: Job) =>
    new Promise<Outcome>((resolve, reject) => {
      if (closed) return reject(unavailable('Pictures are not made right now. Please try again in a moment.'));
      if (queue.length >= maxQueued) return reject(new Overloaded());
      queue.push({ job, resolve, reject });
      dispatch();
    });

  return {
    async develop(bytes, maxBytes = MAX_IMAGE_BYTES) {
      const outcome = await perform({ kind: 'develop', bytes, maxBytes });
      if ('developed' in outcome) return outcome.developed;
      throw failureOf(outcome);
    },
    async render(event, size, look) {
      const outcome = await perform({ kind: 'poster', event, size, look });
      if ('rendered' in outcome) return outcome.rendered;
      throw failureOf(outcome);
    },
    async forMail(webp) {
      const outcome = await perform({ kind: 'mail', webp });
      if ('rendered' in outcome) return outcome.rendered;
      throw failureOf(outcome);
    },
    async cover(category) {
      const outcome = await perform({ kind: 'cover', category });
      if ('rendered' in outcome) return outcome.rendered;
      throw failureOf(outcome);
    },
    size: () => workers.size,
    close() {
      closed = true;
      hide();
      const gone = unavailable('Pictures are not made right now. Please try again in a moment.');
      for (const { reject } of queue.splice(0)) reject(gone);
      for (const { process, timer, current } of workers) {
        clearTimeout(timer);
        current?.reject(gone);
        process.kill('SIGKILL');
      }
      workers.clear();
    },
  };
}

/** With nothing of our environment: whoever takes over a decoder finds no secret in it. */
function forkWithoutSecrets(program: string): ChildProcess {
  return fork(program, {
    serialization: 'advanced',
    execArgv: ['--max-old-space-size=192'],
    // Few arenas: memory freed by one picture is used for the next.
    env: { NODE_ENV: 'production', MALLOC_ARENA_MAX: '2', UV_THREADPOOL_SIZE: '2', TZ: 'UTC', VIPS_WARNING: '0' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
}

/** A picture that brings its decoder down or to a stop is at fault itself; a process the machine took away is not. */
function errorOfExit(job: Job, signal: NodeJS.Signals | null): Error {
  if (signal === 'SIGKILL' || signal === 'SIGTERM')
    return unavailable('The machine is short of memory right now. Please try again in a moment.', 5);
  if (job.kind === 'develop') return new ImageRefused('image-broken');
  return new Error(`A poster could not be drawn: its process ended (${signal ?? 'by itself'})`);
}

function failureOf(outcome: Outcome): Error {
  if ('refused' in outcome) return new ImageRefused(outcome.refused);
  return new Error('failed' in outcome ? outcome.failed : 'a worker answered another question');
}
