/** Does at most `limit` pieces of work at a time, in the order in which they came. How many may wait is for who calls. */
export function fewAtATime(limit: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: Array<() => void> = [];
  return async (work) => {
    if (running < limit) running++;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      // Its place is the next one's.
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
