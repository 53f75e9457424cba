import fc from 'fast-check';
import { expect, test } from 'vitest';
import { times } from './arrays.ts';

test('a timestamp text is encoded like its Date, in any format', () => {
  const dates = fc.date({ min: new Date('1900-01-01'), max: new Date('2200-01-01'), noInvalidDate: true });
  fc.assert(fc.property(dates, (date) => times([date.toISOString()]).equals(times([date]))));
  for (const text of [
    '2026-11-22T07:45:12Z',
    '2026-11-22T07:45:12.345+02:00',
    '2026-11-22',
    '2026-11-22T24:00:00.000Z',
  ])
    expect(times([text]), text).toEqual(times([new Date(text)]));
});

test.each(['', 'yesterday', '2026-13-22T07:45:12.345Z', '2026-11-22T25:45:12.345Z', '2026-11-22T07:45:1x.345Z'])(
  'an invalid time is refused: "%s"',
  (text) => expect(() => times([text])).toThrow('not a time'),
);
