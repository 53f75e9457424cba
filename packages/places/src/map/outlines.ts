import type { FeatureCollection, LineString, MultiLineString, Polygon } from 'geojson';
import type { MetroLine } from '../data/metro.ts';
import outlines from './outlines.json' with { type: 'json' };

type Named = { name: string };

/** The layers of the base map as GeoJSON, from bottom to top. Everything that is not water is land. */
export interface Outlines {
  readonly parks: FeatureCollection<Polygon, Named>;
  /**
   * Must be filled without an outline, because polygons of the same water overlap. Holes are islands (even-odd rule).
   */
  readonly water: FeatureCollection<Polygon, Named>;
  /** Lines, drawn from zoom 11. */
  readonly creeks: FeatureCollection<MultiLineString, Named>;
  readonly borders: FeatureCollection<MultiLineString, { border: 'state' | 'county' }>;
  /** Highways are drawn from zoom 10, avenues from zoom 12, streets (one feature without a name) from zoom 14. */
  readonly roads: FeatureCollection<
    MultiLineString,
    { ref: string; kind: 'beltway' | 'interstate' | 'highway' | 'avenue' | 'street' }
  >;
  /**
   * Each track segment once, with all lines that use it. To draw n lines, draw dashes, and place each line's dashes in
   * the gaps of the other lines.
   */
  readonly metro: FeatureCollection<LineString, { lines: MetroLine[] }>;
}

/**
 * The base map without tiles (packages/places/README.md#the-map). It is 25 KB compressed, so import it together with
 * the map.
 */
export const OUTLINES = outlines as unknown as Outlines;
