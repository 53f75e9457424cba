import { afterEach, expect, test, vi } from 'vitest';
import { playbackFixture } from '../../testing/fake-stream.ts';
import { liveStreamsQuery, playbackQuery } from './api.ts';

afterEach(() => vi.useRealTimers());

test.each([
  ['begins', { startTime: '2030-07-12T23:00:10.000Z', endTime: '2030-07-13T03:00:00.000Z' }],
  ['ends', { startTime: '2030-07-12T20:00:00.000Z', endTime: '2030-07-12T23:00:10.000Z' }],
])('a player polls within three seconds after its stream %s, otherwise every thirty seconds', (_, times) => {
  vi.useFakeTimers({ now: new Date('2030-07-12T23:00:00Z') });
  const pause = () => playbackQuery(7).refetchInterval({ state: { data: playbackFixture(times) } });
  expect(pause()).toBeGreaterThan(10_000);
  expect(pause()).toBeLessThan(13_000);
  vi.setSystemTime(new Date('2030-07-12T21:00:00Z'));
  expect(pause()).toBe(30_000);
  vi.setSystemTime(new Date('2030-07-14T00:00:00Z'));
  expect(pause()).toBe(30_000);
});

test('the page requests the list of streams every thirty seconds while it is empty or unknown', () => {
  expect(liveStreamsQuery().refetchInterval({ state: { data: undefined } })).toBe(30_000);
  expect(liveStreamsQuery().refetchInterval({ state: { data: [] } })).toBe(30_000);
});
