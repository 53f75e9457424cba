import { expect, test } from 'vitest';
import { countReport, failuresOf } from './count.ts';

const report = { success: true, numPassedTests: 3, numFailedTests: 0, testResults: [] };

test('counts what passed and what failed', () => {
  expect(countReport(report, true)).toEqual({ passed: 3, failed: 0 });
  expect(countReport({ ...report, success: false, numFailedTests: 2 }, false)).toEqual({ passed: 3, failed: 2 });
});

test('a file that does not load is a failure', () => {
  const testResults = [{ name: 'a.test.ts', status: 'failed', assertionResults: [] }];
  expect(countReport({ ...report, success: false, testResults }, false)).toEqual({ passed: 3, failed: 1 });
});

test('a run that fails for another reason, or leaves no report, is a failure', () => {
  expect(countReport(report, false)).toEqual({ passed: 3, failed: 1 });
  expect(countReport(undefined, true)).toEqual({ passed: 0, failed: 1 });
});

test('failures are named by file and test, a file that does not load by itself', () => {
  const assertionResults = [
    { status: 'passed', fullName: 'sells' },
    { status: 'failed', fullName: 'never sells twice' },
  ];
  const testResults = [
    { name: 'a.test.ts', status: 'failed', assertionResults },
    { name: 'b.test.ts', status: 'failed', assertionResults: [] },
    { name: 'c.test.ts', status: 'passed', assertionResults: [] },
  ];
  expect(failuresOf({ ...report, testResults })).toEqual(['a.test.ts > never sells twice', 'b.test.ts']);
  expect(failuresOf(undefined)).toEqual([]);
});
