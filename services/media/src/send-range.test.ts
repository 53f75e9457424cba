import { expect, test } from 'vitest';
import { rangeOf } from './send-range.ts';

test.each<[string | undefined, ReturnType<typeof rangeOf>]>([
  [undefined, 'whole'],
  ['bytes=0-', { start: 0, end: 9 }],
  ['bytes=0-0', { start: 0, end: 0 }],
  ['bytes=2-5', { start: 2, end: 5 }],
  ['bytes=7-100', { start: 7, end: 9 }],
  ['bytes=9-', { start: 9, end: 9 }],
  ['Bytes= 2-5 ', { start: 2, end: 5 }],
  ['bytes=-3', { start: 7, end: 9 }],
  ['bytes=-100', { start: 0, end: 9 }],
  ['bytes=10-', 'outside'],
  ['bytes=10-12', 'outside'],
  ['bytes=-0', 'outside'],
  ['bytes=999999999999999-', 'outside'],
  // For invalid or multiple ranges, the whole file is a correct response.
  ['bytes=5-2', 'whole'],
  ['bytes=-', 'whole'],
  ['bytes=0-1,3-4', 'whole'],
  ['bytes=a-b', 'whole'],
  ['bytes=1.5-2', 'whole'],
  ['bytes=99999999999999999999-', 'whole'],
  ['lines=1-2', 'whole'],
  ['0-5', 'whole'],
])('of ten bytes %j is %j', (header, expected) => {
  expect(rangeOf(header, 10)).toEqual(expected);
});

test('an empty file has no bytes in any range', () => {
  expect(rangeOf('bytes=0-', 0)).toBe('outside');
  expect(rangeOf('bytes=-5', 0)).toBe('outside');
});
