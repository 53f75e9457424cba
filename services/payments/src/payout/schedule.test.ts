import { expect, test } from 'vitest';
import { nextPayoutDay, payoutDayAt } from './schedule.ts';

test.each([
  // A Friday begins and ends in New York time, even in the weeks when the clocks change.
  ['2026-11-20T04:59:59Z', null, '2026-11-20'],
  ['2026-11-20T05:00:00Z', '2026-11-20', '2026-11-27'],
  ['2026-11-21T04:59:59Z', '2026-11-20', '2026-11-27'],
  ['2026-11-21T05:00:00Z', null, '2026-11-27'],
  ['2026-11-26T12:00:00Z', null, '2026-11-27'],
  ['2026-03-13T03:59:59Z', null, '2026-03-13'],
  ['2026-03-13T04:00:00Z', '2026-03-13', '2026-03-20'],
  ['2027-01-01T05:00:00Z', '2027-01-01', '2027-01-08'],
])('at %s payouts are sent on %s, and next on %s', (now, today, next) =>
  expect([payoutDayAt(new Date(now)), nextPayoutDay(new Date(now))]).toEqual([today, next]),
);
