import { expect, test } from 'vitest';
import { findPlace } from './find.ts';
import { PLACES } from './gazetteer.ts';
import { journeysFrom, nearestStation, walkMinutes } from './journey.ts';

const at = (name: string) => findPlace(name)!.place;
const station = (name: string) => at(`${name} Metro`);
const byMetro = (from: string, to: string) => {
  const journey = journeysFrom(station(from))(station(to));
  if (journey?.by !== 'metro') throw new Error(`${from} to ${to}: ${journey?.by ?? 'no way'}`);
  return journey;
};

test('walking speed is 80 meters a minute, on paths 1.3 times the straight line', () => {
  // A thousandth of a degree of latitude is 111.2 meters.
  expect(walkMinutes({ lat: 38.9, lon: -77 }, { lat: 38.91, lon: -77 })).toBeCloseTo((1_112 * 1.3) / 80, 1);
});

test('nearby places are reached on foot, in whole minutes', () => {
  const here = at('Dupont Circle');
  expect(journeysFrom(here)(here)).toEqual({ by: 'walk', minutes: 0 });
  expect(journeysFrom(here)({ lat: here.lat + 0.005, lon: here.lon })).toEqual({ by: 'walk', minutes: 10 });
});

test('one line from end to end takes about as long as its trains take', () => {
  // The ride takes somewhat over an hour, plus six minutes on the platform.
  const red = byMetro('Shady Grove', 'Glenmont');
  expect(red.lines).toEqual(['red']);
  expect(red.minutes).toBeGreaterThan(55);
  expect(red.minutes).toBeLessThan(85);
});

test.each([
  ['Bethesda', 'Clarendon', ['red', 'orange']],
  ['Anacostia', 'Dupont Circle', ['green', 'red']],
])('a journey from %s to %s changes lines', (from, to, lines) => {
  const journey = byMetro(from, to);
  expect(journey.lines).toHaveLength(2);
  expect(journey.lines[0]).toBe(lines[0]);
  expect(journey.board.name).toBe(from);
  expect(journey.alight.name).toBe(to);
});

test('changing lines costs time, so it is avoided where possible', () => {
  expect(byMetro('Bethesda', 'Silver Spring').lines).toEqual(['red']);
  expect(byMetro('Rosslyn', 'Eastern Market').lines).toHaveLength(1);
});

test('the way back takes the same time', () => {
  for (const [one, other] of [
    ['Bethesda', 'Clarendon'],
    ['Anacostia', 'Dupont Circle'],
    ['Vienna', 'Greenbelt'],
  ] as const)
    expect(Math.abs(byMetro(one, other).minutes - byMetro(other, one).minutes)).toBeLessThanOrEqual(1);
});

test('no journey ends or begins where no station is near', () => {
  expect(journeysFrom(at('Dupont Circle'))(at('Annapolis'))).toBeNull();
  expect(journeysFrom(at('Annapolis'))(at('Dupont Circle'))).toBeNull();
});

test('every station can be reached from every line, and never faster than trains ride', () => {
  const journeys = journeysFrom(station('Metro Center'));
  for (const place of PLACES.filter(({ kind }) => kind === 'station')) {
    const journey = journeys(place);
    expect(journey, place.name).not.toBeNull();
    expect(journey!.minutes, place.name).toBeGreaterThanOrEqual(0);
    expect(journey!.minutes, place.name).toBeLessThan(90);
  }
});

test('the nearest station is within a walk of 20 minutes', () => {
  expect(nearestStation(at('9:30 Club'))).toMatchObject({ station: { name: 'U Street' } });
  expect(nearestStation(station('Bethesda'))).toMatchObject({ station: { name: 'Bethesda' }, minutes: 0 });
  expect(nearestStation(at('Annapolis'))).toBeNull();
});
