/** Messages usually arrive within a second. */
const ARRIVES_WITHIN_MS = 10_000;
/** After this time an id counts as new again, because the id may have been assigned since. */
const REMEMBERED_MS = 60_000;
/** Ids are assigned in sequence, so an id farther than this from the newest known id does not exist. */
const NEAR = 1_000;
const MOST_REMEMBERED = 10_000;

interface Options {
  /** The highest id known here; 0 if there is none. */
  newest: () => Promise<number>;
  clock: () => Date;
}

/**
 * Distinguishes an unknown id whose message is in transit from an id that does not exist. For 10 s after the first
 * request for an id near the newest id, the message may still arrive, so callers get 503 and retry. After this time,
 * callers get the response for a nonexistent id.
 */
export function arrivals({ newest, clock }: Options): (unknownId: number) => Promise<boolean> {
  /** Time of the first request for each unknown id, in ms; oldest first. */
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
