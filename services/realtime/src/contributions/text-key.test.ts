import { expect, test } from 'vitest';
import { textKeyOf } from './text-key.ts';

test.each([
  ['case', 'Buy NOW'],
  ['blanks and lines', ' Buy\n\n   now '],
  ['zero-width characters', 'B\u200bu\u2060y now\ufeff'],
  ['blanks of other kinds', 'Buy\u00a0now\u2800'],
  ['wide letters', 'Ｂｕｙ now'],
])('texts that look the same have the same key, whatever their %s', (_what, text) => {
  expect(textKeyOf(text)).toBe(textKeyOf('buy now'));
});

test('other words, scripts and symbols have other keys', () => {
  const keys = ['buy now', 'buy nöw', 'buy now!', 'купи', 'קנה', '👍', '👎'].map(textKeyOf);
  expect(new Set(keys).size).toBe(keys.length);
});
