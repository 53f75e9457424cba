import type { Availability } from '@beltway/contracts/ticketing/tickets';

/** Milliseconds between two messages about one event. */
export const STOCK_EVERY_MS = 100;
/** How far back a change may have slipped in between a page's answer and its watch. */
export const RECENT_MS = 2 * 60_000;

const MAX_REMEMBERED = 50_000;

interface LatestStock {
  latest: Availability;
  at: number;
  /** False while the latest waits for the rest to end. */
  isSent: boolean;
  resting: ReturnType<typeof setTimeout> | undefined;
}

export interface Coalescer {
  /** Takes a state in any order and as often as it comes; what is not newer than the latest is dropped. */
  offer(stock: Availability): void;
  /** The latest state of an event that changed within the last two minutes. */
  recent(eventId: number): Availability | undefined;
  stop(): void;
}

/**
 * A hot sale changes its stock thousands of times a second; a page needs to know ten times. The first change is sent at once,
 * then at most one per event every `everyMs`, and the last state always goes out.
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

  /** Forgetting a version may let an old state through once; the page then asks in vain, no more. */
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
      // Re-inserted at the end: the map's order is the order of last change.
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
