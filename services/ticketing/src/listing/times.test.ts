import { expect, test } from 'vitest';
import { eventTimes, spokenTime } from './times.ts';

const times = (eventDate: string, eventStartTime: string, eventEndTime: string | null = null) => {
  const { start, end } = eventTimes({ eventDate: new Date(eventDate), eventStartTime, eventEndTime });
  return [start.toISOString(), end.toISOString()];
};

test('the clocks of the region count, in winter and in summer', () => {
  expect(times('2026-11-28T05:00:00.000Z', '19:00', '23:00')).toEqual([
    '2026-11-29T00:00:00.000Z',
    '2026-11-29T04:00:00.000Z',
  ]);
  expect(times('2026-07-12T04:00:00.000Z', '19:00', '23:00')).toEqual([
    '2026-07-12T23:00:00.000Z',
    '2026-07-13T03:00:00.000Z',
  ]);
});
test('a bare date, which arrives as midnight UTC, means that very day', () =>
  expect(times('2026-11-28T00:00:00.000Z', '19:00')[0]).toBe('2026-11-29T00:00:00.000Z'));
test('an end before the start is on the next day', () =>
  expect(times('2026-07-12T04:00:00.000Z', '22:00', '03:00')[1]).toBe('2026-07-13T07:00:00.000Z'));
test('without an end it takes three hours', () =>
  expect(times('2026-07-12T04:00:00.000Z', '19:00')[1]).toBe('2026-07-13T02:00:00.000Z'));
test('the nights when the clocks change', () => {
  expect(times('2026-03-08T05:00:00.000Z', '19:00')[0]).toBe('2026-03-08T23:00:00.000Z');
  expect(times('2026-11-01T04:00:00.000Z', '19:00')[0]).toBe('2026-11-02T00:00:00.000Z');
});
test('is said as people say it', () =>
  expect(spokenTime(new Date('2026-11-29T00:00:00.000Z'))).toBe('Saturday, November 28, 2026 at 7:00 PM'));
