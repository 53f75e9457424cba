import { daysAfter, instantOf } from '@beltway/contracts/common/times';
import { useEffect, useState } from 'react';
import type { MapView } from '../../lib/map/surface.ts';

const soonest = (search: URLSearchParams): URLSearchParams => {
  const part = new URLSearchParams(search);
  part.set('sort', 'soonest');
  return part;
};

/**
 * A search narrowed to the days from `first` to `last`, such as "2026-11-01"; null if the search excludes these days.
 */
export function partOfDays(search: URLSearchParams, first: string, last: string): URLSearchParams | null {
  const part = soonest(search);
  const later = [part.get('from') ?? '', instantOf(first).toISOString()].sort().at(-1)!;
  const earlier = [part.get('to') ?? '~', instantOf(daysAfter(last, 1)).toISOString()].sort()[0]!;
  if (later >= earlier) return null;
  part.set('from', later);
  part.set('to', earlier);
  return part;
}

/** Rounds outward to about a kilometer, so that a small move needs no new request. */
const outward = (degrees: number, round: 'floor' | 'ceil') => (Math[round](degrees * 100) / 100).toFixed(2);

/** A search narrowed to the map's bounds. */
export function partOfMap(search: URLSearchParams, view: Omit<MapView, 'zoom'>): URLSearchParams {
  const part = soonest(search);
  const { west, south, east, north } = view;
  part.set(
    'within',
    [outward(west, 'floor'), outward(south, 'floor'), outward(east, 'ceil'), outward(north, 'ceil')].join(),
  );
  return part;
}

/** A search narrowed to events without a precise place, which the map cannot show. */
export function unplacedPart(search: URLSearchParams): URLSearchParams {
  const part = soonest(search);
  part.set('unplaced', '1');
  return part;
}

/** The Sunday and the Saturday that begin and end the weeks of a month. `day`: any day of the month. */
export function weeksOf(day: string): { first: string; last: string } {
  const start = `${day.slice(0, 8)}01`;
  const end = daysAfter(`${daysAfter(start, 31).slice(0, 8)}01`, -1);
  const weekday = (of: string) => new Date(`${of}T00:00:00Z`).getUTCDay();
  return { first: daysAfter(start, -weekday(start)), last: daysAfter(end, 6 - weekday(end)) };
}

const SETTLES_MS = 200;

/** The map's view once it has stopped moving; `first` until the map has reported a view. */
export function useRested<View>(view: View | null, first: View): View {
  const [rested, setRested] = useState<View | null>(null);
  useEffect(() => {
    if (view === null || rested === null) return setRested(view);
    const timer = setTimeout(() => setRested(view), SETTLES_MS);
    return () => clearTimeout(timer);
  }, [view, rested]);
  return rested ?? first;
}
