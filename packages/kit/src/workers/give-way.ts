import type { ChildProcess } from 'node:child_process';
import { constants, getPriority, setPriority } from 'node:os';

/** A third of the processor time of a process of ours, where both want all of it. */
const NICENESS = 5;

/** Lets a process that works on an upload give way to those that answer. What the system does not allow is left out. */
export function giveWay({ pid }: Pick<ChildProcess, 'pid'>): void {
  try {
    if (pid !== undefined) setPriority(pid, Math.min(getPriority() + NICENESS, constants.priority.PRIORITY_LOW));
  } catch {
    // It has ended already, or this system has no priorities for us to set.
  }
}
