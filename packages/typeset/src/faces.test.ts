import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { face } from './faces.ts';

const SAMPLES = {
  'noto-sans-vietnamese': 'ậ',
  'noto-sans-latin-ext': 'Ɓ',
  'noto-sans-latin': '¤',
  'noto-sans-greek': 'Ω',
  'noto-sans-greek-ext': 'ᾧ',
  'noto-sans-cyrillic': 'Ж',
  'noto-sans-cyrillic-ext': 'Ѣ',
  'noto-sans-devanagari': 'न',
  'noto-sans-hebrew-hebrew': 'ש',
  'noto-sans-arabic-arabic': 'ع',
  'noto-sans-ethiopic-ethiopic': 'ሰ',
  'noto-sans-thai-thai': 'ส',
  'noto-sans-sc-chinese-simplified': '北',
  'noto-sans-kr-korean': '한',
  'noto-emoji-emoji': '🎉',
};

test.each(Object.entries(SAMPLES))('%s draws %s, regular and bold', (font, letter) => {
  expect(face('instrument-sans', 400).fileOf(letter).name).toBe(`${font}-400`);
  expect(face('bricolage-grotesque', 500).fileOf(letter).name).toBe(`${font}-400`);
  expect(face('bricolage-grotesque', 800).fileOf(letter).name).toBe(`${font}-700`);
});

test('the folder of fonts has no unused file', () => {
  const own = [
    ...['latin', 'latin-ext'].flatMap((subset) => [
      `instrument-sans-${subset}-400`,
      ...[500, 700, 800].map((weight) => `bricolage-grotesque-${subset}-${weight}`),
    ]),
    // Only posters use Vietnamese in its own typeface (services/media/src/poster/typeface.ts).
    ...[500, 800].map((weight) => `bricolage-grotesque-vietnamese-${weight}`),
  ];
  const fallbacks = Object.keys(SAMPLES).flatMap((font) => [`${font}-400`, `${font}-700`]);
  const files = readdirSync(join(import.meta.dirname, '..', 'fonts')).filter((name) => name.endsWith('.woff'));
  expect(files.toSorted()).toEqual([...own, ...fallbacks].map((name) => `${name}.woff`).toSorted());
});
