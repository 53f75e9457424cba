import { expect, test } from 'vitest';
import { livestreamCategoryOf } from './livestream.ts';
import { LivestreamConfig, livestreamFault } from './livestream-config.ts';

const config = {
  ...{ startTime: '2026-12-05T19:00:00-05:00', endTime: '2026-12-05T22:00:00-05:00', maxViewers: 500 },
  ...{ chatEnabled: true, recordingEnabled: false },
};
const pathsOf = (changes: object) =>
  LivestreamConfig.safeParse({ ...config, ...changes }).error?.issues.map(({ path }) => path.join('.'));

test('times are stored in UTC', () => {
  expect(LivestreamConfig.parse(config)).toMatchObject({ startTime: '2026-12-06T00:00:00.000Z' });
});

test.each([
  [{ startTime: '2026-12-05T19:00' }, ['startTime']],
  [{ startTime: '' }, ['startTime']],
  [{ endTime: config.startTime }, ['endTime']],
  [{ endTime: '2026-12-06T07:00:00.001-05:00' }, ['endTime']],
  [{ endTime: '2026-12-06T07:00:00-05:00' }, undefined],
  [{ maxViewers: 0 }, ['maxViewers']],
  [{ maxViewers: 1.5 }, ['maxViewers']],
  [{ maxViewers: 10_001 }, ['maxViewers']],
  [{ maxViewers: Number.NaN }, ['maxViewers']],
  [{ recordingEnabled: 'no' }, ['recordingEnabled']],
])('names the invalid fields of %o', (changes, paths) => expect(pathsOf(changes)).toEqual(paths));

test('a live stream must be in the future and within the hours of its event', () => {
  const event = { startsAt: new Date('2026-12-06T00:00:00Z'), endsAt: new Date('2026-12-06T03:00:00Z') };
  const fault = (startTime: string, endTime: string, now = '2026-12-01T00:00:00Z') =>
    livestreamFault({ startTime, endTime }, event, new Date(now))?.field ?? null;
  expect(fault('2026-12-05T22:00:00Z', '2026-12-06T00:00:01Z')).toBeNull();
  expect(fault('2026-12-06T02:59:59Z', '2026-12-06T09:00:00Z')).toBeNull();
  expect(fault('2026-12-06T03:00:00Z', '2026-12-06T04:00:00Z')).toBe('startTime');
  expect(fault('2026-12-05T22:00:00Z', '2026-12-06T00:00:00Z')).toBe('endTime');
  expect(fault('2026-12-06T00:00:00Z', '2026-12-06T03:00:00Z', '2026-12-06T00:00:00Z')).toBe('startTime');
});

test.each([
  ['The Wharf, DC', 'Waterfront'],
  ['National Harbor, MD', 'Waterfront Resort'],
  ['Lincoln Memorial', 'Landmark'],
  ['US Capitol grounds', 'Government'],
  ['Dupont Circle', 'Street Views'],
  ['U Street, Washington, DC', 'Entertainment District'],
])('%s is %s', (location, category) => expect(livestreamCategoryOf(location)).toBe(category));
