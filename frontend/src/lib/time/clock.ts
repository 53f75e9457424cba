import { dayAt, daysAfter, instantOf } from '@beltway/contracts/common/times';
import { useEffect, useMemo, useState } from 'react';
import { onServerClockSet, serverNow } from './server-clock.ts';

/** A component that waits for a moment, in milliseconds of the server's clock. */
interface Waiting {
  until: number;
  wake: () => void;
}

const waiting = new Set<Waiting>();
let timer: ReturnType<typeof setTimeout> | undefined;
/** The earliest moment that the timer is set for. */
let next = Infinity;
let isListening = false;

/**
 * A timer waits for less: one that a sleeping device or a changed clock delays is late by this at most, and a browser fires one of more than
 * 24.8 days immediately. In milliseconds, within two minutes of the moment and before.
 */
const SOON_MS = 120_000;
const LOOKS_MS = { soon: 1_000, later: 30_000 };

function sleepUntil(moment: number): void {
  clearTimeout(timer);
  next = moment;
  if (moment === Infinity) return;
  const left = moment - serverNow();
  timer = setTimeout(look, Math.max(0, Math.min(left, left > SOON_MS ? LOOKS_MS.later : LOOKS_MS.soon)));
}

/** Wakes every component whose moment has come; each waits for its next moment once it has rendered, and is woken again if that takes a second. */
function look(): void {
  const now = serverNow();
  let earliest = Infinity;
  for (const { until, wake } of [...waiting]) {
    earliest = Math.min(earliest, until > now ? until : now + LOOKS_MS.soon);
    if (until <= now) wake();
  }
  sleepUntil(earliest);
}

function listen(): void {
  if (isListening) return;
  isListening = true;
  // The clock may have gone back: then a moment that passed is to come again.
  onServerClockSet(() => [...waiting].forEach(({ wake }) => wake()));
  document.addEventListener('visibilitychange', () => !document.hidden && look());
  window.addEventListener('pageshow', look);
}

function wait(one: Waiting): () => void {
  listen();
  waiting.add(one);
  if (one.until < next) sleepUntil(one.until);
  return () => {
    waiting.delete(one);
    // A timer that is too early for the others looks again.
    if (waiting.size === 0) sleepUntil(Infinity);
  };
}

/** A moment as the API gives it, or as a time in milliseconds. */
export type Moment = string | number | null | undefined;

const millisecondsOf = (moment: Moment): number =>
  typeof moment === 'string' ? Date.parse(moment) : (moment ?? Number.NaN);

/** The first of these moments after now, or New York's next midnight. */
function nextAfter(now: number, moments: readonly Moment[]): number {
  const midnight = instantOf(daysAfter(dayAt(new Date(now)), 1)).getTime();
  return Math.min(midnight, ...moments.map(millisecondsOf).filter((moment) => moment > now));
}

/**
 * The time by the server's clock, as of the last of these moments that passed: a component renders again when the next one comes, and at
 * midnight in New York; with `everyMs` also at its multiples, counted from the moment `from`. Between two moments nothing that depends on
 * them changes.
 */
export function useClock(moments: readonly Moment[] = [], everyMs?: number, from = 0): Date {
  const [now, setNow] = useState(serverNow);
  const tick = everyMs ? from + (Math.floor((now - from) / everyMs) + 1) * everyMs : Infinity;
  const until = Math.min(nextAfter(now, moments), tick);
  useEffect(() => wait({ until, wake: () => setNow(serverNow()) }), [until]);
  return useMemo(() => new Date(now), [now]);
}
