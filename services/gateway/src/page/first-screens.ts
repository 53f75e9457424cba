import { fork, type ChildProcess } from 'node:child_process';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { FirstScreenOrder } from '@beltway/contracts/common/first-screen';
import { backoff } from '@beltway/kit/backoff';
import type { Logger } from '@beltway/kit/logger';
import { counter } from '@beltway/kit/metrics';
import type { Said } from './first-screens-process.ts';

/** `failed`: rendering this order fails each time. `busy`: the order was not rendered and may succeed later. */
export type FirstScreen = { html: string } | 'failed' | 'busy';

export interface FirstScreenRenderer {
  /**
   * How long a page waits for its first screen, in milliseconds. A page without a first screen shows the same content
   * once its script has run.
   */
  waitMs: number;
  /** Never rejects. `build` is the version of the frontend's build to render with. A process renders only one build. */
  render(order: FirstScreenOrder, build: number): Promise<FirstScreen>;
  close(): void;
}

const RESULTS = ['rendered', 'failed', 'busy'] as const;
const results = counter(
  'first_screens_total',
  'First screens of pages that were to be rendered, by result',
  ['result'],
  RESULTS.map((result) => ({ result })),
);

const LIMITS = {
  waitMs: 1_000,
  /** Maximum queued orders. Each order takes a few milliseconds. */
  waiting: 100,
  /** A render takes a few milliseconds, so a render that exceeds this time hangs. */
  renderMs: 3_000,
  /** Long, because a busy machine loads the code slowly. */
  startMs: 10_000,
  /** The process uses 25 MB, so it ends after this many milliseconds without work. */
  restMs: 30_000,
  /** The first and the longest pause before a failed process is replaced, in milliseconds. */
  pausesMs: [1_000, 60_000] as [number, number],
  /** Heap limit of the process. */
  megabytes: 64,
};
export type FirstScreenLimits = typeof LIMITS;

interface Job {
  order: FirstScreenOrder;
  build: number;
  finish: (screen: FirstScreen) => void;
}

interface Renderer {
  child: ChildProcess;
  build: number;
  isReady: boolean;
  job?: Job | undefined;
  /** Ends the process when it takes too long to start or render, or is idle. */
  timer?: NodeJS.Timeout | undefined;
  /** Why the gateway stopped the process. */
  why?: string;
}

const PROGRAM = fileURLToPath(new URL('./first-screens-process.ts', import.meta.url));

/**
 * Renders first screens with the components of the built frontend in `folder`, one at a time, in a separate process. A
 * render that hangs, fails or uses up all memory ends only that process, and the next order gets a new one. A thread
 * would not isolate a render: with the services' flags a thread has no heap limit of its own, and a full heap ends the
 * gateway.
 */
export function firstScreenRenderer(
  folder: string,
  log: Logger,
  change: Partial<FirstScreenLimits> = {},
): FirstScreenRenderer {
  const limits = { ...LIMITS, ...change };
  const file = pathToFileURL(join(resolve(folder), '.gateway', 'first-screens.js')).href;
  const pauseAfter = backoff(...limits.pausesMs);
  const queue: Job[] = [];
  let renderer: Renderer | undefined;
  let failures = 0;
  let retryAt = 0;
  let isClosed = false;

  function end(one: Renderer, why: string): void {
    one.why ??= why;
    one.child.kill('SIGKILL');
  }
  const endIn = (one: Renderer, ms: number, why: string) => {
    clearTimeout(one.timer);
    one.timer = setTimeout(end, ms, one, why).unref();
  };

  function start(build: number): Renderer {
    const child = fork(PROGRAM, [file], {
      // The process gets no environment variables, so it sees no secret.
      env: {},
      execArgv: [`--max-old-space-size=${limits.megabytes}`, '--max-semi-space-size=8'],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const one: Renderer = { child, build, isReady: false };
    // The child process does not keep the gateway's process alive.
    child.unref();
    child.channel?.unref();
    endIn(one, limits.startMs, 'it did not start in time');
    child.on('message', (said: Said) => hear(one, said));
    child.once('error', ({ message }) => ended(one, message));
    child.once('exit', (code, signal) => ended(one, `it ended (${signal ?? code})`));
    return one;
  }

  function hear(one: Renderer, said: Said): void {
    if (said === 'ready') {
      one.isReady = true;
    } else {
      failures = 0;
      const { job } = one;
      one.job = undefined;
      if ('error' in said)
        log.warn({ order: nameOf(job?.order), cause: said.error }, 'a first screen was not rendered');
      job?.finish('error' in said ? 'failed' : said);
    }
    endIn(one, limits.restMs, 'it had no work');
    work();
  }

  function ended(one: Renderer, cause: string): void {
    if (renderer !== one) return;
    renderer = undefined;
    clearTimeout(one.timer);
    const { job, isReady, why = cause } = one;
    if (job || !isReady) {
      failures++;
      retryAt = performance.now() + (failures > 1 || !isReady ? pauseAfter(failures) : 0);
      const order = nameOf(job?.order);
      if (!isClosed) log.warn({ order, cause: why, failures }, 'the process of first screens ended');
      job?.finish('failed');
    }
    work();
  }

  function work(): void {
    const [next] = queue;
    if (!next || renderer?.job || (renderer && !renderer.isReady)) return;
    if (isClosed || (!renderer && performance.now() < retryAt)) {
      queue.splice(0).forEach(({ finish }) => finish('busy'));
      return;
    }
    if (renderer && renderer.build !== next.build) return end(renderer, 'the page was built anew');
    renderer ??= start(next.build);
    if (!renderer.isReady) return;
    renderer.job = queue.shift();
    endIn(renderer, limits.renderMs, 'it took too long');
    // The callback ignores errors: a process that has just ended also emits `exit`.
    renderer.child.send(next.order, () => undefined);
  }

  return {
    waitMs: limits.waitMs,
    render: (order, build) =>
      new Promise((resolve) => {
        const finish = (screen: FirstScreen) => {
          results.inc({ result: typeof screen === 'string' ? screen : 'rendered' });
          resolve(screen);
        };
        if (isClosed || queue.length >= limits.waiting) return finish('busy');
        queue.push({ order, build, finish });
        work();
      }),
    close() {
      isClosed = true;
      if (renderer) end(renderer, 'closed');
      queue.splice(0).forEach(({ finish }) => finish('busy'));
    },
  };
}

/** The order's name in the log. Contains no text from users. */
const nameOf = (order?: FirstScreenOrder): string | undefined =>
  order && `${order.screen} ${order.language} ${'event' in order ? order.event.id : ''}`.trim();
