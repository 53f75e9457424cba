import { describe, expect, test } from 'vitest';
import { isInside, metersToEdge, readAtlas, ringsOf, stateOf } from '../scripts/atlas.ts';
import { METRO_ROUTES, type MetroLine } from './data/metro.ts';
import { distanceMeters } from './distance.ts';
import { PLACES, type Place, placeLabel } from './gazetteer.ts';
import { placesNear } from './near.ts';

const ofKind = (kind: Place['kind']) => PLACES.filter((place) => place.kind === kind);
const stations = new Map(ofKind('station').map((place) => [place.name, place]));

test('each place has a unique id and label, in plain characters', () => {
  expect(new Set(PLACES.map(({ id }) => id))).toHaveProperty('size', PLACES.length);
  expect(new Set(PLACES.map(placeLabel))).toHaveProperty('size', PLACES.length);
  expect(PLACES.filter(({ id }) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(id))).toEqual([]);
  expect(PLACES.length).toBeGreaterThan(500);
});

test('no place has the same name twice', () => {
  const twice = PLACES.filter(({ name, otherNames }) => new Set([name, ...otherNames]).size <= otherNames.length);
  expect(twice.map(({ id }) => id)).toEqual([]);
});

test('each place is in its state, or on a shore that the coarse outline cuts off', () => {
  const atlas = readAtlas();
  const rings = Object.fromEntries(
    Object.entries({ DC: '11', MD: '24', VA: '51' }).map(([state, fips]) => [
      state,
      ringsOf(stateOf(atlas, fips).geometry),
    ]),
  );
  const outside = PLACES.filter(({ state, lat, lon }) => {
    const at = [lon, lat];
    return !isInside(at, rings[state]!) && metersToEdge(at, rings[state]!) > 600;
  });
  expect(outside.map(({ id }) => id)).toEqual([]);
});

test('a place in a known town is near that town', () => {
  const far = PLACES.filter(({ kind }) => kind !== 'town' && kind !== 'station').filter((place) => {
    const town = PLACES.find(
      ({ kind, name, state }) => kind === 'town' && name === place.city && state === place.state,
    );
    return town !== undefined && distanceMeters(place, town) > 12_000;
  });
  expect(far.map(({ id }) => id)).toEqual([]);
});

test.each([
  // Pairs with known distances, from blocks of the grid, the length of the Mall, or published distances.
  ['Lincoln Memorial', 'Washington Monument', 1_280],
  ['Washington Monument', 'United States Capitol', 2_280],
  ['White House', 'United States Capitol', 2_530],
  ['Nationals Park', 'Audi Field', 690],
  ['9:30 Club', 'The Howard Theatre', 375],
  ['M&T Bank Stadium', 'Oriole Park at Camden Yards', 670],
  ['Washington', 'Baltimore', 56_000],
  ['Washington', 'Annapolis', 48_000],
  ['Washington', 'Frederick', 65_000],
  ['Washington', 'Richmond', 156_000],
])('the distance from %s to %s is right', (one, other, meters) => {
  const [a, b] = [one, other].map((name) => PLACES.find((place) => place.name === name)!);
  const found = distanceMeters(a!, b!);
  expect(Math.abs(found - meters) / meters).toBeLessThan(0.1);
});

describe('Metro', () => {
  test('has 98 stations, each on a line; Metro Center is on four lines', () => {
    expect(stations.size).toBe(98);
    expect([...stations.values()].filter(({ lines }) => !lines || lines.length === 0)).toEqual([]);
    expect(stations.get('Metro Center')!.lines!.toSorted()).toEqual(['blue', 'orange', 'red', 'silver']);
  });

  // The transit authority's lengths in km. Straight lines between stations are somewhat shorter.
  const lengths: Record<MetroLine, number> = {
    red: 51.2,
    orange: 42.6,
    silver: 66.1,
    blue: 48.8,
    green: 37,
    yellow: 36,
  };

  test.each(METRO_ROUTES.map(({ line, stops }) => [line, stops[0]!, stops.at(-1)!, stops] as const))(
    'the %s line from %s to %s runs between neighboring stations',
    (line, first, _last, names) => {
      const stops = names.map((name) => stations.get(name)!);
      expect(stops).not.toContain(undefined);
      const steps = stops.slice(1).map((stop, index) => distanceMeters(stops[index]!, stop));
      expect(Math.min(...steps)).toBeGreaterThan(300);
      expect(Math.max(...steps)).toBeLessThan(9_500);
      // A stop that is out of order or misplaced would cause a detour.
      for (const [index, stop] of stops.entries()) {
        const [before, after] = [stops[index - 1], stops[index + 1]];
        if (!before || !after) continue;
        const around = distanceMeters(before, stop) + distanceMeters(stop, after);
        expect(around, stop.name).toBeLessThan(2.6 * distanceMeters(before, after));
      }
      if (first === 'Stadium-Armory') return;
      const length = steps.reduce((sum, step) => sum + step, 0) / 1000;
      expect(length).toBeGreaterThan(0.87 * lengths[line]);
      expect(length).toBeLessThan(1.01 * lengths[line]);
    },
  );

  test('a station and the neighborhood with its name are close together', () => {
    for (const { name, lat, lon } of ofKind('neighborhood')) {
      const station = stations.get(name);
      if (!station) continue;
      expect(
        placesNear(lat, lon, 1_700).map(({ place }) => place.name),
        name,
      ).toContain(station.name);
    }
  });
});
