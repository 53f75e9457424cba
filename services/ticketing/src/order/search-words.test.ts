import { expect, test } from 'vitest';
import { foldText, patternsOf } from './search-words.ts';

test.each([
  ['Núñez', 'nunez'],
  ['O’Brien', 'obrien'],
  ["O'Brien", 'obrien'],
  ['García-López', 'garcia lopez'],
  ['ZOË', 'zoe'],
])('%s is folded', (text, folded) => expect(foldText(text)).toBe(folded));

test('a search of several words matches the beginnings of words in any order, or the whole text', () => {
  expect(patternsOf('Núñez')).toEqual({ whole: '%nunez%', each: [] });
  expect(patternsOf('Núñez 50%')).toEqual({ whole: '%nunez 50\\%%', each: ['% nunez%', '% 50\\%%'] });
  expect(patternsOf('’')).toEqual({ whole: '%’%', each: [] });
});
