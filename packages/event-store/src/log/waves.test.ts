import { expect, test } from 'vitest';
import { waves } from './waves.ts';

test('each stream has at most one event per wave, and its events keep their order', () => {
  const events = ['a1', 'b1', 'a2', 'c1', 'a3', 'b2'].map((name) => ({ stream: name[0]!, name }));
  expect(waves(events).map((wave) => wave.map(({ name }) => name))).toEqual([['a1', 'b1', 'c1'], ['a2', 'b2'], ['a3']]);
  expect(waves([])).toEqual([]);
});
