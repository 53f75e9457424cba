import { expect, test } from 'vitest';
import { lastPayoutDay, nextPayoutDay } from './schedule.ts';

test.each([
  // A Friday begins and ends by New York's clock, also in the weeks when that changes.
  ['2026-11-20T04:59:59Z', '2026-11-13', '2026-11-20'],
  ['2026-11-20T05:00:00Z', '2026-11-20', '2026-11-27'],
  ['2026-11-26T12:00:00Z', '2026-11-20', '2026-11-27'],
  ['2026-03-13T03:59:59Z', '2026-03-06', '2026-03-13'],
  ['2026-03-13T04:00:00Z', '2026-03-13', '2026-03-20'],
  ['2027-01-01T05:00:00Z', '2027-01-01', '2027-01-08'],
])('at %s payouts were last due on %s and are next due on %s', (now, last, next) =>
  expect([lastPayoutDay(new Date(now)), nextPayoutDay(new Date(now))]).toEqual([last, next]),
);
