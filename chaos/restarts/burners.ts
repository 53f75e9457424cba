import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';

export interface Burners {
  pids: number[];
  /** Ends all burners; resolves when they have ended. */
  stop(): Promise<void>;
}

/** One busy process per core. Each ends automatically after `maxMs`, even without its parent. */
export function startBurners(maxMs: number): Burners {
  const program = `const until = Date.now() + ${maxMs}; while (Date.now() < until);`;
  const children = Array.from({ length: availableParallelism() }, () =>
    // Each burner runs in its own session, like the services. Linux divides the CPU among sessions first
    // (sched_autogroup), so in this session the burners would take CPU time from this process.
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
