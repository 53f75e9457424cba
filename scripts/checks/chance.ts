import { readFileSync } from 'node:fs';
import type { FileReport, ReportedError } from './report.ts';

/** If more files than this number fail, chance is not the cause, and all of these files count as failed. */
export const MAX_RERUNS = 5;

const TIMED_OUT =
  /timed out|timeout \d+ ?ms exceeded|was not met within|was not ready within|\b[A-Z_]*TIMEOUT\b|ETIMEDOUT/i;
/** The cause in an `expect.poll` assertion that timed out. */
const POLLED = /^caused by: .*matcher did not succeed in time/im;
const INFRASTRUCTURE =
  /ECONNREFUSED|ECONNRESET|ECONNABORTED|EADDRINUSE|EPIPE|net::ERR_|socket hang up|connection terminated|connection closed|has been closed|ended while starting|worker exited|worker .* emitted error/i;
/** Matches the error of a violated guarantee, however long the test waited for the guarantee. */
const PROMISE = /invariant|property failed|schedule \d+ of seed|oversold|violation/i;

/** Whether a timeout or the machine caused the error and not a broken rule. In that case a rerun can decide. */
function isChance({ name, message }: ReportedError): boolean {
  if (PROMISE.test(message)) return false;
  if (POLLED.test(message)) return true;
  return name !== 'AssertionError' && (TIMED_OUT.test(message) || INFRASTRUCTURE.test(message));
}

/** Property and schedule tests print their seed and are never rerun, because a run with another seed could pass. */
const hasProperties = (file: string): boolean => readFileSync(file, 'utf8').includes("from 'fast-check'");

/**
 * Whether all failures of a file are timeouts or lost infrastructure, and no failure concerns an invariant or a
 * property.
 */
export function failedByChance({ file, errors, tests, state }: FileReport, isProperty = hasProperties): boolean {
  const failed = tests.filter((test) => test.state === 'failed');
  const all = [...errors, ...failed.flatMap((test) => test.errors)];
  // The file's process ended, for example because the process of another file ended.
  const hasEnded = state === 'unfinished' && all.length === 0;
  if (failed.some(({ title }) => PROMISE.test(title)) || isProperty(file)) return false;
  return hasEnded || (all.length > 0 && all.every(isChance));
}
