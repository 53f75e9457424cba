import { describe, expect, test } from 'vitest';
import { clockText, datedWhenText, nearDayName, plannedWhenText, whenText } from './when.ts';

const now = new Date('2026-11-21T15:00:00Z'); // a Saturday, 10 AM in New York

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

test('today is the day in New York, even where the next day has begun', () => {
  const late = new Date('2026-11-22T04:59:00Z');
  expect(nearDayName('2026-11-21T05:00:00Z', late)).toBe('Today');
  expect(nearDayName('2026-11-22T05:00:00Z', late)).toBe('Tomorrow');
  expect(nearDayName('2026-11-22T05:00:00Z', new Date('2026-11-22T05:00:00Z'))).toBe('Today');
});

test('tomorrow is right across a clock change', () =>
  expect(nearDayName('2026-11-01T04:00:00Z', new Date('2026-11-01T03:30:00Z'))).toBe('Tomorrow'));

test('a mail names the day, the year and the time zone', () =>
  expect(datedWhenText({ eventDate: '2026-11-28T05:00:00Z', eventStartTime: '19:00' })).toBe(
    'Sat, Nov 28, 2026, 7 PM ET',
  ));

test('a mail in Spanish names the day, the year and the time zone, even for a postponed event', () => {
  const event = { eventDate: '2026-11-28T05:00:00Z', eventStartTime: '19:30', status: 'published' };
  expect(plannedWhenText(event, 'es')).toBe('sáb, 28 de nov de 2026, 7:30 p.m. ET');
  expect(plannedWhenText({ ...event, status: 'postponed' }, 'es')).toBe(
    'Pospuesto, pronto habrá nueva fecha (era el sáb, 28 de nov de 2026, 7:30 p.m. ET)',
  );
  expect(plannedWhenText({ ...event, status: 'postponed' })).toBe(
    'Postponed, new date to be announced (it was Sat, Nov 28, 2026, 7:30 PM ET)',
  );
});

test.each([
  ['00:00', '12 AM'],
  ['09:05', '9:05 AM'],
  ['12:00', '12 PM'],
  ['23:30', '11:30 PM'],
])('%s is %s', (time, words) => expect(clockText(time)).toBe(words));

describe('an event of several days', () => {
  const event = { eventDate: '2026-12-04T05:00:00Z', eventLastDate: '2026-12-06T05:00:00Z', eventStartTime: '19:00' };
  const on = (day: string) => new Date(`${day}T15:00:00Z`);

  test('names its first and its last day', () => {
    expect(whenText(event, now)).toBe('Fri, Dec 4 – Sun, Dec 6, 7 PM');
    expect(whenText(event, now, 'es')).toBe('vie, 4 de dic – dom, 6 de dic, 7 p.m.');
    expect(whenText(event, on('2026-12-04'))).toBe('Today – Sun, Dec 6, 7 PM');
    expect(whenText(event, on('2026-12-05'))).toBe('Fri, Dec 4 – Tomorrow, 7 PM');
    expect(whenText(event, on('2026-12-06'), 'es')).toBe('vie, 4 de dic – Hoy, 7 p.m.');
  });

  test('names the year of a day that is not in the current year', () =>
    expect(whenText({ ...event, eventLastDate: '2027-01-02T05:00:00Z' }, now)).toBe(
      'Fri, Dec 4 – Sat, Jan 2, 2027, 7 PM',
    ));

  test('in a mail has years and time zone, even while the event is postponed', () => {
    expect(datedWhenText(event)).toBe('Fri, Dec 4, 2026 – Sun, Dec 6, 2026, 7 PM ET');
    expect(plannedWhenText({ ...event, status: 'postponed' }, 'es')).toBe(
      'Pospuesto, pronto habrá nueva fecha (era el vie, 4 de dic de 2026 – dom, 6 de dic de 2026, 7 p.m. ET)',
    );
  });

  test.each([undefined, null, event.eventDate, '2026-12-01T05:00:00Z'])('last day %s adds no day', (eventLastDate) => {
    const { eventLastDate: _, ...one } = event;
    const same = { ...one, eventLastDate };
    expect([whenText(same, now), datedWhenText(same, 'es')]).toEqual([whenText(one, now), datedWhenText(one, 'es')]);
  });
});
