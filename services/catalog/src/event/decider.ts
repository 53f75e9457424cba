import { dayAt, dayOf, endOf, startOf } from '@beltway/contracts/times';
import { Rejected, type Decider } from '@beltway/event-store';
import type { Details, ListingCommand, ListingEvent, PromotionRefusal, Running } from './events.ts';

export interface Listing {
  status: 'unpublished' | 'published' | 'postponed' | 'cancelled';
  organiserId: number;
  seriesId: number | null;
  details: Details | null;
  version: number;
  /** The version of its last change: a promotion changes nothing that its organiser sees. */
  changed: number;
  /** Promotions in force, one of each level at most. */
  running: Running[];
}

const initial = (): Listing => ({
  status: 'unpublished',
  organiserId: 0,
  seriesId: null,
  details: null,
  version: 0,
  changed: 0,
  running: [],
});

/** The details of an event that may still be changed. */
function open({ status, details, changed }: Listing, seen: number | undefined): Details {
  if (!details) throw new Rejected('no-such-event', 'This event does not exist.');
  if (status === 'cancelled') throw new Rejected('event-cancelled', 'This event was cancelled.');
  if (seen !== undefined && seen !== changed)
    throw new Rejected('changed-meanwhile', 'This event was changed meanwhile. Please look at it again.');
  return details;
}

function checkSale({ hasTickets, priceCents, capacity, salesStart, salesEnd }: Details): void {
  if (salesStart && salesEnd && salesEnd <= salesStart)
    throw new Rejected('sales-end-before-start', 'Ticket sales must end after they start.');
  if (!hasTickets) return;
  if (priceCents === null) throw new Rejected('price-missing', 'Please enter a valid ticket price greater than $0');
  if (capacity === null) throw new Rejected('capacity-missing', 'Please enter the total number of tickets available');
}

/** What already began can be corrected, but its start is never moved to a time that is past. */
function checkStart(details: Details, at: string, before?: Details): void {
  const start = startOf(details).getTime();
  if (start > Date.parse(at) || (before && startOf(before).getTime() === start)) return;
  if (dayOf(details.eventDate) < dayAt(new Date(at)))
    throw new Rejected('date-in-past', 'This date is past. Please choose a later one.');
  throw new Rejected('start-in-past', 'This start time is past. Please choose a later one.');
}

/** Only what the organiser changes is held against the stock: ticketing decides finally, and never sells more than it holds. */
function checkTaken(changed: Array<keyof Details>, { hasTickets, capacity }: Details, taken: number): void {
  if (changed.includes('hasTickets') && !hasTickets && taken > 0)
    throw new Rejected(
      'tickets-taken',
      'Tickets are sold or held already. Ticket sales can be paused, not taken away.',
    );
  if (changed.includes('capacity') && (capacity ?? 0) < taken)
    throw new Rejected(
      'capacity-below-taken',
      `${taken} ${taken === 1 ? 'ticket is' : 'tickets are'} sold or held already.`,
    );
}

const HOUR_MS = 3_600_000;

/** Why a promotion that was paid cannot be given; undefined: it can. */
function refusalOf({ status, details }: Listing, at: string): PromotionRefusal | undefined {
  if (!details) return 'no-such-event';
  if (status === 'cancelled') return 'event-cancelled';
  if (status === 'postponed') return 'event-postponed';
  return endOf(details).getTime() <= Date.parse(at) ? 'event-over' : undefined;
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

function decide(command: ListingCommand, listing: Listing): ListingEvent[] {
  const { organiserId: ownerId, seriesId } = listing;
  const told = { ownerId, ...(seriesId !== null && { seriesId }) };
  switch (command.type) {
    case 'PublishEvent': {
      if (listing.details) throw new Rejected('already-published', 'This event is published already.');
      checkStart(command.details, command.at);
      checkSale(command.details);
      return [
        {
          type: 'EventPublished',
          data: {
            ownerId: command.organiserId,
            details: command.details,
            ...(command.seriesId !== undefined && { seriesId: command.seriesId }),
          },
        },
      ];
    }
    case 'UpdateEvent': {
      const before = open(listing, command.seen);
      const details = { ...before, ...command.changes };
      const changed = (Object.keys(details) as Array<keyof Details>).filter(
        (name) => !same(details[name], before[name]),
      );
      const isPostponed = listing.status === 'postponed';
      const isRescheduled = isPostponed && command.changes.eventDate !== undefined;
      if (changed.length === 0 && !isRescheduled) return [];
      // Without a date there is no start that could be past.
      if (isRescheduled) checkStart(details, command.at);
      else if (!isPostponed) checkStart(details, command.at, before);
      checkSale(details);
      checkTaken(changed, details, command.taken);
      if (isRescheduled) return [{ type: 'EventRescheduled', data: { ...told, details, changed } }];
      return [{ type: 'EventUpdated', data: { ...told, details, changed, ...(isPostponed && { isPostponed }) } }];
    }
    case 'PostponeEvent': {
      const details = open(listing, command.seen);
      if (listing.status === 'postponed')
        throw new Rejected(
          'already-postponed',
          'This event is postponed already. Give it a new date when there is one.',
        );
      if (endOf(details).getTime() <= Date.parse(command.at))
        throw new Rejected('event-over', 'This event is over. It cannot be postponed any more.');
      return [{ type: 'EventPostponed', data: { ...told, details } }];
    }
    case 'CancelEvent':
      open(listing, command.seen);
      return [{ type: 'EventCancelled', data: { ownerId } }];
    case 'StartPromotion': {
      const { purchase, hours, at } = command;
      const reason = refusalOf(listing, at);
      if (reason) return [{ type: 'PromotionRefused', data: { ...purchase, reason } }];
      const { level } = purchase;
      // Bought again, it goes on from its end.
      const before = listing.running.find((one) => one.level === level);
      const from = Math.max(Date.parse(at), before ? Date.parse(before.until) : 0);
      const until = new Date(from + hours * HOUR_MS).toISOString();
      const running = [...listing.running.filter((one) => one !== before), { level, until }];
      return [{ type: 'PromotionStarted', data: { ...purchase, until, running } }];
    }
    case 'EndPromotions': {
      const isOver = ({ until }: Running) => until <= command.at;
      let { running } = listing;
      return listing.running.filter(isOver).map((ended) => {
        running = running.filter((one) => one !== ended);
        return { type: 'PromotionEnded', data: { level: ended.level, running } };
      });
    }
  }
}

// May change the state it is given: the store owns it, and drops it if the append fails.
function evolve(listing: Listing, { type, data }: ListingEvent): Listing {
  listing.version++;
  switch (type) {
    case 'PromotionRefused':
      return listing;
    case 'PromotionStarted':
    case 'PromotionEnded':
      listing.running = data.running;
      return listing;
    default:
      listing.changed = listing.version;
  }
  switch (type) {
    case 'EventPublished':
      listing.status = 'published';
      listing.organiserId = data.ownerId;
      listing.seriesId = data.seriesId ?? null;
      listing.details = data.details;
      return listing;
    case 'EventUpdated':
      listing.details = data.details;
      return listing;
    case 'EventPostponed':
      listing.status = 'postponed';
      return listing;
    case 'EventRescheduled':
      listing.status = 'published';
      listing.details = data.details;
      return listing;
    case 'EventCancelled':
      listing.status = 'cancelled';
      listing.running = [];
      return listing;
  }
}

export const listing: Decider<Listing, ListingCommand, ListingEvent> = { initial, decide, evolve };
