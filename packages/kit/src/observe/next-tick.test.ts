import { expect, test } from 'vitest';
import { keepNextTickFast } from './next-tick.ts';

test('a tick of Node is kept, the same for ever', () => {
  const tick = keepNextTickFast();
  expect(tick).toMatchObject({ callback: expect.any(Function) });
  expect(keepNextTickFast()).toBe(tick);
});
