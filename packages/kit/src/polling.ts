import { outsideSpans } from '@beltway/tracing';
import { faultCode, wasNotReached } from './http/instances/connection-faults.ts';
import type { Logger } from './observe/logger.ts';

export interface Poller {
  /** Polls now; if a poll is in progress, polls once more after it. */
  wake(): void;
  /** Prevents further polls and resolves when the poll in progress has ended. */
  stop(): Promise<void>;
}

/** Services start concurrently, so unreachable services are expected during this time, in ms. */
const STARTING_MS = 30_000;

/**
 * Runs `poll` repeatedly, `everyMs` after the end of the previous run, never concurrently. If a run returns true (it
 * found work), the next run follows immediately. Errors are logged under `name`.
 */
export function startPolling(log: Logger, name: string, everyMs: number, poll: () => Promise<boolean>): Poller {
  const since = Date.now();
  const isExpected = (error: unknown) => wasNotReached(faultCode(error)) && Date.now() - since < STARTING_MS;
  let stopped = false;
  let woken = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;

  async function run(): Promise<void> {
    do {
      woken = false;
      try {
        if (await poll()) woken = true;
      } catch (error) {
        log[isExpected(error) ? 'info' : 'warn']({ err: error, name }, 'a poll failed and is retried');
        break;
      }
    } while (woken && !stopped);
    running = undefined;
    if (!stopped) timer = setTimeout(start, everyMs);
  }
  function start(): void {
    clearTimeout(timer);
    running = run();
  }
  timer = setTimeout(start, everyMs);

  return {
    wake: () => {
      woken = true;
      if (!running && !stopped) outsideSpans(start);
    },
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
