import { assert, constantFrom, integer, property } from 'fast-check';
import { expect, test } from 'vitest';
import { clockChangeAt, onTheClocks } from './clock-change.ts';
import { endOf, instantOf, startOf } from './times.ts';

test.each([
  ['2026-03-08', '01:59', null],
  ['2026-03-08', '02:00', { kind: 'skipped', clock: '03:00' }],
  ['2026-03-08', '02:59', { kind: 'skipped', clock: '03:59' }],
  ['2026-03-08', '03:00', null],
  ['2026-11-01', '00:59', null],
  ['2026-11-01', '01:00', { kind: 'twice', clock: '01:00' }],
  ['2026-11-01', '01:59', { kind: 'twice', clock: '01:59' }],
  ['2026-11-01', '02:00', null],
  ['2026-07-04', '02:30', null],
] as const)('the clock change on %s at %s: %o', (day, time, change) =>
  expect(clockChangeAt(day, time)).toEqual(change),
);

const on = (day: string, eventStartTime: string, eventEndTime: string | null) => ({
  eventDate: instantOf(day).toISOString(),
  eventStartTime,
  eventEndTime,
});

test.each([
  ['2026-03-08', '02:30', null, '03:30', null],
  ['2026-03-08', '02:30', '04:00', '03:30', '04:00'],
  ['2026-03-08', '01:00', '02:30', '01:00', '03:30'],
  ['2026-03-07', '22:00', '02:15', '22:00', '03:15'],
  ['2026-03-07', '02:30', '02:15', '02:30', '02:15'],
  ['2026-11-01', '01:30', '01:45', '01:30', '01:45'],
])('on %s from %s to %s is shown as %s to %s', (day, start, end, shownStart, shownEnd) => {
  const event = { ...on(day, start, end), title: 'Owls' };
  expect(onTheClocks(event)).toEqual({ ...event, eventStartTime: shownStart, eventEndTime: shownEnd });
});

test('an event keeps its instants when its hours are replaced by the hours that clocks show', () => {
  const day = constantFrom('2026-03-07', '2026-03-08', '2026-10-31', '2026-11-01', '2026-07-04');
  const time = integer({ min: 0, max: 24 * 60 - 1 }).map((at) =>
    [Math.floor(at / 60), at % 60].map((part) => String(part).padStart(2, '0')).join(':'),
  );
  assert(
    property(day, time, time, (date, start, end) => {
      const event = on(date, start, end);
      const shown = onTheClocks(event);
      expect([startOf(shown), endOf(shown)]).toEqual([startOf(event), endOf(event)]);
      expect(onTheClocks(shown)).toEqual(shown);
    }),
  );
});

test('an event that ends in the repeated hour ends after its start', () => {
  const end = (start: string, to: string) => endOf(on('2026-11-01', start, to)).toISOString();
  expect(end('01:15', '01:45')).toBe('2026-11-01T05:45:00.000Z');
  expect(end('01:45', '01:15')).toBe('2026-11-01T06:15:00.000Z');
  expect(end('01:45', '01:45')).toBe('2026-11-01T06:45:00.000Z');
  expect(end('03:00', '02:30')).toBe('2026-11-02T07:30:00.000Z');
  expect(end('03:00', '01:30')).toBe('2026-11-02T06:30:00.000Z');
});
