import type { Feature, MultiLineString, Position } from 'geojson';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { isInside, metersToEdge } from '../../scripts/atlas.ts';
import { buildLabels, collide, LABEL_ZOOMS } from '../../scripts/build-labels.ts';
import { buildOutlines } from '../../scripts/build-outlines.ts';
import { METRO_ROUTES } from '../data/metro.ts';
import { PLACES } from '../gazetteer.ts';
import { LABELS } from './labels.ts';
import { OUTLINES } from './outlines.ts';

const place = (id: string) => PLACES.find((one) => one.id === id)!;
const at = ({ lat, lon }: { lat: number; lon: number }): Position => [lon, lat];

const water = OUTLINES.water.features.map(({ geometry }) => geometry.coordinates);
const isWater = (position: Position) => water.some((rings) => isInside(position, rings));

const linesOf = (ref: string) =>
  OUTLINES.roads.features
    .filter(({ properties }) => properties.ref === ref)
    .flatMap(({ geometry }: Feature<MultiLineString>) => geometry.coordinates);
const ring = OUTLINES.roads.features
  .filter(({ properties }) => properties.kind === 'beltway')
  .flatMap(({ geometry }) => geometry.coordinates);

test('the bundled map matches the output of the scripts', () => {
  expect(JSON.parse(JSON.stringify(buildOutlines()))).toEqual(OUTLINES);
  expect(buildLabels()).toEqual(LABELS);
});

test('the map has less than 150 KB, and less than 45 KB compressed', () => {
  const files = ['outlines.json', 'labels.json'].map((name) => readFileSync(new URL(name, import.meta.url)));
  expect(files.reduce((sum, file) => sum + file.length, 0)).toBeLessThan(150_000);
  expect(files.reduce((sum, file) => sum + gzipSync(file).length, 0)).toBeLessThan(45_000);
});

describe('water', () => {
  test.each([
    ['Potomac below Key Bridge', 38.9017, -77.0685],
    ['Potomac at Arlington Memorial Bridge', 38.8873, -77.0552],
    ['Potomac at the Wilson Bridge', 38.793, -77.035],
    ['Potomac off Mount Vernon', 38.703, -77.083],
    ['Potomac at the Nice Bridge', 38.361, -77.0],
    ['Potomac at Harpers Ferry', 39.3225, -77.715],
    ['Washington Channel', 38.874, -77.0235],
    ['Anacostia at the 11th Street Bridge', 38.8715, -76.99],
    ['Anacostia at Benning Bridge', 38.8975, -76.9605],
    ['Tidal Basin', 38.8842, -77.0385],
    ['the Bay under its bridge', 38.995, -76.37],
    ['the Bay off Calvert Cliffs', 38.4, -76.36],
    ['the Bay off Point Lookout', 38.02, -76.28],
    ['Patapsco at Fort McHenry', 39.25, -76.56],
    ['Severn at the Naval Academy', 38.99, -76.483],
    ['the Atlantic', 38.3, -74.9],
    ['Delaware Bay', 39.1, -75.2],
  ])('%s', (_what, lat, lon) => expect(isWater([lon, lat])).toBe(true));

  test('contains no place, except on a pier or an island', () => {
    // Places may be in the water up to this far from the shore, because the map draws wharves on either side of the
    // shore.
    const wet = PLACES.filter((one) => {
      if (!isWater(at(one))) return false;
      return Math.min(...water.map((rings) => metersToEdge(at(one), rings))) > 150;
    });
    expect(wet.map(({ id }) => id)).toEqual(['tidal-basin-dc-park']);
  });

  test('Theodore Roosevelt Island and East Potomac Park are land', () => {
    expect(isWater(at(place('theodore-roosevelt-island-dc-park')))).toBe(false);
    expect(isWater(at(place('east-potomac-park-dc-park')))).toBe(false);
  });
});

describe('the Beltway', () => {
  test('is one closed ring of 64 miles', () => {
    expect(ring).toHaveLength(1);
    expect(ring[0]!.at(-1)).toEqual(ring[0]![0]);
    const meters = ring[0]!.slice(1).reduce((sum, [x, y], i) => {
      const [a, b] = ring[0]![i]! as [number, number];
      return sum + Math.hypot((x! - a) * 111_195 * Math.cos((b * Math.PI) / 180), (y! - b) * 111_195);
    }, 0);
    expect(meters / 1609.344).toBeGreaterThan(61);
    expect(meters / 1609.344).toBeLessThan(66);
  });

  test.each([
    'bethesda-md',
    'silver-spring-md',
    'takoma-park-md',
    'college-park-md',
    'greenbelt-md-station',
    'new-carrollton-md-station',
    'branch-ave-md-station',
    'medical-center-md-station',
    'van-dorn-street-va-station',
    'eisenhower-ave-va-station',
    'alexandria-va',
    'annandale-va',
    'falls-church-va',
    'mclean-va',
    'mclean-va-station',
    'washington-dc',
  ])('%s is inside', (id) => expect(isInside(at(place(id)), ring)).toBe(true));

  test.each([
    'forest-glen-md-station',
    'grosvenor-strathmore-md-station',
    'wheaton-md',
    'beltsville-md',
    'downtown-largo-md-station',
    'franconia-springfield-va-station',
    'huntington-va-station',
    'dunn-loring-va-station',
    'tysons-va',
    'springfield-va',
    'national-harbor-md',
    'burke-va',
    'potomac-md',
  ])('%s is outside', (id) => expect(isInside(at(place(id)), ring)).toBe(false));
});

test.each([
  ['I-66', 'vienna-va-station', 300],
  ['I-66', 'east-falls-church-va-station', 300],
  ['I-66', 'ballston-arlington-va', 1_200],
  ['I-395', 'pentagon-va-station', 500],
  ['I-395', 'shirlington-arlington-va', 800],
  ['I-95', 'laurel-md', 2_500],
  ['I-95', 'woodbridge-va', 1_500],
  ['I-270', 'rockville-md', 1_500],
  ['I-270', 'frederick-md', 2_500],
  ['I-70', 'frederick-md', 2_500],
  ['I-97', 'bwi-airport-linthicum-md-airport', 3_500],
  ['VA-267', 'wiehle-reston-east-va-station', 300],
  ['VA-267', 'innovation-center-va-station', 400],
  ['VA-267', 'ashburn-va-station', 400],
  ['US-50', 'annapolis-md', 2_500],
  ['Wisconsin Ave', 'friendship-heights-dc-station', 150],
  ['Pennsylvania Ave', 'eastern-market-dc-station', 150],
  ['U St', 'u-street-dc-station', 150],
  ['H St', 'h-street-corridor-dc', 100],
])('%s passes %s', (ref, id, meters) => {
  const one = PLACES.find((candidate) => candidate.id === id);
  expect(one, id).toBeDefined();
  expect(metersToEdge(at(one!), linesOf(ref))).toBeLessThan(meters);
});

describe('Metro', () => {
  const tracks = OUTLINES.metro.features;

  test('each line stops at each of its stations', () => {
    for (const { line, stops } of METRO_ROUTES) {
      const own = tracks
        .filter(({ properties }) => properties.lines.includes(line))
        .map((one) => one.geometry.coordinates);
      const missed = stops.filter((stop) => {
        const station = PLACES.find(({ kind, name }) => kind === 'station' && name === stop)!;
        return metersToEdge(at(station), own) > 15;
      });
      expect(missed, line).toEqual([]);
    }
  });

  test('no two lines are drawn over each other: each segment of track exists once', () => {
    const steps = tracks.flatMap(({ geometry: { coordinates } }) =>
      coordinates.slice(1).map((to, i) => [String(coordinates[i]), String(to)].toSorted().join(' > ')),
    );
    expect(new Set(steps)).toHaveProperty('size', steps.length);
  });
});

describe('names on the map', () => {
  test('do not overlap at any zoom', () => {
    for (let zoom = LABEL_ZOOMS.first; zoom <= LABEL_ZOOMS.last; zoom++) {
      const shown = LABELS.filter((label) => label.zoom <= zoom);
      const hidden = shown.filter((one, i) => shown.slice(0, i).some((other) => collide(zoom, one, other)));
      expect(
        hidden.map(({ text }) => text),
        `zoom ${zoom}`,
      ).toEqual([]);
    }
  });

  test('appear in order of priority when zooming in', () => {
    const first = (text: string) => LABELS.find((label) => label.text === text)?.zoom;
    expect(first('Washington')).toBe(8);
    expect(first('Baltimore')).toBe(8);
    expect(first('Silver Spring')).toBe(10);
    expect(first('Georgetown')).toBeLessThanOrEqual(13);
    expect(first('Metro Center')).toBeLessThanOrEqual(15);
    expect(first('The Anthem')).toBe(15);
  });
});
