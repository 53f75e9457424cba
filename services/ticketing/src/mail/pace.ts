import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';

const LOOK_MS = 20;
const BUSY = 0.5;
/** While people are served, mail has a thirtieth of the time. */
const REST_PER_WORK = 29;
const LONGEST_REST_MS = 1_000;

/** How much of the next 20 ms the process was at work. */
async function utilization(): Promise<number> {
  const before = performance.eventLoopUtilization();
  await pause(LOOK_MS);
  return performance.eventLoopUtilization(before).utilization;
}

/**
 * A letter with its codes and its PDF is many milliseconds of work, in the process that sells. After each it looks whether the
 * process is busy with something else, and then rests: a crowd gets its tickets first, and its mail as the crowd thins out.
 */
export async function giveWay(workedMs: number, busy: () => Promise<number> = utilization): Promise<void> {
  if ((await busy()) > BUSY) await pause(Math.min(workedMs * REST_PER_WORK, LONGEST_REST_MS));
}
