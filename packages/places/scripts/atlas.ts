import type { Feature, MultiPolygon, Polygon, Position } from 'geojson';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';

export type Area = Polygon | MultiPolygon;
export type Atlas = Topology<{
  states: GeometryCollection<{ name: string }>;
  counties: GeometryCollection<{ name: string }>;
}>;

/** The Census Bureau's counties and states (2017, public domain) from the npm package `us-atlas`. */
export function readAtlas(): Atlas {
  const file = fileURLToPath(import.meta.resolve('us-atlas/counties-10m.json'));
  return JSON.parse(readFileSync(file, 'utf8')) as Atlas;
}

/** The state with the given FIPS code: DC 11, Maryland 24, Virginia 51. */
export function stateOf(atlas: Atlas, fips: string): Feature<Area> {
  const geometry = atlas.objects.states.geometries.find(({ id }) => id === fips);
  if (!geometry) throw new Error(`No state ${fips}`);
  return feature(atlas, geometry) as Feature<Area>;
}

export const ringsOf = (area: Area): Position[][] =>
  area.type === 'Polygon' ? area.coordinates : area.coordinates.flat();

/**
 * True if a position (longitude, latitude) is inside the rings, which is the case if an odd number of edges is west of
 * the position.
 */
export function isInside([x, y]: Position, rings: readonly Position[][]): boolean {
  let inside = false;
  for (const ring of rings) {
    for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
      const [[x1, y1], [x2, y2]] = [ring[i] as [number, number], ring[j] as [number, number]];
      if (y1 > y! !== y2 > y! && x! < ((x2 - x1) * (y! - y1)) / (y2 - y1) + x1) inside = !inside;
    }
  }
  return inside;
}

/** Meters from a position to the nearest edge of the rings, computed on a local plane. */
export function metersToEdge([x, y]: Position, rings: readonly Position[][]): number {
  const [kx, ky] = [111_195 * Math.cos((y! * Math.PI) / 180), 111_195];
  let least = Infinity;
  for (const ring of rings) {
    for (let i = 1; i < ring.length; i++) {
      const [ax, ay] = [(ring[i - 1]![0]! - x!) * kx, (ring[i - 1]![1]! - y!) * ky];
      const [dx, dy] = [(ring[i]![0]! - x!) * kx - ax, (ring[i]![1]! - y!) * ky - ay];
      const along = dx === 0 && dy === 0 ? 0 : Math.max(0, Math.min(1, -(ax * dx + ay * dy) / (dx * dx + dy * dy)));
      least = Math.min(least, Math.hypot(ax + along * dx, ay + along * dy));
    }
  }
  return least;
}
