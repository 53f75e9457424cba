import { describe, expect, test } from 'vitest';
import { brandOf, cvcFault, expiryFault, formatExpiry, formatNumber, numberFault } from './card-format.ts';

const june2026 = new Date('2026-06-15T12:00:00');

describe('card number', () => {
  test.each([
    ['4242424242424242', '4242 4242 4242 4242', 'Visa'],
    ['378282246310005', '3782 822463 10005', 'American Express'],
    ['5555555555554444', '5555 5555 5555 4444', 'Mastercard'],
    ['2223003122003222', '2223 0031 2200 3222', 'Mastercard'],
    ['30569309020004', '3056 930902 0004', 'Diners Club'],
    ['6011 1111 1111 1117', '6011 1111 1111 1117', 'Discover'],
  ])('groups %s as printed on the card', (typed, shown, label) => {
    expect(formatNumber(typed)).toBe(shown);
    expect(brandOf(typed).label).toBe(label);
    expect(numberFault(typed)).toBeNull();
  });

  test('cuts digits beyond the brand’s length', () =>
    expect(formatNumber('42424242424242429')).toBe('4242 4242 4242 4242'));
  test('is incomplete while further typing can correct it', () =>
    expect(numberFault('4242 42')).toMatchObject({ code: 'incomplete_number', wrong: false }));
  test('is invalid immediately when the check digit is wrong', () =>
    expect(numberFault('4242 4242 4242 4241')).toMatchObject({ code: 'invalid_number', wrong: true }));
});

describe('expiry', () => {
  test.each([
    ['1', '1'],
    ['5', '05 / '],
    ['12', '12 / '],
    ['1/', '01 / '],
    ['1229', '12 / 29'],
    ['12/2029', '12 / 29'],
    ['12 / 295', '12 / 29'],
  ])('writes %s as %s', (typed, shown) => expect(formatExpiry(typed)).toBe(shown));
  test('lets the slash be deleted', () => expect(formatExpiry('12 /', true)).toBe('12'));

  test.each([
    ['06 / 26', null],
    ['05 / 26', 'invalid_expiry_month_past'],
    ['12 / 25', 'invalid_expiry_year_past'],
    ['13 / 30', 'invalid_expiry_month'],
    ['12 / 99', 'invalid_expiry_year'],
    ['12', 'incomplete_expiry'],
  ])('%s in June 2026: %s', (text, code) => expect(expiryFault(text, june2026)?.code ?? null).toBe(code));
});

test('the code has four digits on American Express, three elsewhere', () => {
  expect(cvcFault('123', '3782')).not.toBeNull();
  expect(cvcFault('1234', '3782')).toBeNull();
  expect(cvcFault('123', '4242')).toBeNull();
});
