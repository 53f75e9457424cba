import { expect, test } from 'vitest';
import { clockText, datedWhenText, nearDayName, plannedWhenText, whenText } from './when.ts';

const now = new Date('2026-11-21T15:00:00Z'); // a Saturday, 10 in the morning in New York

test.each([
  ['2026-11-21T05:00:00Z', '19:30', 'Today, 7:30 PM'],
  ['2026-11-22T05:00:00Z', '18:00', 'Tomorrow, 6 PM'],
  ['2026-11-23T05:00:00Z', '18:00', 'Mon, Nov 23, 6 PM'],
  ['2026-11-20T05:00:00Z', '18:00', 'Fri, Nov 20, 6 PM'],
  ['2026-11-29T00:00:00Z', '12:05', 'Sun, Nov 29, 12:05 PM'],
  ['2027-01-02T05:00:00Z', '00:00', 'Sat, Jan 2, 2027, 12 AM'],
])('an event of %s at %s is %s', (eventDate, eventStartTime, words) =>
  expect(whenText({ eventDate, eventStartTime }, now)).toBe(words),
);

test('today is New York’s, also where it is tomorrow already', () => {
  const late = new Date('2026-11-22T04:59:00Z');
  expect(nearDayName('2026-11-21T05:00:00Z', late)).toBe('Today');
  expect(nearDayName('2026-11-22T05:00:00Z', late)).toBe('Tomorrow');
  expect(nearDayName('2026-11-22T05:00:00Z', new Date('2026-11-22T05:00:00Z'))).toBe('Today');
});

test('tomorrow is right across the change of clocks', () =>
  expect(nearDayName('2026-11-01T04:00:00Z', new Date('2026-11-01T03:30:00Z'))).toBe('Tomorrow'));

test('a mail names the day, the year and the time zone', () =>
  expect(datedWhenText({ eventDate: '2026-11-28T05:00:00Z', eventStartTime: '19:00' })).toBe(
    'Sat, Nov 28, 2026, 7 PM ET',
  ));

test('a mail in Spanish does so in Spanish, also of what was planned', () => {
  const event = { eventDate: '2026-11-28T05:00:00Z', eventStartTime: '19:30', status: 'published' };
  expect(plannedWhenText(event, 'es')).toBe('sáb, 28 de nov de 2026, 7:30 p.m. ET');
  expect(plannedWhenText({ ...event, status: 'postponed' }, 'es')).toBe(
    'Pospuesto, pronto habrá nueva fecha (era el sáb, 28 de nov de 2026, 7:30 p.m. ET)',
  );
  expect(plannedWhenText({ ...event, status: 'postponed' })).toBe(
    'Postponed, new date to come (it was Sat, Nov 28, 2026, 7:30 PM ET)',
  );
});

test.each([
  ['00:00', '12 AM'],
  ['09:05', '9:05 AM'],
  ['12:00', '12 PM'],
  ['23:30', '11:30 PM'],
])('%s is %s', (time, words) => expect(clockText(time)).toBe(words));
