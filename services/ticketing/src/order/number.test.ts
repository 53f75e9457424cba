import fc from 'fast-check';
import { expect, test } from 'vitest';
import { orderNumber, readOrderNumber } from './number.ts';

const LAST = 2 ** 40 - 1;

test('every order number from the lowest to the highest has eight characters', () => {
  expect(orderNumber('0')).toBe('0000-0000');
  expect(orderNumber('33')).toBe('0000-0011');
  expect(orderNumber(String(LAST))).toBe('ZZZZ-ZZZZ');
  expect(orderNumber(null)).toBeNull();
});

test('a displayed number is read as the same number, in every way of typing it', () =>
  fc.assert(
    fc.property(fc.integer({ min: 0, max: LAST }), (number) => {
      const shown = orderNumber(String(number))!;
      for (const typed of [shown, shown.toLowerCase(), shown.replace('-', ''), ` ${shown} `])
        expect(readOrderNumber(typed)).toBe(number);
      expect(readOrderNumber(shown.replaceAll('0', 'o').replaceAll('1', 'l'))).toBe(number);
    }),
  ));

test.each(['', '4F7K', '4F7K-2M9', '4F7K-2M9QX', '4F7K-2M9U', '=4F7K2M9', '４F7K-2M9Q'])('%s is invalid', (text) =>
  expect(readOrderNumber(text)).toBeNull(),
);
