import { expect, test } from 'vitest';
import { crowd } from './crowd.ts';

test('the oldest entry of the sender with the most entries is evicted', () => {
  const all = crowd<string>();
  all.set('small', 'a');
  for (const one of ['b1', 'b2', 'b3']) all.set(one, 'b');
  expect(all.oldestOfMost()).toBe('b1');
  all.remove('b1');
  expect(all.oldestOfMost()).toBe('b2');
  all.remove('b2');
  // Both senders have one entry now, and the entry of `a` is older.
  expect(all.oldestOfMost()).toBe('small');
});

test('a larger entry weighs more, and growth does not make it younger', () => {
  const all = crowd<string>();
  all.set('a1', 'a', 5);
  all.set('a2', 'a', 1);
  all.set('b1', 'b', 7);
  expect([all.weight(), all.weight('a'), all.weight('b'), all.weight('nobody')]).toEqual([13, 6, 7, 0]);
  expect(all.oldestOfMost()).toBe('b1');
  all.set('a1', 'a', 8);
  expect([all.weight(), all.oldestOfMost(), all.oldestOf('a')]).toEqual([16, 'a1', 'a1']);
  expect([...all.of('a')]).toEqual(['a1', 'a2']);
});

test('a removed entry weighs nothing', () => {
  const all = crowd<string>();
  all.set('a1', 'a', 5);
  expect([all.has('a1'), all.remove('a1'), all.has('a1'), all.remove('a1')]).toEqual([true, true, false, false]);
  expect([all.weight(), all.oldestOfMost(), all.oldestOf('a'), [...all.of('a')]]).toEqual([
    0,
    undefined,
    undefined,
    [],
  ]);
});
