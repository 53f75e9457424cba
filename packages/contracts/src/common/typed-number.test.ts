import fc from 'fast-check';
import { expect, test } from 'vitest';
import { moneyText } from './basics.ts';
import { CreateEventBody, TicketPrice, UpdateEventBody } from '../catalog/event-bodies.ts';
import { plainNumber, wholeNumber } from './typed-number.ts';

test.each([
  ['12,50', '12.50'],
  ['12,5', '12.5'],
  ['1,250', '1250'],
  ['1,250.50', '1250.50'],
  ['1,250,000', '1250000'],
  [' 12.50 ', '12.50'],
  ['0,50', '0.50'],
  ['1,2345', '1.2345'],
  ['12', '12'],
])('%o is read as %o', (typed, plain) => expect(plainNumber(typed)).toBe(plain));

test.each(['', '-3', '1e3', '0x10', '1,25,000', '0,500', '1250,500', '12,50,', '1.250,50', '1 250', '١٢', 'twelve'])(
  '%o is refused, not guessed',
  (typed) => expect(plainNumber(typed)).toBeNull(),
);

test('a number with thousands separators is read as the same number', () => {
  fc.assert(
    fc.property(fc.nat(99_999_999), (cents) => {
      const dollars = moneyText(cents).slice(1);
      expect(plainNumber(dollars)).toBe((cents / 100).toFixed(2));
    }),
  );
});

test('a whole number has no decimals', () => {
  expect(['100', '1,250', '0', '2.7', '2,7', '-3', '1.0', ''].map(wholeNumber)).toEqual([
    ...[100, 1250, 0],
    ...[null, null, null, null, null],
  ]);
});

test('the server parses price and number of tickets as the forms do', () => {
  expect(['12,50', '1,250', '$25', '$ 1,250.50', '0,500'].map((price) => TicketPrice.safeParse(price).data)).toEqual([
    ...[1_250, 125_000, 2_500, 125_050],
    undefined,
  ]);
  expect(UpdateEventBody.parse({ totalTickets: '1,250' })).toEqual({ totalTickets: 1_250 });
  expect(UpdateEventBody.safeParse({ totalTickets: '12,5' }).error?.issues[0]).toMatchObject({
    path: ['totalTickets'],
    message: 'invalid.capacity',
  });
  expect(CreateEventBody.safeParse({ totalTickets: '0x10' }).error?.issues.map(({ path }) => path[0])).toContain(
    'totalTickets',
  );
});

test('an amount in a sentence has thousands separators and its sign before the dollar', () => {
  expect([5, 2_550, 125_000, 123_456_789, -7_700].map(moneyText)).toEqual([
    ...['$0.05', '$25.50', '$1,250.00', '$1,234,567.89', '-$77.00'],
  ]);
});
