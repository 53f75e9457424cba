import fc from 'fast-check';
import { expect, test } from 'vitest';
import { msOf } from './arrays.ts';

test('a time is read as Date reads it, whatever came before', () => {
  const times = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });
  fc.assert(fc.property(times, (time) => msOf(time.toISOString()) === time.getTime()));
});

test('other forms are read too, and what is no time is none', () => {
  for (const text of [
    '2026-11-22T07:45:12Z',
    '2026-11-22T07:45:12.345+02:00',
    '2026-11-22',
    '+012026-01-01T00:00:00.000Z',
    '2026-11-22T24:00:00.000Z',
    '2026-02-30T07:45:12.345Z',
  ])
    expect(msOf(text), text).toBe(Date.parse(text));
  for (const text of [
    '',
    'yesterday',
    '2026-13-22T07:45:12.345Z',
    '2026-11-22T25:45:12.345Z',
    '2026-11-22T07:60:12.345Z',
    '2026-11-22T07:45:61.345Z',
    '2026-11-22T07:45:1x.345Z',
    '2026-11-22T07:45:12.3x5Z',
    '2026-11-22T07-45-12.345Z',
  ])
    expect(msOf(text), text).toBeNaN();
});
