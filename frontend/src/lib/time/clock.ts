import { dayAt, daysAfter, instantOf } from '@beltway/contracts/common/times';
import { useEffect, useMemo, useState } from 'react';
import { onServerClockSet, serverNow } from './server-clock.ts';

/** A component that waits for a moment, which is in milliseconds of the server's clock. */
interface Waiting {
  until: number;
  wake: () => void;
}

const waiting = new Set<Waiting>();
let timer: ReturnType<typeof setTimeout> | undefined;
/** The moment for which the timer is set. */
let next = Infinity;
let isListening = false;

/**
 * Each timer runs at most `LOOKS_MS` milliseconds: `soon` within two minutes of the moment, `later` before that. A
 * sleeping device or a changed clock would delay one long timer, and browsers fire timers longer than 24.8 days
 * immediately.
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

/**
 * Wakes every component whose moment has come. If a component still waits for the same moment, it is woken again after
 * a second.
 */
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
  // Wakes all components, because the clock may have moved back and a past moment may be in the future again.
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
    // If other components are waiting, the timer may fire too early, but then it only checks the clock again.
    if (waiting.size === 0) sleepUntil(Infinity);
  };
}

/** A moment in the API's format, or in epoch milliseconds. */
export type Moment = string | number | null | undefined;

const millisecondsOf = (moment: Moment): number =>
  typeof moment === 'string' ? Date.parse(moment) : (moment ?? Number.NaN);

/** The next moment after `now`: one of these moments, or midnight in New York. */
function nextAfter(now: number, moments: readonly Moment[]): number {
  const midnight = instantOf(daysAfter(dayAt(new Date(now)), 1)).getTime();
  return Math.min(midnight, ...moments.map(millisecondsOf).filter((moment) => moment > now));
}

/**
 * The server's time when the component last woke. A component wakes and renders again at the next of these moments, at
 * midnight in New York, and with `everyMs` at each multiple of `everyMs`, counted from `from`.
 */
export function useClock(moments: readonly Moment[] = [], everyMs?: number, from = 0): Date {
  const [now, setNow] = useState(serverNow);
  const tick = everyMs ? from + (Math.floor((now - from) / everyMs) + 1) * everyMs : Infinity;
  const until = Math.min(nextAfter(now, moments), tick);
  useEffect(() => wait({ until, wake: () => setNow(serverNow()) }), [until]);
  return useMemo(() => new Date(now), [now]);
}
