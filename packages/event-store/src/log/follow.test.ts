import { expect, test } from 'vitest';
import { pauseAfter } from './follow.ts';

test('events are handled five times a second under load, two and a half times when there are many', () =>
  expect([1, 499, 500, 4_000].map(pauseAfter)).toEqual([200, 200, 400, 400]));
