import { expect, test } from 'vitest';
import { todayRange, tomorrowRange, tonightRange, weekendRange } from '../common/day-ranges.ts';
import { readSearchText } from './search-text.ts';

const now = new Date('2026-12-01T17:00:00Z');
const nothing = { free: false, maxPriceCents: null, range: null };

test.each([
  ['free jazz tonight', { words: 'jazz', free: true, range: tonightRange(now) }],
  ['Jazz this weekend', { words: 'Jazz', range: weekendRange(now) }],
  ['this evening, jazz', { words: 'jazz', range: tonightRange(now) }],
  ['brunch tomorrow!', { words: 'brunch', range: tomorrowRange(now) }],
  ['FREE', { words: '', free: true }],
  ['free entry yoga today', { words: 'yoga', free: true, range: todayRange(now) }],
  ['comedy under $20', { words: 'comedy', maxPriceCents: 2000 }],
  ['comedy less than 20 dollars', { words: 'comedy', maxPriceCents: 2000 }],
  ['comedy under $12,50', { words: 'comedy', maxPriceCents: 1250 }],
  ['comedy under $12.50, tonight', { words: 'comedy', maxPriceCents: 1250, range: tonightRange(now) }],
  ['gala up to 1,250 dollars', { words: 'gala', maxPriceCents: 125_000 }],
  ['gala under $0,500', { words: 'gala under $0,500' }],
  ['under 21', { words: 'under 21' }],
  ['freedom', { words: 'freedom' }],
  ['gluten-free', { words: 'gluten-free' }],
  ['#free', { words: '#free' }],
  ['"free solo" film', { words: 'free solo film' }],
  ['"tonight', { words: 'tonight' }],
  ['the weekend', { words: 'the weekend' }],
  ['today tomorrow', { words: 'tomorrow', range: todayRange(now) }],
  ['', { words: '' }],
])('understands %j', (text, said) => expect(readSearchText(text, now)).toEqual({ ...nothing, ...said }));

test('takes no long time over any text', () => {
  for (const piece of ['free ', '"', 'this ', 'under $', ' ', '\u202e', '😀'])
    expect(readSearchText(piece.repeat(20_000), now).words.length).toBeLessThan(200_000);
});
