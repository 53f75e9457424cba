import type { RequestHandler } from 'express';
import { unavailable, type Unavailable } from '../problems.ts';

/** Seconds after which somebody who was turned away may come again. */
const COME_BACK_S = 1;
/** Time over which answers are counted. */
const WINDOW_MS = 1_000;
/** Requests that a gate lets in however slow their answers are: some calls take seconds when nobody else asks. */
const ALWAYS = 32;

/** Counts who is inside, and lets in no more than so many. For what is no Express route; those take `limitConcurrency`. */
export interface Gate {
  /** Lets one in; throws 503 with Retry-After, at once, when it is full. Gives what must be called when that one leaves. */
  enter(): () => void;
  inside(): number;
}

export interface GateOptions {
  /** Told to who is turned away. */
  what?: Unavailable;
  /**
   * Bounds the wait as well: while most answers take longer than this, a gate holds as many requests as are answered in this time (Little's
   * law: wait = requests inside / answers per second). Default: it bounds their number alone.
   */
  maxWaitMs?: number;
  /** While true, a gate holds no more than 32: the process itself does not keep up (`eventLoopWatch`). */
  isBehind?: (() => boolean) | undefined;
  clock?: () => number;
}

/** A gate for `max` at a time. */
export function gate(max: number, options: GateOptions = {}): Gate {
  const { what = 'too-many-people', maxWaitMs = Infinity, isBehind } = options;
  const clock = options.clock ?? (() => performance.now());
  let inside = 0;
  let limit = max;
  let windowStart = clock();
  let answered = 0;
  let late = 0;

  /** Sets the limit anew when a window is over. One without answers says nothing: what hangs is bounded by `max`. */
  function adapt(now: number): void {
    const elapsed = now - windowStart;
    if (elapsed < WINDOW_MS) return;
    if (answered > 0) {
      const isQueueing = late > answered / 2;
      limit = isQueueing
        ? Math.min(limit, Math.max(ALWAYS, Math.floor((answered * maxWaitMs) / elapsed)))
        : Math.min(max, Math.ceil(limit * 1.25));
    }
    windowStart = now;
    answered = late = 0;
  }

  return {
    inside: () => inside,
    enter: () => {
      const now = clock();
      if (inside === 0) {
        limit = max;
        windowStart = now;
        answered = late = 0;
      } else adapt(now);
      if (inside >= limit || (inside >= ALWAYS && isBehind?.())) throw unavailable(what, COME_BACK_S);
      inside++;
      let isInside = true;
      return () => {
        if (!isInside) return;
        isInside = false;
        inside--;
        const left = clock();
        // Before this one counts: the first answer after a pause says nothing of how many there are a second.
        adapt(left);
        answered++;
        if (left - now > maxWaitMs) late++;
      };
    },
  };
}

/** A turn of the event loop that takes so long makes answers seconds late: each request waits for several of them. */
const LONG_TURN_MS = 500;
const LOOK_MS = 250;

/**
 * Says whether the event loop of this process is behind: its last turns took longer than half a second. By a timer of its own, for the
 * histogram of `monitorEventLoopDelay` drops the first delay after each reset, which is the only one when turns are long.
 */
export function eventLoopWatch(): { isBehind: () => boolean; stop: () => void } {
  let lookedAt = performance.now();
  let isBehind = false;
  const look = setInterval(() => {
    const now = performance.now();
    isBehind = now - lookedAt > LONG_TURN_MS;
    lookedAt = now;
  }, LOOK_MS).unref();
  return { isBehind: () => isBehind, stop: () => clearInterval(look) };
}

/** Gates by key: `max` of each at a time, or so many times that. Gives what must be called when that one leaves; undefined when it is full. */
export function gatesByKey(max: number): (key: string, times?: number) => (() => void) | undefined {
  const inside = new Map<string, number>();
  return (key, times = 1) => {
    const count = inside.get(key) ?? 0;
    if (count >= max * times) return undefined;
    inside.set(key, count + 1);
    let isInside = true;
    return () => {
      if (!isInside) return;
      isInside = false;
      const left = inside.get(key)! - 1;
      if (left > 0) inside.set(key, left);
      else inside.delete(key);
    };
  };
}

/**
 * At most `max` requests at a time; one more is answered 503 at once. What is let in is finished. So a slow part costs a bounded
 * amount of memory, and nobody waits for an answer that would come too late to be of use. Comes after what reads the body: who does not
 * send one must not take the place of who does.
 */
export function limitConcurrency(max: number, what?: Unavailable): RequestHandler {
  const door = gate(max, what === undefined ? {} : { what });
  return (_req, res, next) => {
    // Its client left while something before this was awaited: 'close' was told, and would not give the place back.
    if (res.destroyed) return;
    res.once('close', door.enter());
    next();
  };
}
