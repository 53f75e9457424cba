import type { Event } from '@beltway/contracts/catalog/events';
import { journeysFrom, type Journey } from '@beltway/places/journey';
import type { Position } from '@beltway/places/distance';
import { currentDayOf, instantOf } from '@beltway/contracts/common/times';

const MINUTE = 60_000;
/** Time until the start of the listed events (frontend/PRODUCT.md#tonight). */
export const WITHIN_HOURS = 3;
/** Maximum journey in minutes. A longer journey is not worthwhile for one evening. */
const LONGEST_MIN = 75;

/** A reachable event, and when to leave for it. */
export interface Outing {
  event: Event;
  journey: Journey;
  /**
   * The latest time to leave in order to arrive at the start. It is in the past if the visitor can only arrive late.
   */
  leaveAt: Date;
  /** Minutes from the start to the earliest possible arrival; 0: on time. */
  lateMinutes: number;
}

/** A visitor who arrives more than this many minutes late misses the beginning. */
const LATEST_MIN = 30;

/** The start time on the event's current day, because an event of several days begins on each day. */
const startsOn = (event: Event, now: Date): number =>
  instantOf(currentDayOf(event, now), event.eventStartTime).getTime();

/**
 * Events that start within three hours and within walking or Metro distance. Events that can be reached on time come
 * first. Both groups are sorted by start. Excludes canceled events and events without a precise position.
 */
export function tonightNear(events: readonly Event[], from: Position, now: Date): Outing[] {
  const journeyTo = journeysFrom(from);
  const until = now.getTime() + WITHIN_HOURS * 60 * MINUTE;
  return events
    .flatMap((event): Outing[] => {
      if (!event.place || event.place.isApproximate || event.status !== 'published') return [];
      const start = startsOn(event, now);
      if (start <= now.getTime() || start > until) return [];
      const journey = journeyTo(event.place);
      if (!journey || journey.minutes > LONGEST_MIN) return [];
      const leaveAt = new Date(start - journey.minutes * MINUTE);
      const lateMinutes = Math.max(0, Math.ceil((now.getTime() - leaveAt.getTime()) / MINUTE));
      return lateMinutes > LATEST_MIN ? [] : [{ event, journey, leaveAt, lateMinutes }];
    })
    .sort(
      (one, other) =>
        Number(one.lateMinutes > 0) - Number(other.lateMinutes > 0) ||
        startsOn(one.event, now) - startsOn(other.event, now) ||
        one.journey.minutes - other.journey.minutes ||
        one.event.id - other.event.id,
    );
}
