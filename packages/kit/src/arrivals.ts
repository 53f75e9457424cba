/** Messages usually arrive within a second. */
const ARRIVES_WITHIN_MS = 10_000;
/** After this time an id counts as new again: something may have been made with it since. */
const REMEMBERED_MS = 60_000;
/** Ids are given out in sequence: one that is further from the newest known id belongs to nothing. */
const NEAR = 1_000;
const MOST_REMEMBERED = 10_000;

interface Options {
  /** The highest id that is known here; 0 when none is. */
  newest: () => Promise<number>;
  clock: () => Date;
}

/**
 * Distinguishes an unknown id whose message is on its way from one that belongs to nothing. Until 10 s after the first request for
 * an id near the newest one, its message may arrive: callers get 503 and retry. After that they get the answer for what does not exist.
 */
export function arrivals({ newest, clock }: Options): (unknownId: number) => Promise<boolean> {
  /** When an unknown id was first requested, in milliseconds; oldest first. */
  const firstRequests = new Map<number, number>();
  return async (id) => {
    const now = clock().getTime();
    const since = now - (firstRequests.get(id) ?? -Infinity);
    if (since < REMEMBERED_MS) return since < ARRIVES_WITHIN_MS;
    if (Math.abs(id - (await newest())) > NEAR) return false;
    firstRequests.delete(id);
    firstRequests.set(id, now);
    if (firstRequests.size > MOST_REMEMBERED) firstRequests.delete(firstRequests.keys().next().value!);
    return true;
  };
}
