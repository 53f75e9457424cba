/**
 * Does at most `limit` pieces of work at a time, in the order in which they came. One that takes longer than `slowMs` makes room for the
 * next: it goes on beside the others, so that nobody waits long for somebody else's. How many there may be is for who calls.
 */
export function fewAtATime(limit: number, slowMs: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: Array<() => void> = [];
  /** Its place is the next one's. */
  const leave = () => {
    const next = waiting.shift();
    if (next) next();
    else running--;
  };
  return async (work) => {
    if (running < limit) running++;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    let isSlow = false;
    const timer = setTimeout(() => {
      isSlow = true;
      leave();
    }, slowMs);
    try {
      return await work();
    } finally {
      clearTimeout(timer);
      if (!isSlow) leave();
    }
  };
}
