import { expect, test } from 'vitest';
import { cutText } from './cut-text.ts';

test('a text is cut between characters, never inside an emoji or before an accent', () => {
  expect(cutText('short', 10)).toBe('short');
  expect(cutText('abc', 3)).toBe('abc');
  expect(cutText('abcdef', 3)).toBe('abc');
  expect(cutText('ab👩🏽‍🍳cd', 3)).toBe('ab👩🏽‍🍳');
  expect(cutText('abe\u0301f', 3)).toBe('abe\u0301');
  expect(cutText('ab🎷', 2)).toBe('ab');
  expect(cutText('👩🏽‍🍳'.repeat(100), 50).length).toBeLessThanOrEqual(200);
});
