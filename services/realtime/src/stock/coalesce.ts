import type { Availability } from '@beltway/contracts/ticketing/tickets';

/** Milliseconds between two messages about one event. */
export const STOCK_EVERY_MS = 100;
/**
 * Maximum age of a change that is sent when a watch begins. Such a change may have happened after the page's API
 * response.
 */
export const RECENT_MS = 2 * 60_000;

const MAX_REMEMBERED = 50_000;

interface LatestStock {
  latest: Availability;
  at: number;
  /** False while the latest state waits for the end of the pause. */
  isSent: boolean;
  resting: ReturnType<typeof setTimeout> | undefined;
}

export interface Coalescer {
  /** Accepts states in any order. States may be repeated. A state that is not newer than the latest is dropped. */
  offer(stock: Availability): void;
  /** The latest state of an event that changed within the last two minutes. */
  recent(eventId: number): Availability | undefined;
  stop(): void;
}

/**
 * A hot sale changes its stock thousands of times a second, but a page needs only ten updates a second. The first
 * change is sent immediately, then at most one change of an event every `everyMs`. The last state is always sent.
 */
export function coalesce(send: (stock: Availability) => void, everyMs = STOCK_EVERY_MS): Coalescer {
  const entries = new Map<number, LatestStock>();

  function tell(entry: LatestStock): void {
    entry.isSent = true;
    entry.resting = setTimeout(() => {
      entry.resting = undefined;
      if (!entry.isSent) tell(entry);
    }, everyMs);
    send(entry.latest);
  }

  /**
   * After the entry of an event was dropped, an old state of the event may be sent once. The page then makes one
   * needless request.
   */
  function forgetOldest(): void {
    for (const [eventId, entry] of entries) {
      if (entries.size <= MAX_REMEMBERED) return;
      if (!entry.resting) entries.delete(eventId);
    }
  }

  return {
    offer: (stock) => {
      const known = entries.get(stock.eventId);
      if (known && stock.version <= known.latest.version) return;
      const entry: LatestStock = known ?? { latest: stock, at: 0, isSent: false, resting: undefined };
      Object.assign(entry, { latest: stock, at: Date.now(), isSent: false });
      // The entry is inserted again at the end, so that the map is sorted by the time of the last change.
      entries.delete(stock.eventId);
      entries.set(stock.eventId, entry);
      if (!entry.resting) tell(entry);
      if (!known) forgetOldest();
    },
    recent: (eventId) => {
      const entry = entries.get(eventId);
      return entry && Date.now() - entry.at <= RECENT_MS ? entry.latest : undefined;
    },
    stop: () => {
      for (const entry of entries.values()) clearTimeout(entry.resting);
      entries.clear();
    },
  };
}
