import type { ChildProcess } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { backoff } from '@beltway/kit/backoff';

const pauseAfter = backoff(200, 5_000);
const HEALTHY_MS = 5_000;

/**
 * Pauses before restarts: 0.2 s, doubling to 5 s. After 5 s of uptime the pauses start over at 0.2 s, because such a
 * process was killed or rarely fails.
 */
export function restartPauses(): (aliveMs: number) => number {
  let failures = 0;
  return (aliveMs) => {
    if (aliveMs >= HEALTHY_MS) failures = 0;
    return pauseAfter(++failures);
  };
}

interface SupervisedOptions {
  /** Display name, such as Kafka. */
  name: string;
  /** Starts the server again. Calls `onSpawn` with the new process, and resolves when the server works. */
  launch: (onSpawn: (child: ChildProcess) => void) => Promise<ChildProcess>;
  /** Called with the process id when the server starts, and without a process id when it ends. */
  onProcess: (pid: number | undefined) => void;
  say: (text: string) => void;
}

export interface Supervised {
  /** The current process, or the last one. */
  child(): ChildProcess;
  /** Ends the supervision, so that the server is no longer restarted. */
  release(): void;
}

/** Restarts a server whenever it ends, with growing pauses, until it is released. `first` is already running. */
export function supervise(first: ChildProcess, { name, launch, onProcess, say }: SupervisedOptions): Supervised {
  const nextPause = restartPauses();
  let child = first;
  let released = false;

  function watch(): void {
    const since = Date.now();
    onProcess(child.pid);
    child.once('exit', (code, signal) => {
      onProcess(undefined);
      void startAgain(Date.now() - since, `${name} ended (${signal ?? `code ${code}`})`);
    });
  }

  async function startAgain(aliveMs: number, why: string): Promise<void> {
    while (!released) {
      const wait = nextPause(aliveMs);
      say(`${why}, starting it again in ${wait} ms`);
      await pause(wait);
      if (released) return;
      try {
        child = await launch((spawned) => (child = spawned));
        if (released) return void child.kill('SIGINT');
        return watch();
      } catch (error) {
        why = (error as Error).message;
        aliveMs = 0;
      }
    }
  }

  watch();
  return {
    child: () => child,
    release: () => void (released = true),
  };
}
