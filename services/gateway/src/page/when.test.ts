import { expect, test } from 'vitest';
import { whenOf } from './when.ts';

test.each([
  ['winter', '2026-12-05T05:00:00.000Z', '19:00', null, '2026-12-05T19:00:00-05:00', undefined],
  ['summer', '2026-07-04T04:00:00.000Z', '20:15', '23:00', '2026-07-04T20:15:00-04:00', '2026-07-04T23:00:00-04:00'],
  ['a bare day', '2026-11-28T00:00:00.000Z', '09:30', null, '2026-11-28T09:30:00-05:00', undefined],
  [
    'past midnight',
    '2026-12-31T05:00:00.000Z',
    '21:00',
    '02:00',
    '2026-12-31T21:00:00-05:00',
    '2027-01-01T02:00:00-05:00',
  ],
  [
    'the night the clocks go back',
    '2026-10-31T04:00:00.000Z',
    '22:00',
    '03:00',
    '2026-10-31T22:00:00-04:00',
    '2026-11-01T03:00:00-05:00',
  ],
  [
    'the night they go on',
    '2026-03-07T05:00:00.000Z',
    '23:00',
    '04:00',
    '2026-03-07T23:00:00-05:00',
    '2026-03-08T04:00:00-04:00',
  ],
])('%s', (_when, eventDate, eventStartTime, eventEndTime, start, end) => {
  expect(whenOf({ eventDate, eventStartTime, eventEndTime })).toEqual({ start, ...(end && { end }) });
});
