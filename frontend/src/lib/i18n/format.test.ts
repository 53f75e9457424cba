import { describe, expect, test } from 'vitest';
import * as format from './format.ts';

const now = new Date('2026-11-21T15:00:00Z'); // a Saturday, 10 in the morning in New York
const ago = (hours: number) => new Date(now.getTime() - hours * 3_600_000).toISOString();

describe('age', () => {
  test.each([
    [null, 'Recently'],
    [undefined, 'Recently'],
    [ago(0), 'Just now'],
    [ago(0.99), 'Just now'],
    [ago(1), '1 hour ago'],
    [ago(1.99), '1 hour ago'],
    [ago(2), '2 hours ago'],
    [ago(23.99), '23 hours ago'],
    [ago(24), '1 day ago'],
    [ago(47.9), '1 day ago'],
    [ago(48), '2 days ago'],
    [ago(24 * 400), '400 days ago'],
    [ago(-1), 'Just now'],
  ])('%s is %s', (createdAt, label) => expect(format.formatAge(createdAt, now)).toBe(label));
});

describe('dates are in New York time, wherever the reader is', () => {
  const saturday = '2026-11-28T05:00:00.000Z';
  test('as MM/dd/yyyy', () => {
    expect(format.formatDate(saturday)).toBe('11/28/2026');
    expect(format.formatDate('2026-11-29T01:30:00Z')).toBe('11/28/2026');
    expect(format.formatDate('2026-07-01T04:00:00Z')).toBe('07/01/2026');
  });
  test('a bare date keeps its day', () => expect(format.formatDate('2026-11-28T00:00:00.000Z')).toBe('11/28/2026'));
  test('in full for screen readers', () => expect(format.formatLongDate(saturday)).toBe('Saturday, November 28, 2026'));
  test('as a moment, even a moment at midnight UTC', () => {
    expect(format.formatMoment('2026-11-29T00:05:00Z')).toBe('11/28/2026, 7:05 PM');
    expect(format.formatMoment('2026-11-29T00:00:00Z')).toBe('11/28/2026, 7:00 PM');
  });
});

describe('days and hours', () => {
  test.each([
    ['2026-11-21T05:00:00Z', 'Today'],
    ['2026-11-22T05:00:00Z', 'Tomorrow'],
    ['2026-11-28T05:00:00Z', 'Sat'],
  ])('the name of %s', (date, name) => expect(format.dayName(date, now)).toBe(name));
  test('start and end', () => {
    expect(format.formatTimes('19:00', '23:30')).toBe('7 PM – 11:30 PM');
    expect(format.formatTimes('19:00', null)).toBe('7 PM');
    expect(format.formatTimes('19:00', '')).toBe('7 PM');
  });
});

test('prices and counts', () => {
  expect(format.formatPrice('25.00')).toBe('$25.00');
  expect(format.formatPrice(1250.5)).toBe('$1,250.50');
  expect(format.formatCents(7500)).toBe('$75.00');
  expect(format.formatCount(12500)).toBe('12,500');
});

test.each([
  ['2026-12-06T00:00:00.000Z', 'Sat, Dec 5, 7 PM'],
  ['2026-12-06T05:00:00.000Z', 'Sun, Dec 6, 12 AM'],
  ['2026-12-02T01:30:00.000Z', 'Today, 8:30 PM'],
  ['2027-07-01T00:00:00.000Z', 'Wed, Jun 30, 2027, 8 PM'],
])('%s is formatted as %s', (iso, text) => expect(format.sayMoment(iso, new Date('2026-12-01T17:00:00Z'))).toBe(text));
