import { expect, test } from 'vitest';
import { blockText, lineText, searchText } from './text.ts';

const line = lineText(200, 'Name is required');
const block = blockText(200, 'Text is required');
const saidOf = (schema: typeof line, text: unknown) =>
  schema.safeParse(text).error?.issues.map(({ message }) => message);

const HIDDEN = 'without control characters or characters that change the direction of text';
const NOT_A_LINE = `must be one line of text ${HIDDEN}`;

test.each([
  ['Go-Go at the Wharf', undefined],
  ['Zoë & Søren’s “Café”', undefined],
  ['שלום עולם', undefined],
  ['שָׁלוֹם עֲלֵיכֶ֑ם', undefined],
  ['مرحبا بالعالم', undefined],
  ['می‌خواهم', undefined], // with a non-joiner
  ['สวัสดีครับ ปู่ น้ำ', undefined],
  ['北京烤鸭', undefined],
  ['नमस्ते', undefined],
  ['👩🏽‍🍳 🏴󠁧󠁢󠁥󠁮󠁧󠁿 ❤️', undefined],
  ['  trimmed\n', 'trimmed'],
  ['Cafe\u0301', 'Caf\u00e9'],
])('%s is a line of text', (text, tidied) => {
  expect(line.parse(text)).toBe(tidied ?? text.normalize('NFC'));
  expect(block.parse(text)).toBe(tidied ?? text.normalize('NFC'));
});

test.each([
  ['a NUL', 'a\0b'],
  ['a control character', 'a\u001bb'],
  ['one of the second set', 'a\u0085b'],
  ['a separator of lines', 'a\u2028b'],
  ['an override', 'Ann \u202egnp.exe'],
  ['an isolate', '\u2066Ann'],
  ['half a character', 'a\ud800b'],
  ['halves in the wrong order', '\udc00\ud800'],
])('%s is refused in a line, and in text of several', (_what, text) => {
  expect(saidOf(line, text)).toEqual([NOT_A_LINE]);
  expect(saidOf(block, text)).toEqual([`must be text ${HIDDEN}`]);
  expect(searchText(50).safeParse(text).success).toBe(false);
});

test('breaks and tabs belong to text of several lines', () => {
  for (const text of ['a\nb', 'a\tb', 'a\r\nb']) expect(saidOf(line, text), JSON.stringify(text)).toEqual([NOT_A_LINE]);
  expect(block.parse('One\r\n\ttwo\rthree\n')).toBe('One\n\ttwo\nthree');
});

test.each([
  ['nothing', ''],
  ['spaces of all kinds', ' \u00a0\u3000\u2003'],
  ['a zero-width space', '\u200b'],
  ['joiners', '\u200d\u200c\ufeff'],
  ['a soft hyphen', '\u00ad'],
  ['fillers that count as letters', '\u3164\u115f\uffa0'],
  ['the blank of Braille', '\u2800'],
  ['a mark without a letter', '\u0301'],
  ['a variation selector', '\ufe0f'],
])('%s is nothing to see', (_what, text) => {
  expect(saidOf(line, text)).toEqual(['Name is required']);
  expect(saidOf(block, text)).toEqual(['Text is required']);
});

test('piles of marks are refused, whatever their number', () => {
  expect(saidOf(line, `Z${'\u0335\u0316'.repeat(3)}`)).toBeUndefined();
  expect(saidOf(line, `Z${'\u0335\u0316'.repeat(4)}`)).toEqual(['must not have more than six accents on a letter']);
  expect(saidOf(line, `a${'\u0315\u0300'.repeat(50_000)}`)).toEqual(['must have at most 200 characters']);
});

test('the length counts as it is kept', () => {
  expect(line.parse('e\u0301'.repeat(200))).toHaveLength(200);
  expect(saidOf(line, 'e'.repeat(201))).toEqual(['must have at most 200 characters']);
  expect(saidOf(line, 7)).toEqual(['Name is required']);
});
