import { outsideSpans } from '@beltway/tracing';
import { faultCode, wasNotReached } from './http/instances/connection-faults.ts';
import type { Logger } from './observe/logger.ts';

export interface Poller {
  /** Polls now, or once more when a poll is under way. */
  wake(): void;
  /** Resolves when the poll that is under way has ended; another one does not begin. */
  stop(): Promise<void>;
}

/** Services start side by side. That one cannot be reached yet is no trouble for so long. */
const STARTING_MS = 30_000;

/**
 * Runs `poll` every `everyMs` after the end of the last one, never twice at a time. One that answers true found work and is followed by
 * another at once; one that throws is logged under `name`.
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
        log[isExpected(error) ? 'info' : 'warn']({ err: error, name }, 'a poll failed and is tried again');
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
