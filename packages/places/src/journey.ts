import { METRO_ROUTES, type MetroLine } from './data/metro.ts';
import { distanceMeters, type Position } from './distance.ts';
import { type Place, PLACES } from './gazetteer.ts';

/** Metres a minute on foot; streets are longer than the straight line by this factor. */
const WALK_M_PER_MIN = 80;
const DETOUR = 1.3;
/** Farther on foot nobody goes out of an evening; and to or from a station less than that. */
export const LONGEST_WALK_MIN = 40;
const LONGEST_WALK_TO_STATION_MIN = 20;
/** Trains come every 6 to 12 minutes in the evening: half of that, and the way down to the platform. */
const WAIT_MIN = 6;
/** To another platform, and half of the time between two trains again. */
const CHANGE_MIN = 7;
/** Between stations, about 55 km/h, and the stop itself. */
const TRAIN_M_PER_MIN = 900;
const STOP_MIN = 0.6;
/** Tracks bend more than the crow flies. */
const TRACK_DETOUR = 1.1;

/** How one gets there, in whole minutes: an estimate by distances, without a timetable. */
export type Journey =
  | { readonly by: 'walk'; readonly minutes: number }
  | {
      readonly by: 'metro';
      readonly minutes: number;
      readonly walkMinutes: number;
      readonly board: Place;
      readonly alight: Place;
      /** In the order in which one takes them. */
      readonly lines: readonly MetroLine[];
    };

/** Minutes on foot between two positions. */
export const walkMinutes = (a: Position, b: Position): number => (distanceMeters(a, b) * DETOUR) / WALK_M_PER_MIN;

const stations = PLACES.filter(({ kind }) => kind === 'station');
const byName = new Map(stations.map((station) => [station.name, station]));

/** A platform: a station and the line that one is on. */
interface Arrival {
  readonly station: Place;
  readonly minutes: number;
  readonly walk: number;
  readonly board: Place;
  readonly lines: readonly MetroLine[];
}
const platform = (station: Place, line: MetroLine) => `${station.id} ${line}`;

const rides = new Map<string, { to: Place; minutes: number }[]>();
for (const { line, stops } of METRO_ROUTES) {
  for (let at = 1; at < stops.length; at++) {
    const [one, other] = [byName.get(stops[at - 1]!)!, byName.get(stops[at]!)!];
    const minutes = (distanceMeters(one, other) * TRACK_DETOUR) / TRAIN_M_PER_MIN + STOP_MIN;
    for (const [from, to] of [
      [one, other],
      [other, one],
    ] as const) {
      const key = platform(from, line);
      rides.set(key, [...(rides.get(key) ?? []), { to, minutes }]);
    }
  }
}

/** The quickest way to each platform (Dijkstra; there are some 130). */
function arrivalsFrom(from: Position): Arrival[] {
  const open = new Map<string, Arrival & { line: MetroLine }>();
  const done = new Map<string, Arrival>();
  const reach = (line: MetroLine, arrival: Arrival) => {
    const key = platform(arrival.station, line);
    const known = open.get(key);
    if (!done.has(key) && (!known || known.minutes > arrival.minutes)) open.set(key, { ...arrival, line });
  };
  for (const station of stations) {
    const walk = walkMinutes(from, station);
    if (walk > LONGEST_WALK_TO_STATION_MIN) continue;
    for (const line of station.lines ?? [])
      reach(line, { station, minutes: walk + WAIT_MIN, walk, board: station, lines: [line] });
  }
  while (open.size > 0) {
    const next = [...open].reduce((best, one) => (one[1].minutes < best[1].minutes ? one : best));
    const [key, { line, ...arrival }] = next;
    open.delete(key);
    done.set(key, arrival);
    for (const { to, minutes } of rides.get(key) ?? [])
      reach(line, { ...arrival, station: to, minutes: arrival.minutes + minutes });
    for (const other of arrival.station.lines ?? [])
      if (other !== line)
        reach(other, { ...arrival, minutes: arrival.minutes + CHANGE_MIN, lines: [...arrival.lines, other] });
  }
  return [...done.values()];
}

/**
 * Journeys from a position: on foot within 40 minutes, or by Metro with at most 20 on foot at each end, whichever takes
 * less. Null: neither.
 */
export function journeysFrom(from: Position): (to: Position) => Journey | null {
  const arrivals = arrivalsFrom(from);
  return (to) => {
    const walk = walkMinutes(from, to);
    let best: Journey | null = walk <= LONGEST_WALK_MIN ? { by: 'walk', minutes: Math.ceil(walk) } : null;
    for (const { station, minutes, walk: before, board, lines } of arrivals) {
      const after = walkMinutes(station, to);
      if (station === board || after > LONGEST_WALK_TO_STATION_MIN) continue;
      const all = Math.ceil(minutes + after);
      if (best && best.minutes <= all) continue;
      best = { by: 'metro', minutes: all, walkMinutes: Math.ceil(before + after), board, alight: station, lines };
    }
    return best;
  };
}
