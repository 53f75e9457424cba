import { expect, test } from 'vitest';
import { distanceMeters } from './distance.ts';
import { PLACES } from './gazetteer.ts';
import { placesNear } from './near.ts';

const metroCenter = { lat: 38.8983, lon: -77.0281 };

test('distances are distances over the ground', () => {
  // One degree of latitude on a sphere with the mean radius.
  expect(distanceMeters({ lat: 38, lon: -77 }, { lat: 39, lon: -77 })).toBeCloseTo(111_195, -1);
  expect(distanceMeters(metroCenter, metroCenter)).toBe(0);
  expect(distanceMeters({ lat: 0, lon: 179.5 }, { lat: 0, lon: -179.5 })).toBeCloseTo(111_195, -1);
  // Half the circumference of the earth, where rounding may leave the domain of the arcsine.
  expect(distanceMeters({ lat: 0, lon: 0 }, { lat: 0, lon: 180 })).toBeCloseTo(Math.PI * 6_371_008.8, 0);
});

test('places near a position are listed nearest first, none beyond the radius', () => {
  const near = placesNear(metroCenter.lat, metroCenter.lon, 500);
  expect(near[0]).toMatchObject({ meters: 0, place: { name: 'Metro Center', kind: 'station' } });
  expect(near.map(({ meters }) => meters)).toEqual(near.map(({ meters }) => meters).toSorted((a, b) => a - b));
  const names = near.map(({ place }) => place.name);
  expect(names).toEqual(expect.arrayContaining(['Warner Theatre', 'Downtown', 'Planet Word']));
  expect(names).not.toContain('Dupont Circle');
  expect(PLACES.filter((place) => distanceMeters(metroCenter, place) <= 500)).toHaveLength(near.length);
});

test('nothing is near in the ocean, everything within the radius of the earth', () => {
  expect(placesNear(30, -50, 100_000)).toEqual([]);
  expect(placesNear(38.9, -77, 20_000_000)).toHaveLength(PLACES.length);
});

test.each([
  [Number.NaN, -77, 1],
  [91, -77, 1],
  [38.9, 181, 1],
  [38.9, -77, Number.NaN],
  [38.9, -77, -1],
])('refuses %d, %d, %d', (lat, lon, radius) => expect(() => placesNear(lat, lon, radius)).toThrow(RangeError));
