import { SaveSearchBody } from '@beltway/contracts/catalog/saved-searches';
import { describe, expect, test } from 'vitest';
import { HERE, NO_FILTER, searchOf, type EventFilter } from '../filter.ts';
import { factsOf, filterOfKept, keptSearchOf, pathOfKept } from './kept-search.ts';

const now = new Date('2026-12-01T12:00:00Z');
const here = { lat: 38.90719, lon: -77.03687 };
const keep = (filter: Partial<EventFilter>, position: typeof here | null = null) =>
  keptSearchOf({ ...NO_FILTER, ...filter }, position, now);
const kept = (filter: Partial<EventFilter>) => (keep(filter) as { search: Record<string, string> }).search;

const FILTERS: Array<Partial<EventFilter>> = [
  { q: 'jazz' },
  { q: 'jazz', when: 'tonight' },
  { when: 'weekend' },
  { when: 'tomorrow', free: '1' },
  { when: '2026-12-05' },
  // The night on which the clocks go back makes this day 25 hours long.
  { when: '2027-11-07' },
  { category: 'music' },
  { category: 'community' },
  { line: 'red' },
  { line: 'green', tag: '#rooftop,#free' },
  { near: 'Dupont Circle, DC', radius: '5', sort: 'nearest' },
  { maxPrice: '20', onSale: '1', sort: 'popular', q: 'go-go' },
];

describe('a search of the home page', () => {
  test.each(FILTERS)('is saved, and opens with the same results: %o', (filter) => {
    const search = kept(filter);
    expect(SaveSearchBody.safeParse({ name: 'Mine', search }).error).toBeUndefined();
    const opened = filterOfKept(search)!;
    // A line with a single category is saved as that category.
    expect(searchOf(opened, null, now).toString()).toBe(searchOf({ ...NO_FILTER, ...filter }, null, now).toString());
    expect(pathOfKept(search)).toMatch(/^\/\?./);
  });

  test('keeps relative days as words, and dates as dates', () => {
    expect(kept({ q: 'jazz', when: 'weekend' })).toEqual({ q: 'this weekend jazz' });
    expect(kept({ when: '2026-12-05' })).toEqual({
      from: '2026-12-05T05:00:00.000Z',
      to: '2026-12-06T05:00:00.000Z',
    });
    expect(kept({ q: 'jazz tonight', when: 'weekend' })).toEqual({ q: 'jazz tonight' });
  });

  test('near the device is saved with the rounded position; without a position it is refused', () => {
    expect(keep({ near: HERE, radius: '2' }, here)).toEqual({ search: { near: '38.91,-77.04', radius: '2' } });
    expect(keep({ near: HERE, q: 'jazz' })).toHaveProperty('problem');
    expect(factsOf({ ...NO_FILTER, near: '38.91,-77.04' })).toEqual(['Within 10 miles of a kept position']);
  });

  test('is refused if the text is too long to add the day as a word', () => {
    expect(keep({ q: 'a'.repeat(200), when: 'tonight' })).toHaveProperty('problem');
    expect(keep({ q: 'a'.repeat(200) })).toHaveProperty('search');
  });
});

test.each<Record<string, string>>([
  { organizer: '7' },
  { category: 'music,food' },
  { from: '2026-12-05' },
  { from: '2026-12-05', to: '2026-12-07' },
])('a search that the page cannot display has no link: %o', (search) => {
  expect(pathOfKept(search)).toBeNull();
});

test('a day saved by an API client opens as that day', () => {
  expect(filterOfKept({ from: '2026-12-05', to: '2026-12-05' })?.when).toBe('2026-12-05');
});

test('is described in the words of the page', () => {
  expect(
    factsOf({
      ...NO_FILTER,
      q: 'jazz',
      category: 'music',
      when: 'weekend',
      free: '1',
      maxPrice: '20',
      near: 'Shaw',
      onSale: '1',
      tag: '#rooftop',
    }),
  ).toEqual(['‘jazz’', 'Music', '#rooftop', 'This weekend', 'Free', 'Up to $20', 'Within 10 miles of Shaw', 'On sale']);
});
