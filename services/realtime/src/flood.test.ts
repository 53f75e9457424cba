import { expect, test } from 'vitest';
import { packetBudget } from './flood.ts';

test('allows the rate of a normal page', () => {
  let now = 0;
  const within = packetBudget(() => now);
  for (let second = 0; second < 60; second++, now += 1_000)
    for (let packet = 0; packet < 20; packet++) expect(within()).toBe(true);
});

test('stops a flood, and allows packets again once it calms down', () => {
  let now = 0;
  const within = packetBudget(() => now);
  expect(Array.from({ length: 61 }, within).filter(Boolean)).toHaveLength(60);
  now += 1_100;
  expect(within()).toBe(true);
});
