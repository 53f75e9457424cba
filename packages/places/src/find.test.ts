import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { distanceMeters } from './distance.ts';
import { findPlace, isApproximate } from './find.ts';
import { PLACES } from './gazetteer.ts';
import { suggestPlaces } from './suggest.ts';

/**
 * Locations as people write them, with the expected match (`name`, `typo` or `within`) and id of the place; null if
 * ambiguous.
 */
const golden: [text: string, expected: string | null][] = [
  ['U St', 'name u-street-dc'],
  ['u street corridor', 'name u-street-dc'],
  ['#UStreet', 'name u-street-dc'],
  ['DCA', 'name reagan-national-airport-arlington-va-airport'],
  ['The Anthem', 'name the-anthem-dc-venue'],
  ['anthem', 'name the-anthem-dc-venue'],
  ['Adams Morgan, Washington, DC', 'name adams-morgan-dc'],
  ['ADAMS-MORGAN', 'name adams-morgan-dc'],
  ['  adams   morgan ,dc ', 'name adams-morgan-dc'],
  ['Ádams Mórgan', 'name adams-morgan-dc'],
  ['Shaw', 'name shaw-dc'],
  ['Shaw-Howard U', 'name shaw-howard-u-dc-station'],
  ['Dupont Circle', 'name dupont-circle-dc'],
  ['Dupont Circle Metro', 'name dupont-circle-dc-station'],
  ['near Bethesda Metro station', 'name bethesda-md-station'],
  ['Bethesda, MD', 'name bethesda-md'],
  ['Chevy Chase, DC', 'name chevy-chase-dc'],
  ['Chevy Chase, Maryland', 'name chevy-chase-md'],
  ['Brentwood', null],
  ['Brentwood, MD', 'name brentwood-md'],
  ['Georgetwon', 'typo georgetown-dc'],
  ['Rockvile, MD', 'typo rockville-md'],
  ['Annapollis', 'typo annapolis-md'],
  ['Rockvilla', 'typo rockville-md'],
  ['Laure', null],
  ['Capital Hill', 'typo capitol-hill-dc'],
  ['Columbia Hights', 'typo columbia-heights-dc'],
  ['Columbia Hts NW', 'name columbia-heights-dc'],
  ['Fredricksberg, VA', 'typo fredericksburg-va'],
  ['9:30 Club', 'name 9-30-club-dc-venue'],
  ['930 club', 'name 9-30-club-dc-venue'],
  ['9:20 Club', null],
  ['The Anthem, 901 Wharf St SW, Washington, DC 20024', 'name the-anthem-dc-venue'],
  ['Kennedy Center Concert Hall', 'within kennedy-center-dc-venue'],
  ["Jo's Bar, Leesburg, VA 20175", 'within leesburg-va'],
  ['Jazz at Blues Alley', 'within blues-alley-dc-venue'],
  ['Rooftop @ The Wharf', 'within the-wharf-dc'],
  ['North at Bethesda', 'within bethesda-md'],
  ['Silver at Spring', null],
  ['Oriole Park at Camden Yards', 'name oriole-park-at-camden-yards-baltimore-md-venue'],
  ['Jiffy Lube Live, Manassas', 'name jiffy-lube-live-bristow-va-venue'],
  ['The Anthem, Baltimore', 'within baltimore-md'],
  ['Mt. Vernon Sq.', 'name mount-vernon-square-dc'],
  ['Mount Vernon', null],
  ['Mount Vernon, VA', 'name george-washingtons-mount-vernon-mount-vernon-va-museum'],
  ['Ft. Totten', 'name fort-totten-dc'],
  ['St. Elizabeths East Arena', 'name carefirst-arena-dc-venue'],
  ["Tyson's Corner", 'name tysons-va'],
  ['L’Enfant Plaza', 'name lenfant-plaza-dc-station'],
  ['Merriweather Post Pavillion', 'typo merriweather-post-pavilion-columbia-md-venue'],
  ['H Street NE', 'name h-street-corridor-dc'],
  ['H Street NW', null],
  ['16th Street', null],
  ['Rhode Island Ave', null],
  ['Rhode Island Avenue Metro', 'name rhode-island-ave-dc-station'],
  ['Columbia Road NW', null],
  ['Washington, D.C.', 'name washington-dc'],
  ['1201 U Street NW, Washington, DC 20009', 'within washington-dc'],
  ['Washington', 'name washington-dc'],
  ['Georgetown, Washington', 'name georgetown-dc'],
  ['Seattle, Washington', null],
  ['Capitol Hill, Seattle, WA', null],
  ['Walk-in, Bethesda', 'within bethesda-md'],
  ['California, MD', null],
  ['Arlington, TX, USA', null],
  ['Bethesda, MD, USA', 'name bethesda-md'],
  ['University of Maryland, Baltimore County', 'name university-of-maryland-baltimore-county-baltimore-md-university'],
  ['Washington, VA', null],
  ['Maryland', null],
  ['Union Station, Chicago', null],
  ['Union Station Chicago', null],
  ['Arlington, TX', null],
  ['Arlington, VA 10001', null],
  ['Georgetown, Guyana', null],
  ['Brooklyn', null],
  ['Brookline', null],
  ['Charles Town, West Virginia', null],
  ['Fairfax Ave, Los Angeles', null],
  ['Chevy Chase, MD, DC', null],
  ['Online', null],
  ['TBD', null],
  ['mall', null],
  ['', null],
];

const pieces = [
  'Bethesda',
  'Shaw',
  'Georgetown',
  'Washington',
  'Union Station',
  'The Anthem',
  ', ',
  ' ',
  ' at ',
  ' (',
  'DC',
  'MD',
  'TX',
  'Zoom',
  '20001',
  'St',
  'Metro',
  '-',
  'North',
  'Hall',
];
const lettersOf = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '');

test.each(golden)('%j', (text, expected) => {
  const found = findPlace(text);
  expect(found && `${found.match} ${found.place.id}`).toBe(expected);
});

test('the golden list has at least sixty queries', () => expect(golden.length).toBeGreaterThanOrEqual(60));

test('each place is found by its name and state, unless another place has both', () => {
  const missed = PLACES.filter(({ name, kind, state }) => {
    const text = kind === 'station' ? `${name} Metro, ${state}` : `${name}, ${state}`;
    return findPlace(text)?.place.name !== name;
  });
  expect(missed.map(({ id }) => id)).toEqual([]);
});

describe('any text is accepted', () => {
  test('with any characters', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
        findPlace(text);
        suggestPlaces(text);
      }),
    ));

  test('in any composition of names: a place that is found is named in the text', () =>
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 6 }), (parts) => {
        const text = parts.join('');
        const found = findPlace(text);
        if (!found || found.match === 'typo') return;
        const names = [found.place.name, ...found.place.otherNames].map(lettersOf);
        expect(
          names.some((name) => lettersOf(text).includes(name)),
          `${text} -> ${found.place.name}`,
        ).toBe(true);
      }),
    ));

  test.each([
    ['ten thousand letters', 'a'.repeat(10_000)],
    ['ten thousand words', 'georgetown '.repeat(1_000)],
    ['emoji', '🎉'.repeat(140)],
    ['right to left', `\u202e${'واشنطن '.repeat(40)}`],
    ['letters under a pile of accents', `G${'\u0337'.repeat(290)}`],
    ['letters that become many', 'ﷺ'.repeat(300)],
    ['half of a pair', '\ud83c'.repeat(300)],
    ['commas', ','.repeat(300)],
    ['at', 'at '.repeat(99)],
    ['names of objects', 'constructor, __proto__, toString'],
    ['a place behind more than a location holds', `Bethesda, MD${' '.repeat(300)}`],
    ['a place before more parts than an address has', `Bethesda${', 1'.repeat(9)}`],
    ['NUL', '\0'.repeat(300)],
  ])('%s', (_what, text) => expect(findPlace(text)).toBeNull());

  test('a homoglyph is not mistaken for its look-alike', () => expect(findPlace('Вethesda')).toBeNull());
});

test('a typo never leads to another place: any name with any one letter missing', () => {
  const wrong: string[] = [];
  for (const place of PLACES) {
    const { name, state } = place;
    for (let at = 0; at < name.length; at++) {
      const text = `${name.slice(0, at)}${name.slice(at + 1)}, ${state}`;
      const found = findPlace(text);
      if (found?.match === 'typo' && found.place.name !== name && distanceMeters(found.place, place) > 3_000) {
        wrong.push(`${text} -> ${found.place.name}`);
      }
    }
  }
  expect(wrong).toEqual([]);
});

test.each([
  ["Jo's Bar, Leesburg, VA", true],
  ['1600 Pennsylvania Ave NW, Washington, DC', true],
  ['The Odd Bar, Shaw, Washington, DC', true],
  ['Washington, DC', true],
  ['Shaw, Washington, DC', false],
  ['Bethesda, MD', false],
  ['9:30 Club, 815 V St NW, Washington, DC', false],
  ['Rooftop, Kennedy Center', false],
])('whether %j names only its surrounding area: %s', (text, expected) =>
  expect(isApproximate(findPlace(text)!)).toBe(expected),
);
