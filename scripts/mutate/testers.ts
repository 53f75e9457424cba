import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../launcher/settings.ts';
import type { Outcome, Task, TesterOptions } from './tester.ts';

/** How long the remaining tests may take to end after a failed one. Starting a new process would take longer. */
const GRACE_MS = 2_000;

const running = new Set<ChildProcess>();

/** Kills the whole process group, because a worker in an endless loop handles no message. */
function end(child: ChildProcess): void {
  running.delete(child);
  try {
    process.kill(-child.pid!, 'SIGKILL');
  } catch {
    // The process has already ended.
  }
}

export function endAllTesters(): void {
  running.forEach(end);
}

/** Runs the tests of one file in another process, and starts a new one after a kill. */
export function openTester(options: TesterOptions) {
  let child: ChildProcess | undefined;

  async function start(): Promise<ChildProcess> {
    // Detached into its own process group, so that it can be killed as a whole.
    const started = fork(join(root, 'scripts', 'mutate', 'tester.ts'), [JSON.stringify(options)], {
      cwd: root,
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      env: { ...process.env, NODE_ENV: 'test' },
    });
    running.add(started);
    let errors = '';
    started.stderr!.on('data', (chunk) => (errors = `${errors}${chunk}`.slice(-4_000)));
    await new Promise<void>((resolve, reject) => {
      started.once('message', () => resolve());
      started.once('exit', () => reject(new Error(`the tests of ${options.file} cannot be loaded: ${errors}`)));
    });
    return started;
  }

  /** The next message of the process; undefined if the process sends no message within `limitMs`, or has ended. */
  const next = (tester: ChildProcess, limitMs: number) =>
    new Promise<Outcome | 'idle' | undefined>((resolve) => {
      const settle = (message: Outcome | 'idle' | undefined) => {
        clearTimeout(timer);
        tester.off('message', settle).off('exit', gone);
        resolve(message);
      };
      const gone = () => settle(undefined);
      const timer = setTimeout(gone, limitMs);
      tester.once('message', settle).once('exit', gone);
    });

  function kill(): void {
    if (child) end(child);
    child = undefined;
  }

  return {
    /** The outcome of the tests; undefined if they took longer than `limitMs`, or their process ended. */
    async run(task: Task, limitMs: number): Promise<Outcome | undefined> {
      child ??= await start();
      child.send(task);
      const outcome = await next(child, limitMs);
      if (typeof outcome !== 'object') return (kill(), undefined);
      if ((await next(child, GRACE_MS)) !== 'idle') kill();
      return outcome;
    },
    end: kill,
  };
}
