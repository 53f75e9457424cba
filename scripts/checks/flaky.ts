import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { failedByChance, MAX_RERUNS } from './chance.ts';
import type { FileReport, RunReport } from './report.ts';

/** One run of vitest. */
export interface TierRun {
  name: string;
  /** Whether a file that failed by chance is rerun once. */
  reruns: boolean;
  /** Whether vitest's exit code was 0. */
  ok: boolean;
  report: RunReport | undefined;
}

/** A file that failed by chance, and passed when it ran alone. */
export interface Flaky {
  tier: string;
  file: string;
  /** The errors of the first run. */
  output: string;
  /** Load average of the machine when the file failed. */
  load: number;
  /** ISO time. */
  at: string;
}

const MAX_OUTPUT = 4_000;

/**
 * Reruns each file that failed by chance once, alone, and replaces the report of the first run by the report of the
 * rerun. Returns the files that passed in the rerun. If more than MAX_RERUNS files failed, no file is rerun.
 */
export async function rerunChance(
  tiers: TierRun[],
  runAlone: (tier: TierRun, file: FileReport) => Promise<FileReport | undefined>,
  byChance: (file: FileReport) => boolean = failedByChance,
): Promise<Flaky[]> {
  const failed = tiers.flatMap((tier) =>
    (tier.report?.files ?? []).filter(({ state }) => state !== 'passed').map((file) => ({ tier, file })),
  );
  if (failed.length > MAX_RERUNS) return [];
  const flaky: Flaky[] = [];
  for (const { tier, file } of failed.filter(({ tier, file }) => tier.reruns && byChance(file))) {
    const second = await runAlone(tier, file);
    if (!second) continue;
    const { files } = tier.report!;
    files[files.indexOf(file)] = second;
    // This file's failure caused vitest's exit code.
    tier.ok = true;
    if (second.state !== 'passed') continue;
    const { load } = file;
    flaky.push({ tier: tier.name, file: file.file, output: outputOf(file), load, at: new Date().toISOString() });
  }
  return flaky;
}

/** The lines of a stack that name files of this repository. */
const ownFrames = (stack: string): string[] =>
  stack.split('\n').filter((line) => /^\s+at /.test(line) && !/node_modules|\(?node:|<anonymous>/.test(line));

/** The errors of a file with their titles, at most MAX_OUTPUT characters. */
function outputOf({ errors, tests }: FileReport): string {
  const titled = [
    ...errors.map((error) => ({ title: 'outside of tests', error })),
    ...tests.flatMap(({ title, errors: own }) => own.map((error) => ({ title, error }))),
  ];
  const text = titled
    .map(({ title, error }) => [title, error.message, ...ownFrames(error.stack)].join('\n'))
    .join('\n');
  return (text || 'its process ended').slice(0, MAX_OUTPUT);
}

/** Appends JSON lines to a report outside the clone in which the tests ran. */
export function appendFlaky(reportFile: string, flaky: Flaky[]): void {
  if (flaky.length === 0) return;
  mkdirSync(dirname(reportFile), { recursive: true });
  appendFileSync(reportFile, flaky.map((one) => `${JSON.stringify(one)}\n`).join(''));
}
