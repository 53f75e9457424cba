import { daysAfter, instantOf } from '@beltway/contracts/common/times';
import { useEffect, useState } from 'react';
import type { MapView } from '../../lib/map/surface.ts';

const soonest = (search: URLSearchParams): URLSearchParams => {
  const part = new URLSearchParams(search);
  part.set('sort', 'soonest');
  return part;
};

/** The part of a search from the first day to the last, "2026-11-01"; null: its own days are others. */
export function partOfDays(search: URLSearchParams, first: string, last: string): URLSearchParams | null {
  const part = soonest(search);
  const later = [part.get('from') ?? '', instantOf(first).toISOString()].sort().at(-1)!;
  const earlier = [part.get('to') ?? '~', instantOf(daysAfter(last, 1)).toISOString()].sort()[0]!;
  if (later >= earlier) return null;
  part.set('from', later);
  part.set('to', earlier);
  return part;
}

/** Outward to some hundred meters, so that a small move asks for nothing new. */
const outward = (degrees: number, round: 'floor' | 'ceil') => (Math[round](degrees * 100) / 100).toFixed(2);

/** The part of a search within what the map shows. */
export function partOfMap(search: URLSearchParams, view: Omit<MapView, 'zoom'>): URLSearchParams {
  const part = soonest(search);
  const { west, south, east, north } = view;
  part.set(
    'within',
    [outward(west, 'floor'), outward(south, 'floor'), outward(east, 'ceil'), outward(north, 'ceil')].join(),
  );
  return part;
}

/** The part of a search that no map can show. */
export function unplacedPart(search: URLSearchParams): URLSearchParams {
  const part = soonest(search);
  part.set('unplaced', '1');
  return part;
}

/** The days of a month's weeks, from a Sunday to a Saturday. `day`: any of the month. */
export function weeksOf(day: string): { first: string; last: string } {
  const start = `${day.slice(0, 8)}01`;
  const end = daysAfter(`${daysAfter(start, 31).slice(0, 8)}01`, -1);
  const weekday = (of: string) => new Date(`${of}T00:00:00Z`).getUTCDay();
  return { first: daysAfter(start, -weekday(start)), last: daysAfter(end, 6 - weekday(end)) };
}

const SETTLES_MS = 200;

/** What the map shows once it rests; before there is a view, `first`. */
export function useRested<View>(view: View | null, first: View): View {
  const [rested, setRested] = useState<View | null>(null);
  useEffect(() => {
    if (view === null || rested === null) return setRested(view);
    const timer = setTimeout(() => setRested(view), SETTLES_MS);
    return () => clearTimeout(timer);
  }, [view, rested]);
  return rested ?? first;
}
