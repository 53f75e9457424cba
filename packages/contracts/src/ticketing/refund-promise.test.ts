import { expect, test } from 'vitest';
import { refundLine, refundTerms } from './refund-promise.ts';

const TONIGHT = { eventDate: '2026-11-28T05:00:00.000Z', eventStartTime: '19:30', status: 'published' };
const now = new Date('2026-11-28T17:00:00.000Z');

test.each([
  [undefined, 'The refund deadline (Fri, Nov 27, 2026, 7:30 PM ET) has passed.'],
  [24, 'The refund deadline (Fri, Nov 27, 2026, 7:30 PM ET) has passed.'],
  [2, 'Full refund until Sat, Nov 28, 2026, 5:30 PM ET.'],
  [0, 'Full refund until Sat, Nov 28, 2026, 7:30 PM ET.'],
  [null, 'These tickets are non-refundable.'],
])('a sale on the day of the event promises only what is still possible: %s hours', (hours, words) => {
  expect(refundLine(refundTerms(hours, TONIGHT, now))).toBe(words);
});

test('canceling is possible until one millisecond before the deadline', () => {
  const { refundableUntil } = refundTerms(24, TONIGHT, now);
  const at = new Date(refundableUntil!);
  expect(refundTerms(24, TONIGHT, at).refundable).toBe(false);
  expect(refundTerms(24, TONIGHT, new Date(at.getTime() - 1)).refundable).toBe(true);
});

test('the hours before the start are elapsed hours, even across a clock change', () => {
  // On November 1 clocks in New York are set back from 2 AM to 1 AM.
  const event = { eventDate: '2026-11-01T04:00:00.000Z', eventStartTime: '19:00', status: 'published' };
  expect(refundTerms(24, event, now).refundableUntil).toBe('2026-11-01T00:00:00.000Z');
});

test('tickets of a postponed event can be canceled, unless they could never be canceled', () => {
  const postponed = { ...TONIGHT, status: 'postponed' };
  expect(refundLine(refundTerms(24, postponed, now))).toMatch(/^While the event has no date, you can cancel/);
  expect(refundTerms(null, postponed, now)).toEqual({ refundable: false, refundableUntil: null });
});

test('the Spanish sentence names the same instant', () => {
  expect(refundLine(refundTerms(24, TONIGHT, now), 'es')).toMatch(/27 de nov de 2026, 7:30 p\.m\. ET\) ya pasó\.$/);
  expect(refundLine(refundTerms(0, TONIGHT, now), 'es')).toMatch(
    /^Reembolso completo .*28 de nov de 2026, 7:30 p\.m\. ET\.$/,
  );
});
