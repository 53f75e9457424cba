import { expect, test } from 'vitest';
import { pauseAfter } from './follow.ts';

test('under load, events are handled five times a second, and half as often after a large batch', () =>
  expect([1, 499, 500, 4_000].map(pauseAfter)).toEqual([200, 200, 400, 400]));
