import { expect, test } from 'vitest';
import { restAfter } from './follow.ts';

test('the larger the crowd, the rarer it is told of: five times a second, then two and a half', () =>
  expect([1, 499, 500, 4_000].map(restAfter)).toEqual([200, 200, 400, 400]));
