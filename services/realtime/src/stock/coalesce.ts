import type { Availability } from '@beltway/contracts/ticketing';

/** Milliseconds between two messages about one event. */
export const STOCK_EVERY_MS = 100;
/** How far back a change may have slipped in between a page's answer and its watch. */
export const RECENT_MS = 2 * 60_000;

const MAX_REMEMBERED = 50_000;

interface Lane {
  latest: Availability;
  at: number;
  /** False while the latest waits for the rest to end. */
  told: boolean;
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
  const lanes = new Map<number, Lane>();

  function tell(lane: Lane): void {
    lane.told = true;
    lane.resting = setTimeout(() => {
      lane.resting = undefined;
      if (!lane.told) tell(lane);
    }, everyMs);
    send(lane.latest);
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
      if (known && stock.version <= known.latest.version) return;
      const lane: Lane = known ?? { latest: stock, at: 0, told: false, resting: undefined };
      Object.assign(lane, { latest: stock, at: Date.now(), told: false });
      // Re-inserted at the end: the map's order is the order of last change.
      lanes.delete(stock.eventId);
      lanes.set(stock.eventId, lane);
      if (!lane.resting) tell(lane);
      if (!known) forgetOldest();
    },
    recent: (eventId) => {
      const lane = lanes.get(eventId);
      return lane && Date.now() - lane.at <= RECENT_MS ? lane.latest : undefined;
    },
    stop: () => {
      for (const lane of lanes.values()) clearTimeout(lane.resting);
      lanes.clear();
    },
  };
}
