import { expect, test } from 'vitest';
import { blockText, emailText, lineText, searchText } from './text.ts';

const line = lineText(200, 'invalid.name');
const block = blockText(200, 'invalid.something');
const saidOf = (schema: typeof line, text: unknown) =>
  schema.safeParse(text).error?.issues.map(({ message }) => message);

const BROKEN = 'invalid.half-character';

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
  ['a NUL', 'a\0b', 'ab'],
  ['a control character', 'a\u001bb', 'ab'],
  ['a zero-width space', 'Go\u200b-Go', 'Go-Go'],
  ['a byte order mark', '\ufeffGo-Go', 'Go-Go'],
  ['a soft hyphen', 'Beltway\u00ad', 'Beltway'],
  ['marks of direction', '\u200eAnn\u200f', 'Ann'],
  ['an override', 'Ann \u202egnp.exe', 'Ann gnp.exe'],
  ['an isolate', '\u2066Ann\u2069', 'Ann'],
  ['a joiner between Latin letters', 'Ad\u200dmin', 'Admin'],
  ['a joiner in Cyrillic', 'Ан\u200cна', 'Анна'],
  ['a joiner at the end of an emoji', '👩\u200d is on', '👩 is on'],
  ['a variation selector after a letter', 'A\ufe0fdmin', 'Admin'],
  ['tags without a flag', 'Ann\u{e0067}\u{e007f}', 'Ann'],
])('%s is removed from one-line texts, texts of several lines and searches', (_what, text, kept) => {
  expect(line.parse(text)).toBe(kept);
  expect(block.parse(text)).toBe(kept);
  expect(searchText(50).parse(text)).toBe(kept);
});

test.each([
  ['half a character', 'a\ud800b'],
  ['halves in the wrong order', '\udc00\ud800'],
])('%s is refused', (_what, text) => {
  expect(saidOf(line, text)).toEqual([BROKEN]);
  expect(saidOf(block, text)).toEqual([BROKEN]);
  expect(searchText(50).safeParse(text).success).toBe(false);
});

test('line breaks and tabs become spaces in a one-line text and stay in a text of several lines', () => {
  for (const text of ['a\nb', 'a\tb', 'a\r\nb', 'a\u2028b', 'a\u0085b']) {
    expect(line.parse(text), JSON.stringify(text)).toBe('a b');
    expect(searchText(50).parse(text)).toBe('a b');
  }
  expect(block.parse('One\r\n\ttwo\rthree\n')).toBe('One\n\ttwo\nthree');
  expect(block.parse('One\u2028two\vthree')).toBe('One\ntwo\nthree');
});

test('a text of a hundred thousand invisible characters is read in linear time', () => {
  expect(saidOf(line, '\u200b'.repeat(100_000))).toEqual(['invalid.too-long {"max":200}']);
  expect(block.parse(`a${'\u{e0061}'.repeat(399)}`)).toBe('a');
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
])('%s counts as empty', (_what, text) => {
  expect(saidOf(line, text)).toEqual(['invalid.name']);
  expect(saidOf(block, text)).toEqual(['invalid.something']);
});

test('stacked combining marks are refused, whatever their number', () => {
  expect(saidOf(line, `Z${'\u0335\u0316'.repeat(3)}`)).toBeUndefined();
  expect(saidOf(line, `Z${'\u0335\u0316'.repeat(4)}`)).toEqual(['invalid.accents']);
  expect(saidOf(line, `a${'\u0315\u0300'.repeat(50_000)}`)).toEqual(['invalid.too-long {"max":200}']);
});

test('the length limit counts the normalized text', () => {
  expect(line.parse('e\u0301'.repeat(200))).toHaveLength(200);
  expect(saidOf(line, 'e'.repeat(201))).toEqual(['invalid.too-long {"max":200}']);
  expect(saidOf(line, 7)).toEqual(['invalid.name']);
});

test.each([
  'a&b@example.test',
  'first/last@example.test',
  "o'brien+beltway@mail.example.test",
  'a@xn--bcher-kva.xn--p1ai',
])('%s is an email address', (email) => {
  expect(emailText().parse(` ${email}\u200b`)).toBe(email);
});

test.each(['', 'a', 'a@b', '.a@example.test', 'a.@example.test', 'a..b@example.test', 'a b@example.test', 'a@-b.test'])(
  '%s is not an email address',
  (email) => {
    expect(emailText().safeParse(email).error?.issues[0]?.message).toBe('invalid.email');
  },
);

test('an email address cannot add a mail header', () => {
  for (const end of ['\nBcc: b@example.test', ', b@example.test', '>', '"'])
    expect(emailText().safeParse(`a@example.test${end}`).success, end).toBe(false);
});
