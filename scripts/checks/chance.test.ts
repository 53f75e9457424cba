import { expect, test } from 'vitest';
import { failedByChance } from './chance.ts';
import type { FileReport, ReportedError } from './report.ts';

const error = (message: string, name = 'Error'): ReportedError => ({ name, message, stack: '' });
const file = (errors: ReportedError[], more: Partial<FileReport> = {}): FileReport => ({
  file: '/repo/a.int.test.ts',
  project: 'int',
  state: 'failed',
  errors: [],
  tests: [{ title: 'sells', state: 'failed', errors }],
  load: 1,
  ...more,
});
const noProperty = () => false;
const byChance = (report: FileReport) => failedByChance(report, noProperty);

test.each([
  'Test timed out in 150000ms.',
  'Hook timed out in 60000ms.',
  'locator.waitFor: Timeout 60000ms exceeded.',
  'the mail was not met within 60000 ms; last: null',
  'fetch failed\ncaused by: ECONNREFUSED connect ECONNREFUSED 127.0.0.1:4000',
  'listen EADDRINUSE: address already in use 127.0.0.1:4000',
  'page.goto: net::ERR_CONNECTION_REFUSED at http://localhost:4000/',
  'Beltway ended while starting:',
  '[vitest-pool]: Worker forks emitted error.\ncaused by: Worker exited unexpectedly',
])('a timeout or a lost process, port or connection may be chance: %s', (message) => {
  expect(byChance(file([error(message)]))).toBe(true);
});

test('an assertion that was polled until its timeout may be chance', () => {
  const message = 'expected 1 to be 2\ncaused by: Matcher did not succeed in time.';
  expect(byChance(file([error(message, 'AssertionError')]))).toBe(true);
});

test('a failed assertion is never chance, whatever text it compares', () => {
  expect(byChance(file([error('expected "timed out" to be "paid"', 'AssertionError')]))).toBe(false);
  expect(byChance(file([error('Cannot read properties of undefined', 'TypeError')]))).toBe(false);
});

test('one failed assertion in a file makes the file’s timeouts count too', () => {
  const tests = [
    { title: 'sells', state: 'failed' as const, errors: [error('Test timed out in 150000ms.')] },
    { title: 'refunds', state: 'failed' as const, errors: [error('expected 1 to be 2', 'AssertionError')] },
  ];
  expect(byChance(file([], { tests }))).toBe(false);
});

test('an invariant, a property or a schedule is never chance, even if the test waited for it', () => {
  const waited = 'caused by: Matcher did not succeed in time.';
  expect(byChance(file([error(`{"invariant":"stock","ok":false}\n${waited}`)]))).toBe(false);
  expect(byChance(file([error(`Property failed after 3 tests { seed: 7 } Test timed out in 5000ms`)]))).toBe(false);
  expect(byChance(file([error('schedule 3 of seed 7: Connection terminated')]))).toBe(false);
  const tests = [{ title: 'all invariants hold', state: 'failed' as const, errors: [error('Test timed out in 5ms.')] }];
  expect(byChance(file([], { tests }))).toBe(false);
  expect(failedByChance(file([error('Test timed out in 5ms.')]), () => true)).toBe(false);
});

test('a hook that timed out or a process that ended fails a file without a failed test, by chance', () => {
  expect(byChance(file([], { errors: [error('Hook timed out in 60000ms.')], tests: [] }))).toBe(true);
  const tests = [{ title: 'sells', state: 'pending' as const, errors: [] }];
  expect(byChance(file([], { state: 'unfinished', tests }))).toBe(true);
  expect(byChance(file([], { errors: [error('Unexpected token', 'SyntaxError')], tests: [] }))).toBe(false);
});
