import { expect, test } from 'vitest';
import { dayRange, tomorrowRange, tonightRange, weekendRange, type TimeRange } from './day-ranges.ts';
import { zonedText } from './times.ts';

const said = ({ from, to }: TimeRange) => [from, to].map((instant) => zonedText(instant).slice(0, 16));
const at = (text: string) => new Date(text);

test.each([
  ['at noon', '2026-12-01T12:00-05:00', ['2026-12-01T17:00', '2026-12-02T05:00']],
  ['late', '2026-12-01T23:59-05:00', ['2026-12-01T17:00', '2026-12-02T05:00']],
  ['after midnight', '2026-12-02T01:00-05:00', ['2026-12-01T17:00', '2026-12-02T05:00']],
  ['in the morning', '2026-12-02T05:00-05:00', ['2026-12-02T17:00', '2026-12-03T05:00']],
  ['when the clocks go back', '2026-11-01T00:30-04:00', ['2026-10-31T17:00', '2026-11-01T05:00']],
])('tonight %s', (_when, now, range) => expect(said(tonightRange(at(now)))).toEqual(range));

test.each([
  ['on a Monday', '2026-11-30T09:00-05:00', ['2026-12-04T17:00', '2026-12-07T00:00']],
  ['on a Friday', '2026-12-04T23:00-05:00', ['2026-12-04T17:00', '2026-12-07T00:00']],
  ['on a Saturday', '2026-12-05T12:00-05:00', ['2026-12-04T17:00', '2026-12-07T00:00']],
  ['on a Sunday', '2026-12-06T23:59-05:00', ['2026-12-04T17:00', '2026-12-07T00:00']],
])('this weekend %s', (_when, now, range) => expect(said(weekendRange(at(now)))).toEqual(range));

test('a day has 23 or 25 hours when the clocks change', () => {
  const hours = ({ from, to }: TimeRange) => (to.getTime() - from.getTime()) / 3_600_000;
  expect(hours(dayRange('2026-12-01'))).toBe(24);
  expect(hours(dayRange('2026-11-01'))).toBe(25);
  expect(hours(dayRange('2026-03-08'))).toBe(23);
  expect(said(tomorrowRange(at('2026-12-31T23:30-05:00')))).toEqual(['2027-01-01T00:00', '2027-01-02T00:00']);
});
