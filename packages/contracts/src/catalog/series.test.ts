import { expect, test } from 'vitest';
import { MOST_DATES, Repeat, daysOf, isLastOf, nthOf } from './series.ts';
import { instantOf, startOf } from '../common/times.ts';

test('a weekly series continues into the next year', () =>
  expect(daysOf('2026-12-18', { every: 'week', count: 4 })).toEqual([
    '2026-12-18',
    '2026-12-25',
    '2027-01-01',
    '2027-01-08',
  ]));

test('a monthly series by day skips months without that day', () => {
  expect(daysOf('2027-01-31', { every: 'month', by: 'day', count: 4 })).toEqual([
    '2027-01-31',
    '2027-03-31',
    '2027-05-31',
    '2027-07-31',
  ]);
  expect(daysOf('2027-11-30', { every: 'month', by: 'day', count: 4 })).toEqual([
    '2027-11-30',
    '2027-12-30',
    '2028-01-30',
    '2028-03-30',
  ]);
  expect(daysOf('2028-02-29', { every: 'month', by: 'day', count: 2 })).toEqual(['2028-02-29', '2028-03-29']);
});

test('a monthly series by weekday skips months without a fifth such weekday', () => {
  expect(daysOf('2026-12-11', { every: 'month', by: 'weekday', count: 3 })).toEqual([
    '2026-12-11',
    '2027-01-08',
    '2027-02-12',
  ]);
  expect(daysOf('2027-01-29', { every: 'month', by: 'weekday', count: 3 })).toEqual([
    '2027-01-29',
    '2027-04-30',
    '2027-07-30',
  ]);
});

test('a monthly series by last weekday is right in leap years', () =>
  expect(daysOf('2028-01-29', { every: 'month', by: 'last-weekday', count: 3 })).toEqual([
    '2028-01-29',
    '2028-02-26',
    '2028-03-25',
  ]));

test('a list of days is sorted and without duplicates', () =>
  expect(
    daysOf('2027-01-05', { every: 'date', dates: ['2027-03-01', '2027-01-01', '2027-01-05', '2027-03-01'] }),
  ).toEqual(['2027-01-01', '2027-01-05', '2027-03-01']));

test('counts a day among the same weekdays of its month', () => {
  expect([nthOf('2026-12-07'), nthOf('2026-12-08'), nthOf('2026-12-29')]).toEqual([1, 2, 5]);
  expect([isLastOf('2026-12-24'), isLastOf('2026-12-25'), isLastOf('2027-02-22')]).toEqual([false, true, true]);
});

test('the longest series terminates with real days in order', () => {
  for (const by of ['day', 'weekday', 'last-weekday'] as const)
    for (const first of ['2026-12-31', '2028-02-29', '2027-05-31']) {
      const days = daysOf(first, { every: 'month', by, count: MOST_DATES });
      expect(days).toHaveLength(MOST_DATES);
      expect(days).toEqual([...new Set(days)].sort());
      for (const day of days) expect(new Date(`${day}T00:00:00Z`).toISOString().slice(0, 10)).toBe(day);
    }
});

test('each date keeps the local time in New York across both clock changes', () => {
  const clocks = (first: string) =>
    daysOf(first, { every: 'week', count: 3 }).map((day) =>
      startOf({ eventDate: instantOf(day).toISOString(), eventStartTime: '19:00' }).toISOString(),
    );
  // Summer time begins on March 14, 2027, and ends on November 7.
  expect(clocks('2027-03-06')).toEqual([
    '2027-03-07T00:00:00.000Z',
    '2027-03-14T00:00:00.000Z',
    '2027-03-20T23:00:00.000Z',
  ]);
  expect(clocks('2027-10-31')).toEqual([
    '2027-10-31T23:00:00.000Z',
    '2027-11-08T00:00:00.000Z',
    '2027-11-15T00:00:00.000Z',
  ]);
});

test.each([
  { every: 'week', count: 1 },
  { every: 'week', count: 53 },
  { every: 'week', count: 1e9 },
  { every: 'week', count: 2.5 },
  { every: 'month', by: 'moon', count: 3 },
  { every: 'date', dates: [] },
  { every: 'date', dates: Array.from({ length: 52 }, () => '2027-01-01') },
  { every: 'date', dates: ['2027-02-30'] },
  { every: 'date', dates: ['tomorrow'] },
  { every: 'second' },
])('refuses %j', (repeat) => expect(Repeat.safeParse(repeat).success).toBe(false));
