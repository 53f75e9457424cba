import { percentile } from './statistics.ts';

export interface Loaded {
  /** Number of calls that finished within the measured time. */
  done: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
}

const MAX_LATENCIES = 4_000_000;

/**
 * Keeps `outstanding` calls in flight: when one ends, the next starts. Calls that began in the warm-up do not count.
 */
export async function closedLoop(
  call: () => Promise<unknown>,
  { outstanding, seconds, warmUpSeconds = 1 }: { outstanding: number; seconds: number; warmUpSeconds?: number },
): Promise<Loaded> {
  const latencies = new Float64Array(MAX_LATENCIES);
  let done = 0;
  const start = performance.now() + warmUpSeconds * 1_000;
  const end = start + seconds * 1_000;
  const one = async () => {
    for (let from = performance.now(); from < end;) {
      await call();
      const now = performance.now();
      if (now >= start && now < end && done < MAX_LATENCIES) latencies[done++] = now - from;
      from = now;
    }
  };
  await Promise.all(Array.from({ length: outstanding }, one));
  const measured = latencies.subarray(0, done);
  return { done, perSecond: done / seconds, p50Ms: percentile(measured, 0.5), p99Ms: percentile(measured, 0.99) };
}
