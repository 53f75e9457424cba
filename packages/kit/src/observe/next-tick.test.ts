import { expect, test } from 'vitest';
import { keepNextTickFast } from './next-tick.ts';

test('one tick object of Node is kept for the life of the process', () => {
  const tick = keepNextTickFast();
  expect(tick).toMatchObject({ callback: expect.any(Function) });
  expect(keepNextTickFast()).toBe(tick);
});
