import { distanceMeters, type Position } from './distance.ts';
import { type Place, PLACES } from './gazetteer.ts';

/** A place and its distance from a position. */
export interface NearPlace {
  readonly place: Place;
  readonly meters: number;
}

/**
 * The places within `radiusMeters` of a position, nearest first. Throws a RangeError for an invalid position or radius.
 */
export function placesNear(lat: number, lon: number, radiusMeters: number): NearPlace[] {
  if (!(Math.abs(lat) <= 90) || !(Math.abs(lon) <= 180)) throw new RangeError(`No position on earth: ${lat}, ${lon}`);
  if (!(radiusMeters >= 0)) throw new RangeError(`No radius: ${radiusMeters}`);
  const from: Position = { lat, lon };
  return PLACES.map((place) => ({ place, meters: distanceMeters(from, place) }))
    .filter(({ meters }) => meters <= radiusMeters)
    .sort((a, b) => a.meters - b.meters);
}
