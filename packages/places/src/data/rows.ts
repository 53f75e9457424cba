/** A row of the tables in this folder: name, latitude, longitude (WGS 84, degrees) and what else people call it. */
export type Row = readonly [name: string, lat: number, lon: number, ...otherNames: string[]];

/** The rows of one city, or of one state when `city` is empty: a town is its own city. */
export interface RowsOf {
  readonly city: string;
  readonly state: 'DC' | 'MD' | 'VA';
  readonly rows: readonly Row[];
}
