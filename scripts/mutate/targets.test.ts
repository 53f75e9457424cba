import { expect, test } from 'vitest';
import { selectTargets } from './targets.ts';

const files = [
  'packages/event-store/src/stream/retry.ts',
  'packages/event-store/src/testing.ts',
  'packages/kit/src/bus/consume.ts',
  'packages/kit/src/http/problems.ts',
  'services/catalog/src/consumers.ts',
  'services/catalog/src/generated/types.ts',
  'services/identity/src/engagement/challenge/decider.ts',
  'services/ticketing/src/sale/decider.ts',
  'services/ticketing/src/sale/decider.test.ts',
  'services/ticketing/src/sale/routes.ts',
  'services/ticketing/test/support.ts',
];
const select = (...paths: string[]) => selectTargets(files, paths).map(({ file }) => file);

test('without a path, the rules of money and tickets are mutated', () => {
  expect(select()).toEqual([
    'packages/event-store/src/stream/retry.ts',
    'packages/kit/src/bus/consume.ts',
    'services/catalog/src/consumers.ts',
    'services/identity/src/engagement/challenge/decider.ts',
    'services/ticketing/src/sale/decider.ts',
  ]);
});

test('a path selects any source file, but no test', () => {
  expect(select('./services/ticketing')).toEqual([
    'services/ticketing/src/sale/decider.ts',
    'services/ticketing/src/sale/routes.ts',
  ]);
  expect(() => select('generated')).toThrow('No source file has generated in its path');
});

test('a path may end with line numbers', () => {
  expect(selectTargets(files, ['sale/decider.ts:10-20', 'sale/routes.ts', 'sale/decider.ts:7'])).toEqual([
    {
      file: 'services/ticketing/src/sale/decider.ts',
      lines: [
        [10, 20],
        [7, 7],
      ],
      within: 'services/ticketing',
    },
    { file: 'services/ticketing/src/sale/routes.ts', lines: [], within: 'services/ticketing' },
  ]);
});
