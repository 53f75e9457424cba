import type { Pool } from 'pg';
import { moneyText } from '@beltway/contracts/common/basics';
import type { TimelineOf } from '@beltway/contracts/ops/timelines';
import { daysText } from '@beltway/contracts/common/when';
import type { Details, ListingEvent } from '../event/events.ts';

/** Maximum number of changes that are shown; if there are more, only the newest. */
const MAX_STEPS = 200;

/** Labels of changed fields, for admins. Only fields that matter to ticket buyers have a label. */
const FIELDS: Partial<Record<keyof Details, string>> = {
  title: 'title',
  description: 'description',
  location: 'place',
  address: 'address',
  pictureUrl: 'picture',
  eventDate: 'date',
  eventLastDate: 'last day',
  eventStartTime: 'start',
  eventEndTime: 'end',
  hasTickets: 'tickets',
  ticketSalesEnabled: 'whether tickets are sold',
  priceCents: 'price',
  capacity: 'capacity',
  salesStart: 'start of the sale',
  salesEnd: 'end of the sale',
  refundDeadlineHours: 'refund deadline',
};

const TYPES = [
  ...(['EventPublished', 'EventUpdated', 'EventPostponed', 'EventRescheduled'] as const),
  ...(['EventSuspended', 'EventResumed', 'EventCanceled'] as const),
] as const;
type Told = Extract<ListingEvent, { type: (typeof TYPES)[number] }>;

/** The text with the current price and capacity, shown if one of them changed. */
const termsOf = ({ priceCents, capacity, hasTickets }: Details): string =>
  hasTickets && priceCents !== null && capacity !== null ? ` ${capacity} tickets at ${moneyText(priceCents)}.` : '';

function changesOf(changed: Array<keyof Details>, details: Details): string | null {
  const names = changed.flatMap((field) => FIELDS[field] ?? []);
  if (names.length === 0) return null;
  const isOfTerms = changed.includes('priceCents') || changed.includes('capacity');
  return `${names.join(', ')}.${isOfTerms ? termsOf(details) : ''}`;
}

/** A sentence about a change, without personal data; null if buyers do not see the change. */
function textOf(event: Told): string | null {
  switch (event.type) {
    case 'EventPublished':
      return `The event was published.${termsOf(event.data.details)}`;
    case 'EventUpdated': {
      const changes = changesOf(event.data.changed, event.data.details);
      return changes && `The event was changed: ${changes}`;
    }
    case 'EventPostponed':
      return 'The event was postponed: it has no date.';
    case 'EventRescheduled': {
      const { details } = event.data;
      return `The event has a new date: ${daysText(details, (day) => day)}, start ${details.eventStartTime}.`;
    }
    case 'EventSuspended':
      return event.data.cause === 'organizer'
        ? 'The organizer’s account was suspended: the event is in no list and sells nothing.'
        : 'Admins hid the event after a report: it is in no list and sells nothing.';
    case 'EventResumed': {
      const ended =
        event.data.cause === 'organizer' ? 'The organizer’s account is open again' : 'Admins show the event again';
      return `${ended}${event.data.isSuspended ? ', but the event stays suspended' : ''}.`;
    }
    case 'EventCanceled':
      return 'The event was canceled.';
  }
}

/** The history of an event, oldest first: published, changed, postponed, rescheduled, canceled. */
export async function timelineOf(pool: Pool, eventId: number): Promise<TimelineOf> {
  // Plain SQL, because the events table belongs to the event store.
  const { rows } = await pool.query<{ type: string; data: object; at: Date }>(
    `select type, data, occurred_at as at from events where stream = $1 and type = any($2) order by version desc limit $3`,
    [`event-${eventId}`, TYPES, MAX_STEPS + 1],
  );
  const steps = rows
    .slice(0, MAX_STEPS)
    .reverse()
    .flatMap(({ type, data, at }) => {
      const text = textOf({ type, data } as Told);
      return text ? [{ at: at.toISOString(), type, text }] : [];
    });
  return { known: rows.length > 0, steps, isCut: rows.length > MAX_STEPS };
}
