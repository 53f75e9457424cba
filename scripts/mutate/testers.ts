import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../launcher/settings.ts';
import type { Outcome, Task, TesterOptions } from './tester.ts';

const running = new Set<ChildProcess>();

/** Kills the whole process group: a worker in an endless loop handles no message. */
function end(child: ChildProcess): void {
  running.delete(child);
  try {
    process.kill(-child.pid!, 'SIGKILL');
  } catch {
    // The process ended before.
  }
}

export function endAllTesters(): void {
  running.forEach(end);
}

/** Runs the tests of one file in another process, and starts a new one after a kill. */
export function openTester(options: TesterOptions) {
  let child: ChildProcess | undefined;

  async function start(): Promise<ChildProcess> {
    // Its own process group can be killed as a whole.
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

  return {
    /** The outcome of the tests; undefined when they took longer than `limitMs` and were killed. */
    async run(task: Task, limitMs: number): Promise<Outcome | undefined> {
      child ??= await start();
      const tester = child;
      const outcome = await new Promise<Outcome | undefined>((resolve) => {
        const timer = setTimeout(() => settle(undefined), limitMs);
        const gone = () => settle({ files: [], failure: 'the process of the tests ended' });
        const settle = (result: Outcome | undefined) => {
          clearTimeout(timer);
          tester.off('message', settle).off('exit', gone);
          resolve(result);
        };
        tester.once('message', settle).once('exit', gone);
        tester.send(task);
      });
      if (outcome === undefined || tester.exitCode !== null || tester.signalCode !== null) {
        end(tester);
        child = undefined;
      }
      return outcome;
    },
    end() {
      if (child) end(child);
      child = undefined;
    },
  };
}
