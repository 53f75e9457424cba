/**
 * Writes src/map/labels.json: the labels of the map and the zoom from which each label is shown, chosen so that no
 * labels overlap. Usage: `node packages/places/scripts/build-labels.ts`. A test compares the file with this script's
 * result.
 */
import { writeFileSync } from 'node:fs';
import { areas } from '../src/areas.ts';
import { type Place, PLACES } from '../src/gazetteer.ts';
import type { LabelKind, MapLabel } from '../src/map/labels.ts';
import { positions } from './build-outlines.ts';
import { parks } from './drawn/parks.ts';
import { roads } from './drawn/roads.ts';

export const LABEL_ZOOMS = { first: 8, last: 15 } as const;

/** Cities shown at far zooms, in order of priority. */
const cities = [
  'Washington',
  'Baltimore',
  'Richmond',
  'Annapolis',
  'Frederick',
  'Fredericksburg',
  'Charlottesville',
  'Winchester',
  'Hagerstown',
];
const largeTowns = [
  'Alexandria',
  'Arlington',
  'Silver Spring',
  'Bethesda',
  'Rockville',
  'Columbia',
  'Reston',
  'Fairfax',
  'Manassas',
  'Bowie',
  'Leesburg',
  'Gaithersburg',
  'Woodbridge',
  'Waldorf',
  'Laurel',
  'College Park',
  'National Harbor',
  'Tysons',
];

/** Labels of states and waters, with their positions. */
const drawn: readonly (readonly [kind: LabelKind, text: string, zoom: number, lat: number, lon: number])[] = [
  ['state', 'Maryland', 8, 39.5, -77.05],
  ['state', 'Virginia', 8, 38.45, -78.2],
  ['state', 'Pennsylvania', 8, 40.1, -77.3],
  ['state', 'West Virginia', 8, 39.35, -78.6],
  ['state', 'Delaware', 8, 39, -75.5],
  ['water', 'Chesapeake Bay', 8, 38.75, -76.42],
  ['water', 'Atlantic Ocean', 8, 38.2, -74.4],
  ['water', 'Potomac River', 10, 38.45, -77.29],
  ['water', 'Potomac River', 11, 38.735, -77.036],
  ['water', 'Potomac River', 12, 39.062, -77.33],
  ['water', 'Potomac River', 13, 38.868, -77.033],
  ['water', 'Anacostia River', 13, 38.871, -76.9935],
  ['water', 'Patuxent River', 10, 38.52, -76.663],
  ['water', 'Washington Channel', 15, 38.8725, -77.0232],
  ['water', 'Tidal Basin', 14, 38.8842, -77.0388],
  ['water', 'Rock Creek', 14, 38.948, -77.046],
];

interface Candidate {
  readonly kind: LabelKind;
  readonly text: string;
  /** The first zoom at which the label may be shown. */
  readonly zoom: number;
  readonly lat: number;
  readonly lon: number;
}

const of = (kind: LabelKind, zoom: number, places: readonly Place[]): Candidate[] =>
  places.map(({ name, lat, lon }) => ({ kind, text: name, zoom, lat, lon }));

const ofKind = (kind: Place['kind']) => PLACES.filter((place) => place.kind === kind);

function parkLabels(): Candidate[] {
  return parks.map(({ name, points }) => {
    const ring = positions(points);
    const middle = (axis: 0 | 1) => {
      const all = ring.map((position) => position[axis]!);
      return Math.round(((Math.min(...all) + Math.max(...all)) / 2) * 1e4) / 1e4;
    };
    const area = Math.max(...ring.map(([, lat]) => lat!)) - Math.min(...ring.map(([, lat]) => lat!));
    return { kind: 'park', text: name, zoom: area > 0.06 ? 11 : area > 0.02 ? 12 : 13, lat: middle(1), lon: middle(0) };
  });
}

function roadLabels(): Candidate[] {
  return roads
    .filter(({ kind }) => kind !== 'avenue')
    .flatMap(({ ref, kind, points }) => {
      const line = positions(points);
      const [zoom, every] = kind === 'highway' ? [11, 8] : [9, 7];
      const spots = line.filter((_, i) => i % every === Math.floor(every / 2));
      return spots.map(([lon, lat]) => ({ kind: 'road' as const, text: ref, zoom, lat: lat!, lon: lon! }));
    });
}

/** All candidate labels in order of priority. */
function candidates(): Candidate[] {
  const towns = ofKind('town');
  const chosen = new Set(areas.flatMap(({ places }) => places.map((label) => label.split(',')[0])));
  const known = ofKind('neighborhood').filter(({ name }) => chosen.has(name));
  const named = (names: readonly string[]) => names.map((name) => towns.find((town) => town.name === name)!);
  return [
    ...of('city', 8, named(cities)),
    ...drawn.map(([kind, text, zoom, lat, lon]) => ({ kind, text, zoom, lat, lon })),
    ...of('town', 10, named(largeTowns)),
    ...of('town', 11, towns),
    ...of('neighborhood', 12, known),
    ...of('neighborhood', 12, ofKind('neighborhood')),
    ...roadLabels(),
    ...parkLabels(),
    ...of('airport', 11, ofKind('airport')),
    ...of('university', 14, ofKind('university')),
    ...of('station', 14, ofKind('station')),
    ...of('museum', 15, ofKind('museum')),
    ...of('venue', 15, ofKind('venue')),
  ];
}

const FONT_PX: Record<LabelKind, number> = {
  state: 13,
  city: 15,
  town: 13,
  neighborhood: 12,
  water: 12,
  park: 11,
  road: 10,
  airport: 11,
  university: 11,
  station: 11,
  museum: 11,
  venue: 11,
};

/** Half of a label's width and height in pixels, with some margin. */
function roomOf({ kind, text }: Candidate) {
  return { x: (text.length * FONT_PX[kind] * 0.56) / 2 + 6, y: FONT_PX[kind] / 2 + 5 };
}

/** A position in Web Mercator, in pixels at a zoom. */
export function pixelAt(zoom: number, { lat, lon }: { lat: number; lon: number }) {
  const world = 256 * 2 ** zoom;
  const sin = Math.sin((lat * Math.PI) / 180);
  return { x: ((lon + 180) / 360) * world, y: (0.5 - Math.log((1 + sin) / (1 - sin)) / (4 * Math.PI)) * world };
}

/** True if two labels overlap at a zoom. */
export function collide(zoom: number, one: Candidate, other: Candidate): boolean {
  const [a, b] = [pixelAt(zoom, one), pixelAt(zoom, other)];
  const [p, q] = [roomOf(one), roomOf(other)];
  return Math.abs(a.x - b.x) < p.x + q.x && Math.abs(a.y - b.y) < p.y + q.y;
}

/**
 * Assigns to each label the first zoom at which it does not overlap labels of higher priority. Labels that always
 * overlap are omitted.
 */
export function buildLabels(): MapLabel[] {
  const placed: MapLabel[] = [];
  const seen = new Set<string>();
  for (const { kind, text, zoom: first, lat, lon } of candidates()) {
    const key = `${kind} ${text} ${lat} ${lon}`;
    if (seen.has(key)) continue;
    seen.add(key);
    for (let zoom = first; zoom <= LABEL_ZOOMS.last; zoom++) {
      const here = { kind, text, zoom, lat, lon };
      if (placed.some((other) => other.zoom <= zoom && collide(zoom, here, other))) continue;
      // A label of higher priority may still be hidden at this zoom but overlap at a later zoom.
      const later = placed.some((other) => other.zoom > zoom && collide(other.zoom, here, other));
      if (later) continue;
      placed.push(here);
      break;
    }
  }
  return placed;
}

if (import.meta.main) {
  const rows = buildLabels().map(({ kind, text, zoom, lat, lon }) => [kind, text, zoom, lat, lon]);
  writeFileSync(new URL('../src/map/labels.json', import.meta.url), `${JSON.stringify(rows)}\n`);
}
