const FIRST_MS = 200;
const LONGEST_MS = 5_000;
const HEALTHY_MS = 5_000;

/** How long to wait before starting something again: 0.2 s, doubling to 5 s, and from the beginning after 5 s alive: who ran so long was killed, or fails rarely. */
export function backoff(): (aliveMs: number) => number {
  let next = FIRST_MS;
  return (aliveMs) => {
    if (aliveMs >= HEALTHY_MS) next = FIRST_MS;
    const wait = next;
    next = Math.min(next * 2, LONGEST_MS);
    return wait;
  };
}
