import { expect, test } from 'vitest';
import { formatSpan } from './spans.ts';

test.each([
  [0, '0 s'],
  [59.9, '59 s'],
  [125, '2 min'],
  [3_600, '1 h'],
  [3_660, '1 h 1 min'],
  [93_784, '1 d 2 h'],
  [86_460, '1 d'],
  [-5, '0 s'],
])('%d seconds are %s', (seconds, text) => expect(formatSpan(seconds)).toBe(text));
