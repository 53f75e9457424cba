import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const LOOK_MS = 5_000;
/** Of one core: who uses less than this has nothing to do but to wait. */
const QUIET_SHARE = 0.05;
/** Smaller growth is not worth a collection. */
const GROWTH_BYTES = 16 * 1_024 * 1_024;

export interface Look {
  /** Microseconds of CPU time the process has used so far. */
  cpu: number;
  /** Milliseconds, of any clock. */
  at: number;
  /** What the process holds, in bytes. */
  held: number;
}

/**
 * Decides at each look whether to collect now: the process was quiet since the look before, and holds much more than
 * after the last collection (or was never collected). Call `collected` with what it holds after one.
 */
export function idleRule(): { look(now: Look): boolean; collected(held: number): void } {
  let before: Look | undefined;
  let floor = Number.NEGATIVE_INFINITY;
  return {
    look(now) {
      const quiet = before !== undefined && now.cpu - before.cpu < QUIET_SHARE * (now.at - before.at) * 1_000;
      before = now;
      return quiet && now.held - floor > GROWTH_BYTES;
    },
    collected: (held) => void (floor = held),
  };
}

/**
 * Gives memory back while there is nothing to do. V8 collects when it needs room, and an idle process needs none: what its
 * start has left behind (a third to a half of all it holds) would stay for ever. A collection takes some 50 ms. Only the first is
 * thorough: code that V8 optimised under load is kept for the next load (docs/decisions/0018).
 */
export function collectWhenIdle(lookMs: number = LOOK_MS): void {
  // Made here and not by a flag of the command line, which would give `gc` to all code.
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as (how: { type: 'major'; flavor?: 'last-resort' }) => void;
  setFlagsFromString('--no-expose-gc');
  const rule = idleRule();
  let first = true;
  setInterval(() => {
    const { user, system } = process.cpuUsage();
    if (!rule.look({ cpu: user + system, at: performance.now(), held: process.memoryUsage.rss() })) return;
    // The thorough way: code that was run once goes too, and so does what was optimized for objects of which none lives now.
    gc({ type: 'major', ...(first && { flavor: 'last-resort' }) });
    first = false;
    rule.collected(process.memoryUsage.rss());
  }, lookMs).unref();
}
