import { expect, test } from 'vitest';
import { keepNextTickFast } from './next-tick.ts';

test('one tick object of Node is kept for as long as the process lives', () => {
  const tick = keepNextTickFast();
  expect(tick).toMatchObject({ callback: expect.any(Function) });
  expect(keepNextTickFast()).toBe(tick);
});
