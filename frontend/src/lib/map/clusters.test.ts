import { expect, test } from 'vitest';
import { clusterer } from './clusters.ts';
import { MAX_ZOOM } from './surface.ts';

interface Spot {
  id: number;
  lat: number;
  lon: number;
}
const region = { west: -180, south: -85, east: 180, north: 85 };
const clustersOf = (spots: Spot[], zoom: number) =>
  clusterer(
    spots,
    ({ id }) => id,
    (spot) => spot,
  )({ ...region, zoom });

const dupont: Spot = { id: 1, lat: 38.9095, lon: -77.0436 };
const bethesda: Spot = { id: 2, lat: 38.9843, lon: -77.0944 };

test('overlapping events form a cluster with the zoom at which it splits', () => {
  const [joined] = clustersOf([dupont, bethesda], 8);
  expect(joined?.items).toHaveLength(2);
  expect(clustersOf([dupont, bethesda], joined!.apartAt!)).toHaveLength(2);
});

test('events at one place stay together at every zoom, and no event is lost', () => {
  const many = Array.from({ length: 120 }, (_, at) => ({ ...dupont, id: at + 1 }));
  for (let zoom = 8; zoom <= MAX_ZOOM; zoom++) {
    const [all, ...others] = clustersOf(many, zoom);
    expect(others).toEqual([]);
    expect(all?.apartAt).toBeNull();
    expect(new Set(all?.items.map(({ id }) => id)).size).toBe(120);
  }
});

test('a marker keeps its key while its events stay the same', () => {
  const keys = (spots: Spot[]) => clustersOf(spots, 9).map(({ key }) => key);
  expect(keys([dupont, bethesda])).toEqual(keys([bethesda, dupont]));
});

test('an invalid position throws a RangeError', () => {
  expect(() => clustersOf([{ id: 1, lat: 91, lon: 0 }], 9)).toThrow(RangeError);
  expect(() => clustersOf([{ id: 1, lat: NaN, lon: 0 }], 9)).toThrow(RangeError);
});
