import type { Event } from '@beltway/contracts/catalog/events';
import { endOf, type EventHours } from '@beltway/contracts/common/times';
import { useMemo } from 'react';
import { useClock, type Moment } from '../time/clock.ts';
import { listOverAt, soonAt, startsAt } from './event-facts.ts';

type Changing = Pick<Event, 'eventDate' | 'eventLastDate'> &
  EventHours &
  Partial<Pick<Event, 'ticketSalesStartTime' | 'ticketSalesEndTime'>>;

/**
 * The moments when an event's display changes: its sale opens or ends, and the event is happening soon, begins, ends,
 * or leaves the lists.
 */
const momentsOf = (event: Changing): Moment[] =>
  event.eventDate === ''
    ? []
    : [
        event.ticketSalesStartTime,
        event.ticketSalesEndTime,
        soonAt(event),
        startsAt(event),
        endOf(event).getTime(),
        listOverAt(event),
      ];

/** `useClock` with every moment at which the display of these events changes. */
export function useEventClock(events: Changing | readonly Changing[]): Date {
  const moments = useMemo(() => [events].flat().flatMap(momentsOf), [events]);
  return useClock(moments);
}
