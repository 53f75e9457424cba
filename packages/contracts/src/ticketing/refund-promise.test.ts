import { expect, test } from 'vitest';
import { refundLine, refundTerms } from './refund-promise.ts';

const TONIGHT = { eventDate: '2026-11-28T05:00:00.000Z', eventStartTime: '19:30', status: 'published' };
const now = new Date('2026-11-28T17:00:00.000Z');

test.each([
  [undefined, 'Tickets could be canceled until Fri, Nov 27, 2026, 7:30 PM ET. That time is over.'],
  [24, 'Tickets could be canceled until Fri, Nov 27, 2026, 7:30 PM ET. That time is over.'],
  [2, 'You can cancel tickets until Sat, Nov 28, 2026, 5:30 PM ET and get the whole price back.'],
  [0, 'You can cancel tickets until Sat, Nov 28, 2026, 7:30 PM ET and get the whole price back.'],
  [null, 'Tickets cannot be canceled by their buyer.'],
])('a sale on the day of the event promises what is still possible: %s hours', (hours, words) => {
  expect(refundLine(refundTerms(hours, TONIGHT, now))).toBe(words);
});

test('the moment itself is too late, and the millisecond before is not', () => {
  const { refundableUntil } = refundTerms(24, TONIGHT, now);
  const at = new Date(refundableUntil!);
  expect(refundTerms(24, TONIGHT, at).refundable).toBe(false);
  expect(refundTerms(24, TONIGHT, new Date(at.getTime() - 1)).refundable).toBe(true);
});

test('hours are counted as they pass, also over a change of the clocks', () => {
  // At 2 AM on 1 November New York goes back to 1 AM.
  const event = { eventDate: '2026-11-01T04:00:00.000Z', eventStartTime: '19:00', status: 'published' };
  expect(refundTerms(24, event, now).refundableUntil).toBe('2026-11-01T00:00:00.000Z');
});

test('while an event is postponed its tickets can be canceled, unless they never could', () => {
  const postponed = { ...TONIGHT, status: 'postponed' };
  expect(refundLine(refundTerms(24, postponed, now))).toMatch(/^While the event has no date you can cancel/);
  expect(refundTerms(null, postponed, now)).toEqual({ refundable: false, refundableUntil: null });
});

test('Spanish has the same moment', () => {
  expect(refundLine(refundTerms(24, TONIGHT, now), 'es')).toMatch(
    /27 de nov de 2026, 7:30 p\.m\. ET\. Ese plazo ya pasó\.$/,
  );
  expect(refundLine(refundTerms(0, TONIGHT, now), 'es')).toMatch(
    /28 de nov de 2026, 7:30 p\.m\. ET .*precio completo\.$/,
  );
});
