import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';

const SAMPLE_MS = 20;
/**
 * Two values of the utilization of the process. Below the first value the mail worker does not pause. Above the second
 * value its pause is longest. Between the two values the pause grows.
 */
const [IDLE, BUSY] = [0.2, 0.5];
/** While the process is busy with requests, mails get a thirtieth of the time. */
const REST_PER_WORK = 29;
const MAX_REST_MS = 1_000;

/** Measures the share of the next 20 ms in which the process is busy. */
async function utilization(): Promise<number> {
  const before = performance.eventLoopUtilization();
  await pause(SAMPLE_MS);
  return performance.eventLoopUtilization(before).utilization;
}

/** How long the mail worker pauses after `workedMs` of work, for this utilization (0 to 1) of the process. */
export const restAfter = (workedMs: number, utilization: number): number => {
  const share = Math.min(Math.max((utilization - IDLE) / (BUSY - IDLE), 0), 1);
  return Math.min(workedMs * REST_PER_WORK * share, MAX_REST_MS);
};

/**
 * Pauses the worker after a mail while the process is busy with requests. Making a mail with QR codes and a PDF takes
 * many milliseconds of CPU time of the machine that also sells. So purchases come first, and mails follow when the load
 * falls.
 */
export async function restWhileBusy(workedMs: number): Promise<void> {
  const rest = restAfter(workedMs, await utilization());
  if (rest > 0) await pause(rest);
}
