/** A row of the tables in this folder: name, latitude, longitude (WGS 84, degrees) and alternative names. */
export type Row = readonly [name: string, lat: number, lon: number, ...otherNames: string[]];

/** Rows of one city. If `city` is empty, rows of one state whose places are their own city, such as towns. */
export interface RowsOf {
  readonly city: string;
  readonly state: 'DC' | 'MD' | 'VA';
  readonly rows: readonly Row[];
}
