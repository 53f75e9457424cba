import type { Availability } from '@beltway/contracts/ticketing';

/** Milliseconds between two messages about one event. */
export const STOCK_EVERY_MS = 100;

const MAX_REMEMBERED = 50_000;

interface Lane {
  version: number;
  /** What came while the lane rested; the newest only. */
  next: Availability | undefined;
  resting: ReturnType<typeof setTimeout> | undefined;
}

export interface Coalescer {
  /** Takes a state in any order and as often as it comes; what is not newer than what was told or waits is dropped. */
  offer(stock: Availability): void;
  stop(): void;
}

/**
 * A hot sale changes its stock thousands of times a second; a page needs to know ten times. The first change is sent at once,
 * then at most one per event every `everyMs`, and the last state always goes out.
 */
export function coalesce(send: (stock: Availability) => void, everyMs = STOCK_EVERY_MS): Coalescer {
  const lanes = new Map<number, Lane>();

  function tell(lane: Lane, stock: Availability): void {
    lane.next = undefined;
    lane.resting = setTimeout(() => {
      lane.resting = undefined;
      if (lane.next) tell(lane, lane.next);
    }, everyMs);
    send(stock);
  }

  /** Forgetting a version may let an old state through once; the page then asks in vain, no more. */
  function forgetOldest(): void {
    for (const [eventId, lane] of lanes) {
      if (lanes.size <= MAX_REMEMBERED) return;
      if (!lane.resting) lanes.delete(eventId);
    }
  }

  return {
    offer: (stock) => {
      const known = lanes.get(stock.eventId);
      if (known && stock.version <= known.version) return;
      const lane = known ?? { version: 0, next: undefined, resting: undefined };
      lane.version = stock.version;
      // Re-inserted at the end: the map's order is the order of last change.
      lanes.delete(stock.eventId);
      lanes.set(stock.eventId, lane);
      if (lane.resting) lane.next = stock;
      else tell(lane, stock);
      if (!known) forgetOldest();
    },
    stop: () => {
      for (const lane of lanes.values()) clearTimeout(lane.resting);
      lanes.clear();
    },
  };
}
