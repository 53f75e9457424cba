import rows from './labels.json' with { type: 'json' };

export type LabelKind =
  | 'state'
  | 'city'
  | 'town'
  | 'neighborhood'
  | 'water'
  | 'park'
  | 'road'
  | 'airport'
  | 'university'
  | 'station'
  | 'museum'
  | 'venue';

/** A name on the map: its middle, and the zoom from which on it stands there without lying on another. */
export interface MapLabel {
  readonly kind: LabelKind;
  readonly text: string;
  readonly zoom: number;
  readonly lat: number;
  readonly lon: number;
}

/** The names of the base map, the weightiest first (scripts/build-labels.ts). */
export const LABELS: readonly MapLabel[] = (rows as [LabelKind, string, number, number, number][]).map(
  ([kind, text, zoom, lat, lon]) => ({ kind, text, zoom, lat, lon }),
);
