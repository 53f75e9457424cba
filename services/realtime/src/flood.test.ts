import { expect, test } from 'vitest';
import { packetBudget } from './flood.ts';

test('lets a page say what it has to say', () => {
  let now = 0;
  const within = packetBudget(() => now);
  for (let second = 0; second < 60; second++, now += 1_000)
    for (let packet = 0; packet < 20; packet++) expect(within()).toBe(true);
});

test('stops a flood, and lets go of it when it calms down', () => {
  let now = 0;
  const within = packetBudget(() => now);
  expect(Array.from({ length: 61 }, within).filter(Boolean)).toHaveLength(60);
  now += 1_100;
  expect(within()).toBe(true);
});
