import { airports, universities } from './data/campuses.ts';
import { METRO_ROUTES, type MetroLine, stations } from './data/metro.ts';
import { museums } from './data/museums.ts';
import { neighborhoods } from './data/neighborhoods.ts';
import { parks } from './data/parks.ts';
import type { Row, RowsOf } from './data/rows.ts';
import { towns } from './data/towns.ts';
import { venues } from './data/venues.ts';

/** Kinds of places. If several places share a name, the first kind in this list is meant. */
export const PLACE_KINDS = [
  'town',
  'neighborhood',
  'venue',
  'airport',
  'museum',
  'park',
  'university',
  'station',
] as const;
export type PlaceKind = (typeof PLACE_KINDS)[number];

export type Region = 'DC' | 'MD' | 'VA';

/** A named place of the region. */
export interface Place {
  /** The id stays stable when names are added: `bethesda-md`, `bethesda-md-station`. */
  readonly id: string;
  readonly name: string;
  readonly kind: PlaceKind;
  /** The town that contains the place. A town has its own name here; a station has an empty text. */
  readonly city: string;
  readonly state: Region;
  /** In degrees, WGS 84. */
  readonly lat: number;
  readonly lon: number;
  readonly otherNames: readonly string[];
  /** The Metro lines that stop here; only for stations. */
  readonly lines?: readonly MetroLine[];
}

const slug = (text: string) =>
  text
    .toLowerCase()
    .replace(/['’.]/g, '')
    .replace(/&/g, ' and ')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');

function placesOf(kind: PlaceKind, tables: readonly RowsOf[]): Place[] {
  return tables.flatMap(({ city, state, rows }) =>
    rows.map(([name, lat, lon, ...otherNames]) => ({
      id: [slug(name), ...(city === '' || state === 'DC' ? [] : [slug(city)]), state.toLowerCase()]
        .concat(kind === 'town' || kind === 'neighborhood' ? [] : [kind])
        .join('-'),
      name,
      kind,
      city: city === '' ? name : city,
      state,
      lat,
      lon,
      otherNames,
    })),
  );
}

function linesAt(station: string): MetroLine[] {
  const lines = METRO_ROUTES.filter(({ stops }) => stops.includes(station)).map(({ line }) => line);
  return [...new Set(lines)];
}

const stationsOf = (state: Region, rows: readonly Row[]): Place[] =>
  rows.map(([name, lat, lon, ...otherNames]) => ({
    id: `${slug(name)}-${state.toLowerCase()}-station`,
    name,
    kind: 'station',
    city: '',
    state,
    lat,
    lon,
    otherNames,
    lines: linesAt(name),
  }));

/** All known places, without duplicates. */
export const PLACES: readonly Place[] = [
  ...placesOf('town', towns),
  ...placesOf('neighborhood', neighborhoods),
  ...placesOf('venue', venues),
  ...placesOf('airport', airports),
  ...placesOf('museum', museums),
  ...placesOf('park', parks),
  ...placesOf('university', universities),
  ...stationsOf('DC', stations.DC),
  ...stationsOf('MD', stations.MD),
  ...stationsOf('VA', stations.VA),
];

/** The full name of a place: `Shaw, Washington, DC`, `Bethesda, MD`, `Shaw-Howard U Metro, DC`. */
export function placeLabel({ name, kind, city, state }: Place): string {
  if (kind === 'station') return `${name} Metro, ${state}`;
  return city === name ? `${name}, ${state}` : `${name}, ${city}, ${state}`;
}
