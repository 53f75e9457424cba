import { readFileSync } from 'node:fs';

export interface Counts {
  passed: number;
  failed: number;
}

interface Report {
  success: boolean;
  numPassedTests: number;
  numFailedTests: number;
  testResults: Array<{ name: string; status: string; assertionResults: Array<{ status: string; fullName: string }> }>;
}

/**
 * The counts of a vitest report. A file that could not even be loaded has no tests to count, and an error outside of all tests
 * belongs to none: each of them counts as one failure, and so does a run that left no report.
 */
export function countReport(report: Report | undefined, ok: boolean): Counts {
  if (!report) return { passed: 0, failed: 1 };
  const unloaded = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  );
  const failed = report.numFailedTests + unloaded.length;
  return { passed: report.numPassedTests, failed: failed === 0 && !(ok && report.success) ? 1 : failed };
}

/** Where each failure is: its file, and the name of the test unless the file could not be loaded. */
export function failuresOf(report: Report | undefined): string[] {
  return (report?.testResults ?? []).flatMap(({ name, status, assertionResults }) => {
    const tests = assertionResults.filter((test) => test.status === 'failed');
    if (tests.length > 0) return tests.map(({ fullName }) => `${name} > ${fullName}`);
    return status === 'failed' ? [name] : [];
  });
}

export function readReport(file: string): Report | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Report;
  } catch {
    return undefined;
  }
}
