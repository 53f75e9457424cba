import { expect, test } from 'vitest';
import { dayOf } from './seed.ts';

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
