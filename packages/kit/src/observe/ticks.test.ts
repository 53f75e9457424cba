import { expect, test } from 'vitest';
import { keepTicks } from './ticks.ts';

test('a tick of Node is kept, the same for ever', () => {
  const tick = keepTicks();
  expect(tick).toMatchObject({ callback: expect.any(Function) });
  expect(keepTicks()).toBe(tick);
});
