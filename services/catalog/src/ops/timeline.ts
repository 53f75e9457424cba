import type { Pool } from 'pg';
import { moneyText } from '@beltway/contracts/common/basics';
import type { TimelineOf } from '@beltway/contracts/ops/timelines';
import { dayOf } from '@beltway/contracts/common/times';
import type { Details, ListingEvent } from '../event/events.ts';

/** Changes of an event at most, the newest. */
const MAX_STEPS = 200;

/** What an admin reads of a change. Other details do not matter to buyers of tickets. */
const FIELDS: Partial<Record<keyof Details, string>> = {
  title: 'title',
  description: 'description',
  location: 'place',
  pictureUrl: 'picture',
  eventDate: 'date',
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

const TYPES = ['EventPublished', 'EventUpdated', 'EventPostponed', 'EventRescheduled', 'EventCanceled'] as const;
type Told = Extract<ListingEvent, { type: (typeof TYPES)[number] }>;

/** Where the price or the number of tickets changed, what they are now. */
const termsOf = ({ priceCents, capacity, hasTickets }: Details): string =>
  hasTickets && priceCents !== null && capacity !== null ? ` ${capacity} tickets at ${moneyText(priceCents)}.` : '';

function changesOf(changed: Array<keyof Details>, details: Details): string | null {
  const names = changed.flatMap((field) => FIELDS[field] ?? []);
  if (names.length === 0) return null;
  const isOfTerms = changed.includes('priceCents') || changed.includes('capacity');
  return `${names.join(', ')}.${isOfTerms ? termsOf(details) : ''}`;
}

/** A sentence about what became of an event, without personal data. Null: nothing that its buyers see. */
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
      const { eventDate, eventStartTime } = event.data.details;
      return `The event has a new date: ${dayOf(new Date(eventDate))}, start ${eventStartTime}.`;
    }
    case 'EventCanceled':
      return 'The event was canceled.';
  }
}

/** What became of an event, oldest first: published, changed, postponed, with a new date, canceled. */
export async function timelineOf(pool: Pool, eventId: number): Promise<TimelineOf> {
  // Text: the event store's table.
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
