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
  [
    'an hour that they skip',
    '2026-03-08T05:00:00.000Z',
    '02:30',
    '04:00',
    '2026-03-08T03:30:00-04:00',
    '2026-03-08T04:00:00-04:00',
  ],
  [
    'an hour that they show twice',
    '2026-11-01T04:00:00.000Z',
    '01:45',
    '01:15',
    '2026-11-01T01:45:00-04:00',
    '2026-11-01T01:15:00-05:00',
  ],
])('%s', (_when, eventDate, eventStartTime, eventEndTime, start, end) => {
  expect(whenOf({ eventDate, eventStartTime, eventEndTime })).toEqual({ start, ...(end && { end }) });
});

test.each([
  ['ends on its last day', '23:00', '2026-12-06T23:00:00-05:00'],
  ['ends in the night after its last day', '02:00', '2026-12-07T02:00:00-05:00'],
  ['without a time of its end has its last day as the end', null, '2026-12-06'],
])('an event of several days %s', (_what, eventEndTime, end) => {
  const [eventDate, eventLastDate] = ['2026-12-04T05:00:00.000Z', '2026-12-06T05:00:00.000Z'];
  expect(whenOf({ eventDate, eventLastDate, eventStartTime: '19:00', eventEndTime })).toEqual({
    start: '2026-12-04T19:00:00-05:00',
    end,
  });
});
