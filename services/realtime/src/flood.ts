/**
 * Packets that a connection may send in a burst and, below, in a second over a longer time. A normal page sends a
 * handful.
 */
const BURST = 60;
const PER_SECOND = 20;

/** A token bucket for one connection. Returns false when the bucket is empty. */
export function packetBudget(now: () => number = () => performance.now()): () => boolean {
  let left = BURST;
  let last = now();
  return () => {
    const time = now();
    left = Math.min(BURST, left + ((time - last) / 1_000) * PER_SECOND);
    last = time;
    return --left >= 0;
  };
}
