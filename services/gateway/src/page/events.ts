import { Event } from '@beltway/contracts/catalog';
import { fetchFrom, type Instances } from '@beltway/kit/instances';

/** `missing`: catalog says there is none. Neither: catalog did not answer, and the page goes without. */
export interface Found {
  event?: Event;
  missing?: true;
}

/** Concurrent loads of a page, also while catalog hangs, cost one call. */
const KEPT_MS = 2_000;
const KEPT = 500;
const TIMEOUT_MS = 1_500;

/** Asks catalog for what everybody may know of an event. Never rejects. */
export function eventLookup(catalog: Instances): (id: number) => Promise<Found> {
  const kept = new Map<number, { until: number; found: Promise<Found> }>();

  const ask = async (id: number): Promise<Found> => {
    try {
      const answer = await fetchFrom(catalog, `/api/events/${id}`, {
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      if (answer.status === 404) return { missing: true };
      return answer.ok ? { event: Event.parse(await answer.json()) } : {};
    } catch {
      return {};
    }
  };

  return (id) => {
    const now = Date.now();
    const known = kept.get(id);
    if (known && known.until > now) return known.found;
    const found = ask(id);
    kept.delete(id);
    if (kept.size >= KEPT) kept.delete(kept.keys().next().value as number);
    kept.set(id, { until: now + KEPT_MS, found });
    return found;
  };
}
