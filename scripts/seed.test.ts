import { livestreamCategoryOf, LivestreamCategory } from '@beltway/contracts/catalog/livestream';
import { endOf, startOf } from '@beltway/contracts/common/times';
import { describe, expect, test } from 'vitest';
import { sampleStreams } from './demo/streams.ts';
import { dayOf, hoursFromNow, hoursOf } from './seed.ts';

test.each([
  ['2026-11-22T03:59:00Z', 0, '2026-11-21'], // 22:59 in the region
  ['2026-11-22T04:01:00Z', 0, '2026-11-22'], // 23:01: tonight's events end within the hour
  ['2026-11-22T05:01:00Z', 0, '2026-11-22'],
  ['2026-07-04T02:30:00Z', 2, '2026-07-05'],
  ['2026-07-04T03:30:00Z', 2, '2026-07-06'],
])('at %s the sample events of day %d are on %s', (now, inDays, day) => {
  const date = new Date(dayOf(inDays, new Date(now)));
  expect(new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format(date)).toBe(day);
});

describe('the hours of tonight’s sample events', () => {
  const hours = (start: string, end: string, now: string) => {
    const { eventDate, eventStartTime, eventEndTime } = hoursOf({ inDays: 0, start, end }, new Date(now));
    expect(startOf({ eventDate, eventStartTime }) > new Date(now)).toBe(true);
    return `${eventStartTime} ${eventEndTime}`;
  };
  test('are unchanged before the events begin', () =>
    expect(hours('18:00', '21:00', '2026-11-21T17:00:00Z')).toBe('18:00 21:00'));
  test('begin a little later than now if the evening has begun', () => {
    expect(hours('18:00', '21:00', '2026-11-21T23:05:00Z')).toBe('18:30 21:00'); // 18:05
    expect(hours('18:00', '21:00', '2026-11-21T23:20:00Z')).toBe('19:00 21:00');
    expect(hours('22:00', '03:00', '2026-11-22T03:40:00Z')).toBe('23:00 03:00');
    expect(hours('18:00', '21:00', '2026-11-22T03:59:59Z')).toBe('23:30 '); // 22:59:59
  });
  test('are tomorrow’s hours from 23:00 on', () =>
    expect(hours('18:00', '21:00', '2026-11-22T04:00:00Z')).toBe('18:00 21:00'));
});

test('there is a sample live stream for each kind of place, determined by its location', () => {
  const categories = sampleStreams.map(({ category }) => category);
  expect(categories.toSorted()).toEqual(LivestreamCategory.options.toSorted());
  for (const { location, category, description } of sampleStreams) {
    expect(livestreamCategoryOf(location)).toBe(category);
    expect(description).toContain('Made up for the demo');
  }
});

test.each([
  '2026-11-21T16:05:00Z',
  '2026-11-22T03:59:59Z', // 22:59 in the region
  '2026-11-22T04:44:00Z', // 23:44: the event is tomorrow's
  '2026-11-22T05:00:00Z',
  '2026-03-08T06:30:00Z', // the night that is an hour shorter
  '2027-11-07T05:10:00Z', // the night that is an hour longer
  '2027-11-07T05:50:00Z',
  '2027-11-07T06:29:00Z',
])('at %s the event of a sample live stream begins soon, and lasts for half a day', (now) => {
  const at = new Date(now);
  const hours = hoursFromNow(12, at);
  const begins = startOf(hours).getTime() - at.getTime();
  expect(begins).toBeGreaterThanOrEqual(15 * 60_000);
  expect(begins).toBeLessThanOrEqual(now.startsWith('2027-11-07') ? 2 * 3_600_000 : 3_600_000);
  expect(endOf(hours).getTime() - startOf(hours).getTime()).toBe(12 * 3_600_000);
});
