import { expect, test } from 'vitest';
import { byProject, parseNarrowing } from './narrow.ts';

const files = [
  { file: '/repo/services/ticketing/src/sale/decider.test.ts', projectName: 'unit' },
  { file: '/repo/services/ticketing/test/holds.int.test.ts', projectName: 'int' },
  { file: '/repo/packages/kit/test/bus-kafka.int.test.ts', projectName: 'kafka' },
];
const texts: Record<string, string> = {
  [files[0]!.file]: "test('never sells a seat twice', () => {})",
  [files[1]!.file]: "test('holds end', () => {})",
  [files[2]!.file]: "test('never sells nothing', () => {})",
};
const narrow = (...args: string[]) => byProject(files, parseNarrowing(args)!, '/repo', (file) => texts[file]!);

test('without arguments all tests are selected', () => {
  expect(parseNarrowing([])).toBeUndefined();
});

test('parses paths and a name, in any order', () => {
  expect(parseNarrowing(['services/ticketing', './e2e'])).toEqual({ paths: ['services/ticketing', 'e2e'] });
  const both = { paths: ['services/ticketing'], name: 'never sells' };
  expect(parseNarrowing(['services/ticketing', '-t', 'never sells'])).toEqual(both);
  expect(parseNarrowing(['--testNamePattern=never sells', 'services/ticketing'])).toEqual(both);
});

test('refuses an unknown option, and a name that is not a regular expression', () => {
  expect(() => parseNarrowing(['--watch'])).toThrow("Unknown option '--watch'");
  expect(() => parseNarrowing(['-t', ''])).toThrow('-t needs');
  expect(() => parseNarrowing(['-t'])).toThrow('argument missing');
  expect(() => parseNarrowing(['-t', '('])).toThrow('Invalid regular expression');
});

test('a path selects only projects with matching files', () => {
  expect([...narrow('services/ticketing').keys()]).toEqual(['unit', 'int']);
  expect(narrow('services/nothing').size).toBe(0);
});

test('a name without a path selects the files that contain the name', () => {
  expect(narrow('-t', 'never sells')).toEqual(
    new Map([
      ['unit', ['services/ticketing/src/sale/decider.test.ts']],
      ['kafka', ['packages/kit/test/bus-kafka.int.test.ts']],
    ]),
  );
});

test('a path with a name selects all files of the path, because titles may be computed', () => {
  expect([...narrow('services/ticketing', '-t', 'nobody').keys()]).toEqual(['unit', 'int']);
});
