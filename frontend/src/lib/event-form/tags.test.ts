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

test('tags are unique regardless of case', () => expect(withTags(['#jazz'], '#Jazz').tags).toEqual(['#jazz']));

test.each([
  ['Two words!', 'A tag is one word, letters and numbers only, such as #TwoWords.'],
  ['go-go', 'A tag is one word, letters and numbers only, such as #goGo.'],
  ['jazz, r&b', 'A tag is one word, letters and numbers only, such as #rB.'],
  ['!!', 'A tag is one word, letters and numbers only.'],
])('%o is refused, not converted', (typed, error) =>
  expect(withTags(['#art'], typed)).toEqual({ tags: ['#art'], error }),
);
