import { readFileSync } from 'node:fs';
import type { FileReport, ReportedError } from './report.ts';

/** More failed files than this are not chance, and all of them count. */
export const MAX_RERUNS = 5;

const TIMED_OUT =
  /timed out|timeout \d+ ?ms exceeded|was not met within|was not ready within|\b[A-Z_]*TIMEOUT\b|ETIMEDOUT/i;
/** How `expect.poll` ends an assertion that it waited for. */
const POLLED = /^caused by: .*matcher did not succeed in time/im;
const INFRASTRUCTURE =
  /ECONNREFUSED|ECONNRESET|ECONNABORTED|EADDRINUSE|EPIPE|net::ERR_|socket hang up|connection terminated|connection closed|has been closed|ended while starting|worker exited|worker .* emitted error/i;
/** Says that a promise was broken, however long the test waited before it said so. */
const PROMISE = /invariant|property failed|schedule \d+ of seed|oversold|violation/i;

/** Whether waiting or the machine failed, and no rule: a rerun may tell. */
function isChance({ name, message }: ReportedError): boolean {
  if (PROMISE.test(message)) return false;
  if (POLLED.test(message)) return true;
  return name !== 'AssertionError' && (TIMED_OUT.test(message) || INFRASTRUCTURE.test(message));
}

/** Properties and schedules print their seed and are never run again: another seed would pass. */
const hasProperties = (file: string): boolean => readFileSync(file, 'utf8').includes("from 'fast-check'");

/** Whether all that failed in a file timed out or lost its infrastructure, and none of it was about an invariant or a property. */
export function failedByChance({ file, errors, tests, state }: FileReport, isProperty = hasProperties): boolean {
  const failed = tests.filter((test) => test.state === 'failed');
  const all = [...errors, ...failed.flatMap((test) => test.errors)];
  // Its process ended, for instance with that of another file.
  const hasEnded = state === 'unfinished' && all.length === 0;
  if (failed.some(({ title }) => PROMISE.test(title)) || isProperty(file)) return false;
  return hasEnded || (all.length > 0 && all.every(isChance));
}
