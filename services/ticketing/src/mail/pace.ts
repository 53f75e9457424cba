import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';

const SAMPLE_MS = 20;
/** Below, the process has time for mail; above, it is busy. Between, mail rests the longer the more it has to do. */
const [IDLE, BUSY] = [0.2, 0.5];
/** While people are served, mail has a thirtieth of the time. */
const REST_PER_WORK = 29;
const MAX_REST_MS = 1_000;

/** How much of the next 20 ms the process was at work. */
async function utilization(): Promise<number> {
  const before = performance.eventLoopUtilization();
  await pause(SAMPLE_MS);
  return performance.eventLoopUtilization(before).utilization;
}

/** How long mail rests after so much work, in a process that is so busy (0 to 1) with something else. */
export const restAfter = (workedMs: number, utilization: number): number => {
  const share = Math.min(Math.max((utilization - IDLE) / (BUSY - IDLE), 0), 1);
  return Math.min(workedMs * REST_PER_WORK * share, MAX_REST_MS);
};

/**
 * A mail with its codes and its PDF takes many milliseconds of the machine that sells. While the process is busy with
 * requests, sending rests after each mail: buyers get their tickets first, and mails follow as the load falls.
 */
export async function restWhileBusy(workedMs: number): Promise<void> {
  const rest = restAfter(workedMs, await utilization());
  if (rest > 0) await pause(rest);
}
