import type { ChildProcess } from 'node:child_process';
import { constants, getPriority, setPriority } from 'node:os';

/**
 * With this niceness, a process that competes with a service's process gets a third of that process's processor time.
 */
const NICENESS = 5;

/** Lowers the priority of a process that works on an upload. Does nothing on systems that do not allow it. */
export function giveWay({ pid }: Pick<ChildProcess, 'pid'>): void {
  try {
    if (pid !== undefined) setPriority(pid, Math.min(getPriority() + NICENESS, constants.priority.PRIORITY_LOW));
  } catch {
    // The process has already ended, or the system does not allow it.
  }
}
