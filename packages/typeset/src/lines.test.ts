import { expect, test } from 'vitest';
import { face } from './faces.ts';
import { clustersOf, directionOf, setLine, setLines } from './lines.ts';

const text = face('instrument-sans', 400);
const display = face('bricolage-grotesque', 700);
/** The runs from left to right, each with its characters in reading order. */
const seen = (line: string) => setLine(text, line).runs.map((run) => run.text);

test.each([
  ['Latin', 'Zoë’s “Café” ỆŁő', ['instrument-sans', 'noto-sans']],
  ['Greek and Cyrillic', 'Ελλάδα Хор', ['instrument-sans', 'noto-sans']],
  ['Hebrew', 'ערב ג׳אז ₪', ['instrument-sans', 'noto-sans-hebrew']],
  ['Arabic', 'أمسية، ١٤', ['instrument-sans', 'noto-sans-arabic']],
  ['Thai', 'สวัสดี ฿', ['instrument-sans', 'noto-sans-thai']],
  ['Chinese and Japanese', '北京《烤鸭》臺灣かなカナー', ['noto-sans-sc']],
  ['Korean', '한인 축제', ['instrument-sans', 'noto-sans-kr']],
  ['Ethiopic', 'ሰላም ዲሲ', ['instrument-sans', 'noto-sans-ethiopic']],
  ['Devanagari', 'नमस्ते', ['noto-sans']],
  ['emoji', '🎉👩🏽‍🍳❤️🏴󠁧󠁢󠁥󠁮󠁧󠁿🇺🇸1️⃣', ['noto-emoji']],
])('both typefaces have a glyph for all of %s', (_script, line, families) => {
  for (const one of [text, display]) {
    const { runs, width } = setLine(one, line);
    for (const { file, text: letters } of runs)
      expect(
        file.font.layout(letters).glyphs.map(({ id }) => id),
        letters,
      ).not.toContain(0);
    expect(width).toBeGreaterThan(1);
  }
  const used = setLine(text, line).runs.map(({ file }) => file.name);
  for (const family of families)
    expect(
      used.some((name) => name.startsWith(`${family}-`)),
      family,
    ).toBe(true);
});

test('right-to-left text is laid out from right to left, with numbers and Latin from left to right', () => {
  expect(directionOf('(2030) ערב')).toBe('rtl');
  expect(directionOf('The Roots עם')).toBe('ltr');
  expect(seen('שלום Hello 12 מרחב')).toEqual(['מרחב', ' ', 'Hello 12', ' ', 'שלום']);
  expect(seen('Hello שלום עולם 12')).toEqual(
    ['Hello ', 'עולם', ' ', 'שלום', ' 12'].slice(0, 1).concat(['12', ' ', 'עולם', ' ', 'שלום']),
  );
  expect(seen('ערב (חינם)!')).toEqual(['!(', 'חינם', ') ', 'ערב']);
});

test('joining letters take their joined forms', () => {
  const { runs } = setLine(text, 'بسم');
  expect(runs).toHaveLength(1);
  const alone = [...'بسم'].map((letter) => runs[0]!.file.font.layout(letter).glyphs[0]!.id);
  expect(runs[0]!.file.font.layout('بسم').glyphs.map(({ id }) => id)).not.toEqual(alone.reverse());
});

test('a mark without a glyph is left out; a letter without a glyph is drawn as a box', () => {
  expect(
    setLine(text, 'Z\u0335\u0316a')
      .runs.map((run) => run.text)
      .join(''),
  ).toBe('Za');
  expect(text.has('\u{12000}')).toBe(false);
  expect(setLine(text, '\u{12000}').runs).toMatchObject([{ file: text.own }]);
});

test('lines break between words, inside a word only when it is wider than a line, and the rest is cut', () => {
  const lines = (words: string, width: number, maxLines = 9) =>
    setLines(text, words, { width, maxLines }).map(({ runs }) => runs.map((run) => run.text).join(''));
  expect(lines('one two three four', 5)).toEqual(['one two', 'three four']);
  expect(lines('one two three four', 5, 1)).toEqual(['one two…']);
  expect(lines('x'.repeat(40), 5).length).toBeGreaterThan(3);
  expect(lines('สวัสดีครับเพื่อนรัก', 5).join('')).toBe('สวัสดีครับเพื่อนรัก');
  expect(lines('北京烤鸭之夜，一起度过', 6.5)[0]).not.toMatch(/^，/);
  for (const words of ['', ' ', 'a', 'one two three four'.repeat(20), 'שלום '.repeat(50), '👩🏽‍🍳'.repeat(60)])
    for (const { width } of setLines(text, words, { width: 8, maxLines: 3 })) expect(width).toBeLessThanOrEqual(8);
});

test('clusters are what readers see as one character', () => {
  expect(clustersOf('e\u0301👩🏽‍🍳น้ำ')).toEqual(['e\u0301', '👩🏽‍🍳', 'น้ำ']);
});
