import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';

export interface Burners {
  pids: number[];
  /** Ends them; resolves when they are gone. */
  stop(): Promise<void>;
}

/** One process per core that does nothing but use it. Each ends automatically after `maxMs`, even without its parent. */
export function startBurners(maxMs: number): Burners {
  const program = `const until = Date.now() + ${maxMs}; while (Date.now() < until);`;
  const children = Array.from({ length: availableParallelism() }, () =>
    // In a session of its own, as each service is: Linux shares the processor among sessions first (sched_autogroup), and within ours it would
    // be our own time that they take.
    spawn(process.execPath, ['-e', program], { stdio: 'ignore', detached: true }),
  );
  const gone = Promise.all(children.map((child) => once(child, 'exit')));
  return {
    pids: children.flatMap(({ pid }) => (pid === undefined ? [] : [pid])),
    stop: async () => {
      for (const child of children) child.kill('SIGKILL');
      await gone;
    },
  };
}
