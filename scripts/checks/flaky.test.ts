import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { appendFlaky, rerunChance, type TierRun } from './flaky.ts';
import { countReport, type FileReport } from './report.ts';

const of = (file: string, state: FileReport['state'], message = 'Test timed out in 5ms.'): FileReport => ({
  file,
  project: 'int',
  state,
  errors: [],
  tests: [
    {
      title: 'sells',
      state: state === 'passed' ? 'passed' : 'failed',
      errors:
        state === 'passed'
          ? []
          : [{ name: 'Error', message, stack: 'Error: late\n    at a.ts:1\n    at node_modules/b.js:2' }],
    },
  ],
  load: 3.5,
});
const tier = (reruns: boolean, ...files: FileReport[]): TierRun => ({
  name: 'int',
  reruns,
  ok: files.every(({ state }) => state === 'passed'),
  report: { files, unhandled: [] },
});
const byChance = ({ tests }: FileReport) => tests.some(({ errors }) => /timed out/.test(errors[0]?.message ?? ''));
const failures = ({ report, ok }: TierRun) => countReport(report, ok).failed;

test('a file that passes alone lets the run pass and is reported as flaky, with output and load', async () => {
  const run = tier(true, of('a', 'passed'), of('b', 'failed'));
  const flaky = await rerunChance([run], () => Promise.resolve(of('b', 'passed')), byChance);
  expect(flaky).toMatchObject([{ tier: 'int', file: 'b', load: 3.5 }]);
  expect(flaky[0]!.output).toBe('sells\nTest timed out in 5ms.\n    at a.ts:1');
  expect(failures(run)).toBe(0);
});

test('a file that fails again fails the run', async () => {
  const run = tier(true, of('b', 'failed'));
  expect(await rerunChance([run], () => Promise.resolve(of('b', 'failed')), byChance)).toEqual([]);
  expect(failures(run)).toBe(1);
});

test('a failed rule, a unit test, or a rerun without a report fails the run', async () => {
  const again: string[] = [];
  const runAlone = (_tier: TierRun, { file }: FileReport) => {
    again.push(file);
    return Promise.resolve(undefined);
  };
  const runs = [
    tier(true, of('rule', 'failed', 'expected 1 to be 2')),
    tier(false, of('unit', 'failed')),
    tier(true, of('lost', 'failed')),
  ];
  expect(await rerunChance(runs, runAlone, byChance)).toEqual([]);
  expect(again).toEqual(['lost']);
  expect(runs.map(failures)).toEqual([1, 1, 1]);
});

test('if six files failed, chance is not the cause, and no file is rerun', async () => {
  const run = tier(true, ...['a', 'b', 'c', 'd', 'e', 'f'].map((name) => of(name, 'failed')));
  expect(await rerunChance([run], ({ report }) => Promise.resolve(report!.files[0]), byChance)).toEqual([]);
  expect(failures(run)).toBe(6);
});

test('the report grows by one line per flaky file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'flaky-'));
  const file = join(folder, 'kept', 'flaky.jsonl');
  const one = { tier: 'int', file: 'a', output: 'timed out', load: 1, at: '2026-11-28T00:00:00.000Z' };
  appendFlaky(file, [one]);
  appendFlaky(file, []);
  appendFlaky(file, [one]);
  expect(readFileSync(file, 'utf8')).toBe(`${JSON.stringify(one)}\n`.repeat(2));
  rmSync(folder, { recursive: true });
});
