/**
 * Writes src/map/outlines.json from the Census Bureau's counties (npm us-atlas, pinned) and the hand-drawn shapes in
 * scripts/drawn: `node packages/places/scripts/build-outlines.ts`. Needs no network. A test compares the file with this
 * script's result.
 */
import type { Feature, FeatureCollection, Geometry, Position } from 'geojson';
import { writeFileSync } from 'node:fs';
import { merge, mesh } from 'topojson-client';
import { METRO_ROUTES, type MetroLine, stations } from '../src/data/metro.ts';
import { OUTER_BOUNDS, REGION_BOUNDS } from '../src/map/view.ts';
import { metersToEdge, readAtlas, ringsOf } from './atlas.ts';
import { cityLines, districtInMaryland, redrawn } from './drawn/borders.ts';
import { parks } from './drawn/parks.ts';
import { roads, streets } from './drawn/roads.ts';
import { tracks } from './drawn/tracks.ts';
import { bayMiddle, bayWest, creeks, islands, lakes, potomacLeft, potomacRight, rivers } from './drawn/water.ts';

interface Bounds {
  readonly south: number;
  readonly west: number;
  readonly north: number;
  readonly east: number;
}

/** Counties are drawn only within these bounds. */
const COUNTY_BOUNDS: Bounds = { south: 37.2, west: -79.5, north: 39.8, east: -75 };

/** Rounds to four decimals, which are eleven meters, or three pixels at zoom 15. */
const rounded = ([lon, lat]: Position): Position => [Math.round(lon! * 1e4) / 1e4, Math.round(lat! * 1e4) / 1e4];

/** Parses `lat lon, lat lon` into GeoJSON positions. */
export function positions(text: string): Position[] {
  return text.split(',').map((pair) => {
    const [lat, lon] = pair.trim().split(/\s+/).map(Number);
    if (!(lat! > 35 && lat! < 42 && lon! > -82 && lon! < -73)) throw new Error(`No position of the region: ${pair}`);
    return [lon!, lat!];
  });
}

const closed = (ring: Position[]): Position[] => [...ring, ring[0]!];

/** The four half-planes whose intersection is a rectangle. */
const sidesOf = ({ south, west, north, east }: Bounds) => [
  ...([west, east] as const).map((x, i) => ({
    inside: (p: Position) => (i === 0 ? p[0]! >= x : p[0]! <= x),
    cut: (a: Position, b: Position): Position => [x, a[1]! + ((b[1]! - a[1]!) * (x - a[0]!)) / (b[0]! - a[0]!)],
  })),
  ...([south, north] as const).map((y, i) => ({
    inside: (p: Position) => (i === 0 ? p[1]! >= y : p[1]! <= y),
    cut: (a: Position, b: Position): Position => [a[0]! + ((b[0]! - a[0]!) * (y - a[1]!)) / (b[1]! - a[1]!), y],
  })),
];

/** Clips a ring to a rectangle (Sutherland–Hodgman algorithm). */
function clippedRing(ring: Position[], bounds: Bounds = OUTER_BOUNDS): Position[] {
  let points = ring.slice(0, -1);
  for (const { inside, cut } of sidesOf(bounds)) {
    points = points.flatMap((point, i) => {
      const before = points.at(i - 1)!;
      if (inside(point)) return inside(before) ? [point] : [cut(before, point), point];
      return inside(before) ? [cut(before, point)] : [];
    });
  }
  return points.length > 2 ? closed(points.map(rounded)) : [];
}

/** Clips a line to the map and returns the remaining pieces. */
function clippedLine(line: Position[], bounds: Bounds = OUTER_BOUNDS): Position[][] {
  let pieces = [line];
  for (const { inside, cut } of sidesOf(bounds)) {
    pieces = pieces.flatMap((points) => {
      const out: Position[][] = [];
      let piece: Position[] = [];
      for (const [i, point] of points.entries()) {
        const before = points[i - 1];
        if (before && inside(before) !== inside(point)) piece.push(cut(before, point));
        if (inside(point)) piece.push(point);
        else if (piece.length > 0) {
          out.push(piece);
          piece = [];
        }
      }
      return piece.length > 1 ? [...out, piece] : out;
    });
  }
  return pieces.filter(({ length }) => length > 1).map((points) => points.map(rounded));
}

/** Smooths a line (Chaikin's algorithm, once), so that lines drawn with few points curve like roads and shores. */
function smooth(line: Position[]): Position[] {
  const between = ([ax, ay]: Position, [bx, by]: Position): Position[] => [
    [ax! * 0.75 + bx! * 0.25, ay! * 0.75 + by! * 0.25],
    [ax! * 0.25 + bx! * 0.75, ay! * 0.25 + by! * 0.75],
  ];
  const cut = line.slice(1).flatMap((point, i) => between(line[i]!, point));
  const ring = String(line[0]) === String(line.at(-1));
  return ring ? thin(closed(cut)) : thin([line[0]!, ...cut.slice(1, -1), line.at(-1)!]);
}

/** Simplifies a line with a tolerance of ten meters (Douglas–Peucker algorithm). */
function thin(line: Position[]): Position[] {
  if (line.length < 3) return line;
  const ends = [line[0]!, line.at(-1)!];
  const far = line.map((point) => metersToEdge(point, [ends]));
  const most = far.indexOf(Math.max(...far));
  if (far[most]! < 10) return ends;
  return [...thin(line.slice(0, most + 1)), ...thin(line.slice(most)).slice(1)];
}

/** The area of a river whose width changes. */
function bed(points: Position[], [first, last]: readonly [number, number]): Position[] {
  const left: Position[] = [];
  const right: Position[] = [];
  for (const [i, [x, y]] of points.entries()) {
    const [ax, ay] = points[Math.max(0, i - 1)]!;
    const [bx, by] = points[Math.min(points.length - 1, i + 1)]!;
    const narrower = Math.cos((y! * Math.PI) / 180);
    const [dx, dy] = [(bx! - ax!) * narrower, by! - ay!];
    const half = (first + ((last - first) * i) / (points.length - 1)) / 2 / 111_195 / Math.hypot(dx, dy);
    left.push([x! - (dy * half) / narrower, y! + dx * half]);
    right.push([x! + (dy * half) / narrower, y! - dx * half]);
  }
  return closed([...left, ...right.toReversed()]);
}

const feature = <P extends object>(geometry: Geometry, properties: P): Feature<Geometry, P> => ({
  type: 'Feature',
  properties,
  geometry,
});
const collection = <P extends object>(features: Feature<Geometry, P>[]): FeatureCollection<Geometry, P> => ({
  type: 'FeatureCollection',
  features,
});
const polygon = (...rings: Position[][]): Geometry => ({ type: 'Polygon', coordinates: rings });
const lines = (coordinates: Position[][]): Geometry => ({ type: 'MultiLineString', coordinates });

/** The sea beyond the hand-drawn shores: strips around the map minus the land of the Census Bureau's data. */
function sea(): Position[][][] {
  const atlas = readAtlas();
  const near = ['09', '10', '11', '21', '24', '34', '36', '37', '39', '42', '47', '51', '54'];
  const land = merge(
    atlas,
    atlas.objects.states.geometries.filter(({ id }) => near.includes(String(id))) as Parameters<typeof merge>[1],
  );
  const { south, west, north } = REGION_BOUNDS;
  const outer = OUTER_BOUNDS;
  const strips: Bounds[] = [
    { ...outer, north: south + 0.01 },
    { ...outer, south, west: -76.45, north },
    { ...outer, south: north, west },
  ];
  return strips.map((strip) => {
    const whole = closed([
      [strip.west, strip.south],
      [strip.east, strip.south],
      [strip.east, strip.north],
      [strip.west, strip.north],
    ]);
    const ground = ringsOf(land).map((ring) => clippedRing(ring, strip));
    return [whole, ...ground.filter(({ length }) => length > 0)];
  });
}

function water() {
  const holes = islands.map(({ points }) => closed(positions(points)).map(rounded));
  const potomac = closed([...smooth(positions(potomacLeft)), ...smooth(positions(potomacRight)).toReversed()]);
  const bay = closed([...smooth(positions(bayWest)), ...positions(bayMiddle)]);
  return collection([
    feature(polygon(clippedRing(potomac, REGION_BOUNDS), ...holes), { name: 'Potomac River' }),
    feature(polygon(clippedRing(bay, REGION_BOUNDS)), { name: 'Chesapeake Bay' }),
    ...sea().map((rings) => feature(polygon(...rings), { name: 'Chesapeake Bay' })),
    ...rivers.map(({ name, width, points }) =>
      feature(polygon(clippedRing(bed(smooth(positions(points)), width), REGION_BOUNDS)), { name }),
    ),
    ...lakes.map(({ name, points }) => feature(polygon(closed(positions(points))), { name })),
  ]);
}

function borders() {
  const atlas = readAtlas();
  const ours = ['11', '24', '51'];
  const stateOf = ({ id }: { id?: string | number | undefined }) => String(id).slice(0, 2);
  const counties = mesh(atlas, atlas.objects.counties, (a, b) => {
    const kept = ![a, b].some(({ id }) => redrawn.includes(String(id)));
    return a !== b && kept && stateOf(a) === stateOf(b) && ours.includes(stateOf(a));
  });
  // Excludes borders that are drawn by hand: the Potomac between Maryland and the Virginias, and the District.
  const states = mesh(atlas, atlas.objects.states, (a, b) => {
    const both = [String(a.id), String(b.id)].toSorted().join(' ');
    return a !== b && !both.includes('11') && both !== '24 51' && both !== '24 54';
  });
  const upper = rivers.filter(({ name }) => name === 'Potomac River').map(({ points }) => smooth(positions(points)));
  const river = [...upper, smooth(positions(potomacRight))];
  const within = (coordinates: Position[][], bounds?: Bounds) =>
    coordinates.flatMap((line) => clippedLine(line, bounds));
  return collection([
    feature(lines(within([...states.coordinates, ...river, positions(districtInMaryland)])), { border: 'state' }),
    feature(lines(within([...counties.coordinates, ...cityLines.map(positions)], COUNTY_BOUNDS)), { border: 'county' }),
  ]);
}

const at = new Map(
  Object.values(stations)
    .flat()
    .map(([name, lat, lon]) => [name, [lon, lat] as Position]),
);

/** The track between two neighboring stations, excluding its first point. */
function track(from: string, to: string): Position[] {
  const way = tracks[`${from} > ${to}`];
  const back = tracks[`${to} > ${from}`];
  const between = way ? positions(way) : back ? positions(back).toReversed() : [];
  return [...between, at.get(to)!];
}

/** Each track segment once, with the lines that use it. */
function metro() {
  const steps = new Map<string, { from: Position; to: Position; lines: Set<MetroLine> }>();
  for (const { line, stops } of METRO_ROUTES) {
    const way = stops.flatMap((stop, i) => (i === 0 ? [at.get(stop)!] : track(stops[i - 1]!, stop))).map(rounded);
    for (const [i, to] of way.entries()) {
      const from = way[i - 1];
      if (!from) continue;
      const key = [String(from), String(to)].toSorted().join(' > ');
      const step = steps.get(key) ?? { from, to, lines: new Set() };
      steps.set(key, { ...step, lines: step.lines.add(line) });
    }
  }
  const runs: { lines: string; points: Position[] }[] = [];
  for (const { from, to, lines } of steps.values()) {
    const names = [...lines].toSorted().join(' ');
    const run = runs.find((one) => one.lines === names && String(one.points.at(-1)) === String(from));
    if (run) run.points.push(to);
    else runs.push({ lines: names, points: [from, to] });
  }
  return collection(
    runs.map(({ lines, points }) =>
      feature({ type: 'LineString', coordinates: points }, { lines: lines.split(' ') as MetroLine[] }),
    ),
  );
}

/** All layers, from bottom to top. */
export function buildOutlines() {
  return {
    parks: collection(
      parks.map(({ name, points }) => feature(polygon(clippedRing(closed(positions(points)))), { name })),
    ),
    water: water(),
    creeks: collection(
      creeks.map(({ name, points }) => feature(lines(clippedLine(smooth(positions(points)))), { name })),
    ),
    borders: borders(),
    roads: collection([
      // The streets of the grid form one feature without a name.
      feature(lines(streets.flatMap(({ points }) => clippedLine(positions(points)))), { ref: '', kind: 'street' }),
      ...roads.map(({ ref, kind, points }) => {
        const line = positions(points);
        return feature(lines(clippedLine(kind === 'avenue' ? line : smooth(line))), { ref, kind });
      }),
    ]),
    metro: metro(),
  };
}

if (import.meta.main) {
  const file = new URL('../src/map/outlines.json', import.meta.url);
  writeFileSync(file, `${JSON.stringify(buildOutlines())}\n`);
}
