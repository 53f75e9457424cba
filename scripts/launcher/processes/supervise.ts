import type { ChildProcess } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { backoff } from '@beltway/kit/backoff';

const pauseAfter = backoff(200, 5_000);
const HEALTHY_MS = 5_000;

/** Pauses before a restart: 0.2 s, doubling to 5 s. They start over after 5 s alive: such a process was killed, or fails rarely. */
export function restartPauses(): (aliveMs: number) => number {
  let failures = 0;
  return (aliveMs) => {
    if (aliveMs >= HEALTHY_MS) failures = 0;
    return pauseAfter(++failures);
  };
}

interface SupervisedOptions {
  /** As people call it: Kafka. */
  name: string;
  /** Starts it once more; resolves when it works. `onSpawn` gets its process before that. */
  launch: (onSpawn: (child: ChildProcess) => void) => Promise<ChildProcess>;
  /** Called with the process id at each start, and with nothing at each end. */
  onProcess: (pid: number | undefined) => void;
  say: (text: string) => void;
}

export interface Supervised {
  /** The process of now, or the last one. */
  child(): ChildProcess;
  /** It is not started again. */
  release(): void;
}

/** Starts a server again whenever it ends, after growing pauses, until it is released. `first` works already. */
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
