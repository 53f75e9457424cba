import { expect, test } from 'vitest';
import { backoff } from './backoff.ts';

test('pauses double up to the maximum, after any number of failures', () => {
  const pauseAfter = backoff(100, 2_000);
  expect([1, 2, 3, 4, 5, 6, 7, 5_000].map(pauseAfter)).toEqual([100, 200, 400, 800, 1_600, 2_000, 2_000, 2_000]);
});
