import { expect, test } from 'vitest';
import { formatAgo, formatSecond, formatSpan } from './spans.ts';

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

test('the age of a moment has the same format', () =>
  expect(formatAgo('2030-07-02T15:30:00.000Z', new Date('2030-07-02T15:32:05.000Z'))).toBe('2 min ago'));

test('a step has its time in New York, to the second', () =>
  expect(formatSecond('2030-07-02T15:30:05.123Z').replace('\u202f', ' ')).toBe('7/2/30, 11:30:05 AM'));
