import { ALPHABET } from '../ticket/codes.ts';

/** Letters that Crockford's base 32 leaves out, because they are read as these digits. */
const READ_AS: Record<string, string> = { I: '1', L: '1', O: '0' };
const LENGTH = 8;

/** What people call an order by: 40 bits as "4F7K-2M9Q". It opens nothing. Null before there is one. */
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
 * The number that somebody read out or typed: in any case, with or without its hyphen, O for 0. Null for what is none.
 */
export function readOrderNumber(text: string): number | null {
  const letters = [...text.toUpperCase().replace(/[\s-]/g, '')].map((letter) => READ_AS[letter] ?? letter);
  if (letters.length !== LENGTH) return null;
  const digits = letters.map((letter) => ALPHABET.indexOf(letter));
  return digits.includes(-1) ? null : digits.reduce((number, digit) => number * 32 + digit, 0);
}
