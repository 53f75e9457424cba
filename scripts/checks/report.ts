import { readFileSync } from 'node:fs';

/** An error of a test, a hook or a file. */
export interface ReportedError {
  name: string;
  /** The error's message, then the messages of the error's causes. */
  message: string;
  stack: string;
}

export interface FileReport {
  /** Absolute path. */
  file: string;
  project: string;
  /** `unfinished`: the file's process ended before all tests had run. */
  state: 'passed' | 'failed' | 'unfinished';
  /**
   * Errors outside of tests: in loading the file, in hooks, and unhandled errors that vitest attributes to the file.
   */
  errors: ReportedError[];
  tests: Array<{ title: string; state: 'passed' | 'failed' | 'skipped' | 'pending'; errors: ReportedError[] }>;
  /** The machine's load average of the last minute when the file ended. */
  load: number;
}

/** The report of reporter.ts about one run of vitest. */
export interface RunReport {
  files: FileReport[];
  /** Errors that vitest attributes to no file. */
  unhandled: ReportedError[];
}

export interface Counts {
  passed: number;
  failed: number;
}

/** Reads a run's report; undefined if the run ended before it wrote one. */
export function readReport(file: string): RunReport | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as RunReport;
  } catch {
    return undefined;
  }
}

/** Failed tests, or 1 for a file that failed outside of its tests. */
const failuresIn = ({ state, tests }: FileReport): number =>
  state === 'passed' ? 0 : Math.max(1, tests.filter((one) => one.state === 'failed').length);

/**
 * Counts the tests of a run. An error outside of all files counts as one failure. A run that left no report, or that
 * failed without a reported failure (`ok` is false), also counts as one failure.
 */
export function countReport(report: RunReport | undefined, ok: boolean): Counts {
  if (!report) return { passed: 0, failed: 1 };
  const passed = report.files.flatMap(({ tests }) => tests).filter(({ state }) => state === 'passed').length;
  const failed = report.files.reduce((sum, file) => sum + failuresIn(file), report.unhandled.length);
  return { passed, failed: failed === 0 && !ok ? 1 : failed };
}

/** `path > title` of each failed test, and the path of a file that failed outside of its tests. */
export function failuresOf(report: RunReport | undefined): string[] {
  return (report?.files ?? [])
    .filter(({ state }) => state !== 'passed')
    .flatMap(({ file, tests }) => {
      const failed = tests.filter(({ state }) => state === 'failed');
      return failed.length > 0 ? failed.map(({ title }) => `${file} > ${title}`) : [file];
    });
}
