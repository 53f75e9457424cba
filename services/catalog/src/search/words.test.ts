import { describe, expect, test } from 'vitest';
import { searchedWords, tagKey, wordsOf, wordsOfTag } from './words.ts';

describe('a text is found by its words', () => {
  test.each([
    ['Café Society', ['cafe', 'society']],
    ["Don't Stop", ['dont', 'stop']],
    ['Go-Go at 9:30', ['go', 'gogo', 'at', '9', '30', '930']],
    ['R&B, D.C.', ['r', 'b', 'rb', 'd', 'c', 'dc']],
    ['Straße Ærø Łódź', ['strasse', 'aero', 'lodz']],
    ['ＦＵＬＬ ﬁne', ['full', 'fine']],
    ['שָׁלוֹם DC', ['שלום', 'dc']],
    ['東京ナイト', ['東京', '京ナ', 'ナイ', 'イト']],
    ['Jazz 🎷🎉', ['jazz', '🎷', '🎉']],
    ['50% off, "now"', ['50', 'off', 'now']],
    ['', []],
    ['%_\\ ; -- ()', []],
  ])('%j', (text, words) => expect(wordsOf(text)).toEqual(words));
});

test('a long word is truncated the same way in texts and searches', () => {
  const word = 'x'.repeat(5_000);
  expect(wordsOf(word)).toEqual(searchedWords(word));
  expect(wordsOf(word)[0]).toHaveLength(40);
});

test('a search keeps the order of its words, and keeps repeated words', () =>
  expect(searchedWords('The Go-Go The')).toEqual(['the', 'go', 'go', 'the']));

test.each([
  ['#LiveDJ', 'livedj', ['live', 'livedj', 'dj']],
  ['#UStreet', 'ustreet', ['u', 'ustreet', 'street']],
  ['rooftop', 'rooftop', ['rooftop']],
  ['#שלום', 'שלום', ['שלום']],
])('the tag %s is compared as %s', (tag, key, words) => {
  expect(tagKey(tag)).toBe(key);
  expect(new Set(wordsOfTag(tag))).toEqual(new Set(words));
});
