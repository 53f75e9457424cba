import { expect, test } from 'vitest';
import { suggestPlaces } from './suggest.ts';

const named = (typed: string, limit?: number) => suggestPlaces(typed, limit).map(({ id }) => id);

test.each([
  ['du', 'dupont-circle-dc'],
  ['Anth', 'the-anthem-dc-venue'],
  ['the ant', 'the-anthem-dc-venue'],
  ['silver', 'silver-spring-md'],
  ['SILVER SPR', 'silver-spring-md'],
  ['u st', 'u-street-dc'],
  ['dca', 'reagan-national-airport-arlington-va-airport'],
  ['wharf', 'the-wharf-dc'],
  ['takoma p', 'takoma-park-md'],
  ['9:30', '9-30-club-dc-venue'],
  ['nats', 'nationals-park-dc-venue'],
])('%j suggests %s first', (typed, id) => expect(named(typed)[0]).toBe(id));

test('suggests each place once, at most the requested number and never more than fifty', () => {
  expect(named('bethesda')).toEqual([...new Set(named('bethesda'))]);
  expect(named('c', 3)).toHaveLength(3);
  expect(named('c', 1e9)).toHaveLength(50);
  expect(named('c', 0)).toEqual([]);
  expect(named('c', -1)).toEqual([]);
  expect(named('c', Number.NaN)).toEqual([]);
});

test('text that begins no name suggests nothing', () => {
  for (const typed of ['', ' ', '…', 'zzz', '🎉', 'واشنطن', 'x'.repeat(10_000), '.*', '\\', '%']) {
    expect(suggestPlaces(typed)).toEqual([]);
  }
});
