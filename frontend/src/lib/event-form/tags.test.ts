import { expect, test } from 'vitest';
import { withTags } from './tags.ts';

test.each([
  ['jazz', ['#jazz']],
  [' #jazz ', ['#jazz']],
  ['jazz, #BluesRock', ['#jazz', '#BluesRock']],
  ['#', []],
  ['Fête2030', ['#Fête2030']],
  ['संगीत', ['#संगीत']],
  ['音楽', ['#音楽']],
])('%o is taken as typed', (typed, tags) => expect(withTags([], typed)).toEqual({ tags, error: null }));

test('none twice, whatever its case', () => expect(withTags(['#jazz'], '#Jazz').tags).toEqual(['#jazz']));

test.each([
  ['Two words!', 'A tag is one word of letters and digits, such as #TwoWords.'],
  ['go-go', 'A tag is one word of letters and digits, such as #goGo.'],
  ['jazz, r&b', 'A tag is one word of letters and digits, such as #rB.'],
  ['!!', 'A tag is one word of letters and digits.'],
])('%o is refused, and not made into another word', (typed, error) =>
  expect(withTags(['#art'], typed)).toEqual({ tags: ['#art'], error }),
);
