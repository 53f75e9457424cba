import type { RequestHandler } from 'express';
import { unavailable, type Unavailable } from '../problems.ts';

/** `Retry-After` of a rejected request, in seconds. */
const COME_BACK_S = 1;
/** Length of the windows in which responses are counted, in ms. */
const WINDOW_MS = 1_000;
/**
 * Number of requests that a gate always admits, however slow they are, because some calls take seconds even without
 * load.
 */
const ALWAYS = 32;

/** Bounds the number of concurrent requests. For code that is not an Express route; routes use `limitConcurrency`. */
export interface Gate {
  /**
   * Admits a request, or throws 503 with Retry-After immediately if the gate is full. Returns a function to call when
   * the request ends.
   */
  enter(): () => void;
  inside(): number;
}

export interface GateOptions {
  /** The problem for a rejected request. */
  what?: Unavailable;
  /**
   * Also bounds the wait, in ms: while most responses take longer, the gate admits only as many requests as get a
   * response in this time (Little's law: wait = admitted requests / responses per second). Default: only the number of
   * requests is bounded.
   */
  maxWaitMs?: number;
  /**
   * While this function returns true, the process is overloaded (`eventLoopWatch`) and the gate admits at most 32
   * requests.
   */
  isBehind?: (() => boolean) | undefined;
  clock?: () => number;
}

/** A gate for at most `max` concurrent requests. */
export function gate(max: number, options: GateOptions = {}): Gate {
  const { what = 'too-many-people', maxWaitMs = Infinity, isBehind } = options;
  const clock = options.clock ?? (() => performance.now());
  let inside = 0;
  let limit = max;
  let windowStart = clock();
  let answered = 0;
  let late = 0;

  /**
   * Updates the limit at the end of a window. A window without responses does not change the limit; hanging requests
   * are bounded by `max`.
   */
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
        // Updates the limit before this response counts, because the first response after a pause does not show the
        // rate.
        adapt(left);
        answered++;
        if (left - now > maxWaitMs) late++;
      };
    },
  };
}

/**
 * A turn of the event loop of this length delays responses by seconds, because each request waits for several turns.
 */
const LONG_TURN_MS = 500;
const LOOK_MS = 250;

/**
 * Detects that this process's event loop is behind: its last turns took over half a second. Uses its own timer, because
 * the histogram of `monitorEventLoopDelay` drops the first delay after each reset, which is the only delay when turns
 * are long.
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

/**
 * Bounds concurrent uses per key to `max` (or `max * times`). Returns a function to call at the end, or undefined if
 * the key's limit is reached.
 */
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
 * Handles at most `max` concurrent requests. A further request gets 503 immediately, and admitted requests finish. So a
 * slow handler costs bounded memory, and no client waits for a useless response. Mount it after reading the body, so
 * that a client that does not send its body does not occupy a slot.
 */
export function limitConcurrency(max: number, what?: Unavailable): RequestHandler {
  const door = gate(max, what === undefined ? {} : { what });
  return (_req, res, next) => {
    // The client disconnected while an earlier handler was waiting. 'close' has already been emitted, so it would not
    // free the slot.
    if (res.destroyed) return;
    res.once('close', door.enter());
    next();
  };
}
