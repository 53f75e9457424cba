import { expect, test } from 'vitest';
import { broadcastFixture } from '../../../testing/fake-stream.ts';
import { broadcastQuery } from './api.ts';

test('the studio polls every 5 seconds while live, and for a minute until a new stream appears', () => {
  const pause = (data: ReturnType<typeof broadcastFixture> | undefined, errorUpdateCount = 0) =>
    broadcastQuery(7).refetchInterval({ state: { data, errorUpdateCount } });
  expect(pause(broadcastFixture({ status: 'live' }))).toBe(5_000);
  expect(pause(broadcastFixture(), 99)).toBe(10_000);
  expect(pause(undefined, 1)).toBe(5_000);
  expect(pause(undefined, 12)).toBe(false);
});
