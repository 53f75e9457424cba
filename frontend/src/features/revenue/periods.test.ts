import { daysAfter } from '@beltway/contracts/common/times';
import { expect, test } from 'vitest';
import { periodsOf } from './periods.ts';

const days = (count: number, first: string) =>
  Array.from({ length: count }, (_, at) => ({ day: daysAfter(first, at), revenue: 0.1, payments: 1 }));

test('a few weeks have one bar per day, with names independent of the machine’s time zone', () => {
  const periods = periodsOf(days(30, '2026-10-25'));
  expect(periods).toHaveLength(30);
  expect(periods[0]).toEqual({ key: '2026-10-25', name: 'Oct 25', revenue: 0.1, payments: 1 });
  expect(periods.at(-1)?.name).toBe('Nov 23');
});

test('a year has one bar per month, summed exactly to the cent', () => {
  const periods = periodsOf(days(366, '2026-01-01'));
  expect(periods).toHaveLength(13);
  expect(periods[0]).toEqual({ key: '2026-01', name: 'Jan 2026', revenue: 3.1, payments: 31 });
  expect(periods.at(-1)).toEqual({ key: '2027-01', name: 'Jan 2027', revenue: 0.1, payments: 1 });
});
