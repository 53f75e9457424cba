import type { FeatureCollection, LineString, MultiLineString, Polygon } from 'geojson';
import type { MetroLine } from '../data/metro.ts';
import outlines from './outlines.json' with { type: 'json' };

type Named = { name: string };

/** The layers of the base map as GeoJSON, from the lowest to the highest. What is no water is land. */
export interface Outlines {
  readonly parks: FeatureCollection<Polygon, Named>;
  /** Filled without a line around it: pieces of one water lie on each other. Holes are islands (even-odd). */
  readonly water: FeatureCollection<Polygon, Named>;
  /** Lines, from zoom 11 on. */
  readonly creeks: FeatureCollection<MultiLineString, Named>;
  readonly borders: FeatureCollection<MultiLineString, { border: 'state' | 'county' }>;
  /** Highways from zoom 10 on, avenues from zoom 12, streets (one feature without a name) from zoom 14 on. */
  readonly roads: FeatureCollection<
    MultiLineString,
    { ref: string; kind: 'beltway' | 'interstate' | 'highway' | 'avenue' | 'street' }
  >;
  /** Tracks, each once, with all lines that run on it: draw n lines as dashes, each in its n-th gap. */
  readonly metro: FeatureCollection<LineString, { lines: MetroLine[] }>;
}

/** The base map without tiles (packages/places/README.md#the-map). 25 KB compressed: import it with the map. */
export const OUTLINES = outlines as unknown as Outlines;
