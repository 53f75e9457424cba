/**
 * Runs at most `limit` jobs at a time, in order of arrival. A job that takes longer than `slowMs` continues, but frees
 * its slot, so that one slow job does not delay the others. The caller must limit the number of waiting jobs.
 */
export function fewAtATime(limit: number, slowMs: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: Array<() => void> = [];
  /** Passes the slot to the next job. */
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
