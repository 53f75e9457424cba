import { ALPHABET } from '../ticket/codes.ts';

/** Characters that Crockford's base 32 excludes. They are read as the digits that they resemble. */
const READ_AS: Record<string, string> = { I: '1', L: '1', O: '0' };
const LENGTH = 8;

/**
 * The number that buyers and support use for an order: 40 bits, written as "4F7K-2M9Q". The number grants no access.
 * null before the checkout.
 */
export function orderNumber(number: string | null): string | null {
  if (number === null) return null;
  let rest = Number(number);
  let text = '';
  for (let place = 0; place < LENGTH; place++) {
    text = ALPHABET.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  return `${text.slice(0, 4)}-${text.slice(4)}`;
}

/**
 * Parses an order number as people type it: in any case, with or without its hyphen, O for 0. null if it is invalid.
 */
export function readOrderNumber(text: string): number | null {
  const letters = [...text.toUpperCase().replace(/[\s-]/g, '')].map((letter) => READ_AS[letter] ?? letter);
  if (letters.length !== LENGTH) return null;
  const digits = letters.map((letter) => ALPHABET.indexOf(letter));
  return digits.includes(-1) ? null : digits.reduce((number, digit) => number * 32 + digit, 0);
}
