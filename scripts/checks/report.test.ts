import { expect, test } from 'vitest';
import { countReport, failuresOf, type FileReport } from './report.ts';

const of = (state: FileReport['state'], ...states: FileReport['tests'][number]['state'][]): FileReport => ({
  file: `${state}.test.ts`,
  project: 'unit',
  state,
  errors: [],
  tests: states.map((one, place) => ({ title: `test ${place + 1}`, state: one, errors: [] })),
  load: 1,
});
const run = (...files: FileReport[]) => ({ files, unhandled: [] });

test('counts passed and failed tests', () => {
  expect(countReport(run(of('passed', 'passed', 'passed', 'skipped')), true)).toEqual({ passed: 2, failed: 0 });
  expect(countReport(run(of('failed', 'passed', 'failed', 'failed')), false)).toEqual({ passed: 1, failed: 2 });
});

test('a file that does not load, or whose process ended, is a failure', () => {
  expect(countReport(run(of('passed', 'passed'), of('failed')), false)).toEqual({ passed: 1, failed: 1 });
  expect(countReport(run(of('unfinished', 'passed', 'pending')), false)).toEqual({ passed: 1, failed: 1 });
});

test('an unhandled error, a run that fails for another reason, and a run without a report count as failures', () => {
  const unhandled = [{ name: 'Error', message: 'late', stack: '' }];
  expect(countReport({ files: [of('passed', 'passed')], unhandled }, false)).toEqual({ passed: 1, failed: 1 });
  expect(countReport(run(of('passed', 'passed')), false)).toEqual({ passed: 1, failed: 1 });
  expect(countReport(undefined, true)).toEqual({ passed: 0, failed: 1 });
});

test('failures are listed by file and test; a file that does not load is listed without a test', () => {
  expect(failuresOf(run(of('failed', 'passed', 'failed'), of('failed'), of('passed', 'passed')))).toEqual([
    'failed.test.ts > test 2',
    'failed.test.ts',
  ]);
  expect(failuresOf(undefined)).toEqual([]);
});
