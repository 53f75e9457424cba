import type { Logger } from './observe/logger.ts';

export interface Rounds {
  /** Starts a round now. */
  wake(): void;
  stop(): Promise<void>;
}

/** Runs `round` again and again, never twice at a time. A round that answers true found work and is followed by another at once. */
export function rounds(log: Logger, name: string, everyMs: number, round: () => Promise<boolean>): Rounds {
  let stopped = false;
  let woken = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;

  async function run(): Promise<void> {
    do {
      woken = false;
      try {
        if (await round()) woken = true;
      } catch (error) {
        log.warn({ err: error, name }, 'a round failed and is tried again');
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
      if (!running && !stopped) start();
    },
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
