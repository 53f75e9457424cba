import type { Event } from '@beltway/contracts/catalog/events';
import { journeysFrom, type Journey } from '@beltway/places/journey';
import type { Position } from '@beltway/places/distance';
import { textsNow } from '../../lib/i18n/catalog.ts';
import { startsAt } from '../../lib/events/event-facts.ts';
import { texts } from './texts.en.ts';

const MINUTE = 60_000;
/** frontend/PRODUCT.md#tonight */
export const WITHIN_HOURS = 3;
/** Who lets go of a whole evening for the way there? */
const LONGEST_MIN = 75;

/** An event that one can still get to, and when to leave for it. */
export interface Outing {
  event: Event;
  journey: Journey;
  /** The latest moment to leave and be there when it begins; in the past for who comes a little late. */
  leaveAt: Date;
  /** How many minutes after its start one is there at the earliest; 0: in time. */
  lateMinutes: number;
}

/** Who is later than that has missed the beginning. */
const LATEST_MIN = 30;

/**
 * What starts within three hours and is within walking or Metro distance: what one reaches in time first, then by start.
 * Canceled events and those without a sure place are none.
 */
export function tonightNear(events: readonly Event[], from: Position, now: Date): Outing[] {
  const journeyTo = journeysFrom(from);
  const until = now.getTime() + WITHIN_HOURS * 60 * MINUTE;
  return events
    .flatMap((event): Outing[] => {
      if (!event.place || event.place.isApproximate || event.status !== 'published') return [];
      const start = startsAt(event);
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
        startsAt(one.event) - startsAt(other.event) ||
        one.journey.minutes - other.journey.minutes ||
        one.event.id - other.event.id,
    );
}

/** "12 minutes on foot" or "24 minutes by Metro: Red Line from Bethesda to Metro Center, then Blue Line" */
export function journeyText(journey: Journey): string {
  const t = textsNow(texts);
  const { minutes: count } = journey;
  if (journey.by === 'walk') return count === 0 ? t('rightHere') : t('onFoot', { count });
  const [line = '', ...others] = journey.lines.map((name) => t(name));
  const changes = others.map((other) => t('change', { line: other })).join('');
  return t('byMetro', { count, line, from: journey.board.name, changes, to: journey.alight.name });
}
