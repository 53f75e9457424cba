import { METRO_ROUTES, type MetroLine } from './data/metro.ts';
import { distanceMeters, type Position } from './distance.ts';
import { type Place, PLACES } from './gazetteer.ts';

/** Walking speed in meters per minute. Walking routes are `DETOUR` times as long as the straight line. */
const WALK_M_PER_MIN = 80;
const DETOUR = 1.3;
/** Maximum reasonable walk in minutes for an evening out; the next constant is the maximum to or from a station. */
export const LONGEST_WALK_MIN = 40;
const LONGEST_WALK_TO_STATION_MIN = 20;
/** Waiting time in minutes: half of the evening interval of 6 to 12 minutes, plus the walk to the platform. */
const WAIT_MIN = 6;
/** Time for a transfer in minutes: the walk to another platform, plus half an interval. */
const CHANGE_MIN = 7;
/** Average speed between stations (about 55 km/h), and the duration of a stop in minutes. */
const TRAIN_M_PER_MIN = 900;
const STOP_MIN = 0.6;
/** Length of tracks as a multiple of the straight line. */
const TRACK_DETOUR = 1.1;

/** A journey in whole minutes, estimated from distances instead of a timetable. */
export type Journey =
  | { readonly by: 'walk'; readonly minutes: number }
  | {
      readonly by: 'metro';
      readonly minutes: number;
      readonly walkMinutes: number;
      readonly board: Place;
      readonly alight: Place;
      /** The lines in order of travel. */
      readonly lines: readonly MetroLine[];
    };

/** Minutes on foot between two positions. */
export const walkMinutes = (a: Position, b: Position): number => (distanceMeters(a, b) * DETOUR) / WALK_M_PER_MIN;

const stations = PLACES.filter(({ kind }) => kind === 'station');
/** The Metro station nearest to a position, and the walk to the position; null beyond 20 minutes. */
export function nearestStation(to: Position): { station: Place; minutes: number } | null {
  const walks = stations.map((station) => ({ station, minutes: Math.ceil(walkMinutes(station, to)) }));
  const best = walks.reduce((nearest, one) => (one.minutes < nearest.minutes ? one : nearest));
  return best.minutes <= LONGEST_WALK_TO_STATION_MIN ? best : null;
}

const byName = new Map(stations.map((station) => [station.name, station]));

/** An arrival at a station on a particular line. */
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

/** The fastest arrival at each platform (Dijkstra's algorithm; there are about 130 platforms). */
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
 * Returns a function that finds journeys from a position. A journey is on foot within 40 minutes, or by Metro with at
 * most a 20-minute walk at each end, whichever is faster. null if neither is possible.
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
