/** Packets a connection may send at once, and per second over time. A page sends a handful. */
const BURST = 60;
const PER_SECOND = 20;

/** A bucket for one connection: answers false once more was sent than is decent. */
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
