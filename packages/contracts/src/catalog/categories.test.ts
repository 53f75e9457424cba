import { expect, test } from 'vitest';
import { CATEGORIES, CATEGORY_NAMES, categoryOf } from './categories.ts';

test.for([
  [['#liveDJ', '#free'], 'red'],
  [['#food', '#free'], 'orange'],
  [['#nightlife', '#rooftop'], 'silver'],
  [['#UStreet'], 'silver'],
  [['#art'], 'blue'],
  [['#rooftop'], 'green'],
  [['#free'], 'yellow'],
  [['#party'], 'silver'],
  [['#something-else'], 'yellow'],
  [[], 'yellow'],
] as const)('gives %j the %s line', ([tags, line]) => expect(categoryOf(tags).line).toBe(line));

test.for([
  [['#kids', '#free'], 'family'],
  [['#free'], 'community'],
  [['#yoga'], 'sports'],
  [['#something-else'], 'other'],
  [[], 'other'],
] as const)('gives %j the category %s', ([tags, name]) => expect(categoryOf(tags).name).toBe(name));

test('each category except the last has its own words', () =>
  expect([...CATEGORIES.map(({ name }) => name), 'other']).toEqual([...CATEGORY_NAMES]));
