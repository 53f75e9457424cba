import { backoff } from '@beltway/kit/backoff';

const pauseAfter = backoff(200, 5_000);
const HEALTHY_MS = 5_000;

/** How long to wait before starting something again: 0.2 s, doubling to 5 s, and from the beginning after 5 s alive: who ran so long was killed, or fails rarely. */
export function restartPauses(): (aliveMs: number) => number {
  let failures = 0;
  return (aliveMs) => {
    if (aliveMs >= HEALTHY_MS) failures = 0;
    return pauseAfter(++failures);
  };
}
