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

/** A label of the map: its center, and the zoom from which it is shown without overlapping other labels. */
export interface MapLabel {
  readonly kind: LabelKind;
  readonly text: string;
  readonly zoom: number;
  readonly lat: number;
  readonly lon: number;
}

/** The labels of the base map, highest priority first (scripts/build-labels.ts). */
export const LABELS: readonly MapLabel[] = (rows as [LabelKind, string, number, number, number][]).map(
  ([kind, text, zoom, lat, lon]) => ({ kind, text, zoom, lat, lon }),
);
