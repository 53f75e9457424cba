import { onTheClocks } from '@beltway/contracts/common/clock-change';
import {
  MOST_DAYS,
  dayAt,
  dayOf,
  daysAfter,
  daysBetween,
  endOf,
  instantOf,
  isLastDay,
  startOf,
} from '@beltway/contracts/common/times';
import type { Decider } from '@beltway/event-store';
import { Rejected } from '@beltway/kit/rejected';
import type { PaidLivestream } from '@beltway/contracts/catalog/livestream';
import { livestreamFault } from '@beltway/contracts/catalog/livestream-config';
import type { PromotionRefusal } from '@beltway/contracts/catalog/promotion';
import type {
  Details,
  ListingCommand,
  ListingEvent,
  Livestream,
  Purchase,
  Running,
  SuspensionCause,
} from './events.ts';

const HOUR_MS = 3_600_000;

export interface Listing {
  status: 'unpublished' | 'published' | 'postponed' | 'canceled';
  organizerId: number;
  seriesId: number | null;
  details: Details | null;
  version: number;
  /** The stream version of the latest change that the organizer sees. Promotions are no such change. */
  changed: number;
  /** Promotions in force, at most one per level. */
  running: Running[];
  /** Fulfilled purchases, each with the time at which it ends. */
  purchases: Array<Purchase & { until: string }>;
  /** Ids of purchases that were refused or ended early. */
  undone: Set<string>;
  /** The latest paid live stream, with its purchase. */
  livestream: (Livestream & { status: 'scheduled' | 'live' | 'ended'; promotionId: string; isOwn?: true }) | null;
  /** The causes of the suspension. Empty if the event is not suspended. */
  suspended: Set<SuspensionCause>;
}

const initial = (): Listing => ({
  status: 'unpublished',
  organizerId: 0,
  seriesId: null,
  details: null,
  version: 0,
  changed: 0,
  running: [],
  purchases: [],
  undone: new Set(),
  livestream: null,
  suspended: new Set(),
});

/**
 * The event's details. Throws if the event does not exist, is canceled, or has changed since the stream version `seen`.
 */
function open({ status, details, changed }: Listing, seen: number | undefined): Details {
  if (!details) throw new Rejected('no-such-event');
  if (status === 'canceled') throw new Rejected('event-canceled');
  if (seen !== undefined && seen !== changed) throw new Rejected('changed-meanwhile.event');
  return details;
}

/** A postponed event has no end. */
const isOver = (status: Listing['status'], details: Details, at: string): boolean =>
  status === 'published' && endOf(details).getTime() <= Date.parse(at);

function checkSale({ hasTickets, priceCents, capacity, salesStart, salesEnd }: Details): void {
  if (salesStart && salesEnd && salesEnd <= salesStart) throw new Rejected('sales-end-before-start');
  if (!hasTickets) return;
  if (priceCents === null) throw new Rejected('price-missing');
  if (capacity === null) throw new Rejected('capacity-missing');
}

/**
 * The details with these changes. If the changes have a first day but no last day, the event keeps its number of days.
 * A last day equal to the first day is removed.
 */
function changedTo(before: Details, changes: Partial<Details>): Details {
  const { eventLastDate, ...details } = { ...before, ...changes };
  if (!eventLastDate) return details;
  const first = dayOf(details.eventDate);
  const isMoved = changes.eventDate !== undefined && changes.eventLastDate === undefined;
  const last = isMoved
    ? daysAfter(first, daysBetween(dayOf(before.eventDate), dayOf(eventLastDate)))
    : dayOf(eventLastDate);
  if (last === first) return details;
  if (!isLastDay(first, last)) throw new Rejected('last-date.wrong', { max: MOST_DAYS });
  return { ...details, eventLastDate: instantOf(last).toISOString() };
}

/**
 * Throws if the start is in the past and differs from the previous start. So other fields of an event that has begun
 * can be corrected, but no start can be moved into the past.
 */
function checkStart(details: Details, at: string, before?: Details): void {
  const start = startOf(details).getTime();
  if (start > Date.parse(at) || (before && startOf(before).getTime() === start)) return;
  if (dayOf(details.eventDate) < dayAt(new Date(at))) throw new Rejected('date-in-past');
  throw new Rejected('start-in-past');
}

/**
 * Checks only changed fields, and compares them with the last known stock. Ticketing makes the final decision, and
 * never sells more tickets than the stock has.
 */
function checkTaken(changed: Array<keyof Details>, { hasTickets, capacity }: Details, taken: number): void {
  if (changed.includes('hasTickets') && !hasTickets && taken > 0) throw new Rejected('tickets-taken');
  if (changed.includes('capacity') && (capacity ?? 0) < taken) throw new Rejected('capacity-below-taken', { taken });
}

/** Why a paid promotion cannot start; undefined if it can start. */
function refusalOf({ status, details, suspended }: Listing, at: string): PromotionRefusal | undefined {
  if (!details) return 'no-such-event';
  if (status === 'canceled') return 'event-canceled';
  if (suspended.size > 0) return 'event-suspended';
  if (status === 'postponed') return 'event-postponed';
  return endOf(details).getTime() <= Date.parse(at) ? 'event-over' : undefined;
}

/** The stream shifted by `byMs`. */
const moved = <Times extends Pick<Livestream, 'startTime' | 'endTime'>>(stream: Times, byMs: number): Times => {
  const later = (time: string) => new Date(Date.parse(time) + byMs).toISOString();
  return { ...stream, startTime: later(stream.startTime), endTime: later(stream.endTime) };
};

/**
 * A paid stream, moved with the event: if the event's start changed since the purchase, the stream is shifted by the
 * same time.
 */
function todays({ eventStartsAt, isUsual: _usual, ...stream }: PaidLivestream, details: Details): Livestream {
  return eventStartsAt ? moved(stream, startOf(details).getTime() - Date.parse(eventStartsAt)) : stream;
}

/**
 * Why a paid live stream cannot be scheduled; undefined if it can be scheduled. Call this function only for an event
 * that can be promoted.
 */
function livestreamRefusal({ livestream }: Listing, paid: Livestream, at: string): PromotionRefusal | undefined {
  if (paid.endTime <= at) return 'livestream-over';
  return livestream === null || livestream.status === 'ended' ? undefined : 'livestream-exists';
}

/** If the event's start changes, an upcoming stream is shifted by the same time. */
function movedWith({ livestream }: Listing, before: Details, after: Details): ListingEvent[] {
  const byMs = startOf(after).getTime() - startOf(before).getTime();
  if (livestream?.status !== 'scheduled' || byMs === 0) return [];
  return [{ type: 'LivestreamMoved', data: moved(toldOf(livestream), byMs) }];
}

const toldOf = ({
  status: _now,
  promotionId: _by,
  isOwn: _own,
  ...stream
}: NonNullable<Listing['livestream']>): Livestream => stream;
const ended = (stream: NonNullable<Listing['livestream']>): ListingEvent => ({
  type: 'LivestreamEnded',
  data: toldOf(stream),
});

/**
 * The purchases to refund when their event is canceled: promotions that are in force, and live streams that have not
 * ended.
 */
function returned({ purchases, livestream }: Listing, at: string): ListingEvent[] {
  const isComing = ({ promotionId }: Purchase) =>
    livestream?.promotionId === promotionId && livestream.status !== 'ended';
  return purchases
    .filter((purchase) => purchase.until > at || isComing(purchase))
    .map(({ until: _until, ...purchase }) => ({
      type: 'PromotionReturned',
      data: { ...purchase, reason: 'event-canceled' },
    }));
}

/**
 * The levels in force after this purchase is withdrawn. The remaining time of the purchase is subtracted from its
 * level, so later purchases of the level start earlier.
 */
function runningWithout({ running, purchases }: Listing, purchase: Purchase, hours: number, at: string): Running[] {
  const given = purchases.find(({ promotionId }) => promotionId === purchase.promotionId);
  if (!given) return running;
  const end = Date.parse(given.until);
  const leftMs = Math.max(0, end - Math.max(Date.parse(at), end - hours * HOUR_MS));
  return running
    .map((one) =>
      one.level === given.level ? { ...one, until: new Date(Date.parse(one.until) - leftMs).toISOString() } : one,
    )
    .filter(({ until }) => until > at);
}

/** Starts or ends the stream if its time has come. Does nothing while the event has no date or is suspended. */
function advanced({ status, livestream, suspended }: Listing, at: string): ListingEvent[] {
  if (!livestream || livestream.status === 'ended' || status !== 'published' || suspended.size > 0) return [];
  const started: ListingEvent[] =
    livestream.status === 'scheduled' && livestream.startTime <= at
      ? [{ type: 'LivestreamStarted', data: toldOf(livestream) }]
      : [];
  return livestream.endTime <= at ? [...started, ended(livestream)] : started;
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** Changes an upcoming stream as its owner requests. */
function changedByOwner(listing: Listing, wanted: Livestream, at: string): ListingEvent[] {
  const details = open(listing, undefined);
  const { livestream, status } = listing;
  if (!livestream || livestream.status === 'ended') throw new Rejected('no-livestream');
  if (livestream.status === 'live') throw new Rejected('livestream-begun');
  if (status === 'postponed') throw new Rejected('event-postponed.livestream');
  const fault = livestreamFault(wanted, { startsAt: startOf(details), endsAt: endOf(details) }, new Date(at));
  if (fault) throw new Rejected(fault.text);
  const before = toldOf(livestream);
  const isSame = (Object.keys(before) as Array<keyof Livestream>).every((name) => before[name] === wanted[name]);
  return isSame ? [] : [{ type: 'LivestreamMoved', data: { ...wanted, isOwn: true } }];
}

function decide(command: ListingCommand, listing: Listing): ListingEvent[] {
  const { organizerId: ownerId, seriesId } = listing;
  const isSuspended = listing.suspended.size > 0;
  const told = { ownerId, ...(seriesId !== null && { seriesId }), ...(isSuspended && { isSuspended }) };
  switch (command.type) {
    case 'PublishEvent': {
      if (listing.details) throw new Rejected('already-published');
      const details = onTheClocks(changedTo(command.details, {}));
      checkStart(details, command.at);
      checkSale(details);
      return [
        {
          type: 'EventPublished',
          data: {
            ownerId: command.organizerId,
            details,
            ...(command.seriesId !== undefined && { seriesId: command.seriesId }),
          },
        },
      ];
    }
    case 'UpdateEvent': {
      const before = open(listing, command.seen);
      const details = onTheClocks(changedTo(before, command.changes));
      const changed = (Object.keys({ ...before, ...details }) as Array<keyof Details>).filter(
        (name) => !same(details[name], before[name]),
      );
      const isPostponed = listing.status === 'postponed';
      const isRescheduled = isPostponed && command.changes.eventDate !== undefined;
      if (changed.length === 0 && !isRescheduled) return [];
      // Otherwise a past event would become an upcoming event, and its organizer could then cancel it.
      if (
        isOver(listing.status, before, command.at) &&
        !isOver(listing.status, details, command.at) &&
        !command.afterEnd
      )
        throw new Rejected('event-over.no-later-time');
      // A postponed event that stays postponed has no date, so its start is not checked.
      if (isRescheduled) checkStart(details, command.at);
      else if (!isPostponed) checkStart(details, command.at, before);
      checkSale(details);
      checkTaken(changed, details, command.taken);
      const stream = movedWith(listing, before, details);
      if (isRescheduled) return [{ type: 'EventRescheduled', data: { ...told, details, changed } }, ...stream];
      return [
        { type: 'EventUpdated', data: { ...told, details, changed, ...(isPostponed && { isPostponed }) } },
        ...stream,
      ];
    }
    case 'PostponeEvent': {
      const details = open(listing, command.seen);
      if (listing.status === 'postponed') throw new Rejected('already-postponed');
      if (endOf(details).getTime() <= Date.parse(command.at)) throw new Rejected('event-over.not-postponed');
      const live = listing.livestream?.status === 'live' ? [ended(listing.livestream)] : [];
      return [{ type: 'EventPostponed', data: { ...told, details } }, ...live];
    }
    case 'CancelEvent':
      if (isOver(listing.status, open(listing, command.seen), command.at) && !command.afterEnd)
        throw new Rejected('event-over.admin-cancels');
      return [{ type: 'EventCanceled', data: { ownerId } }, ...returned(listing, command.at)];
    case 'SuspendEvent': {
      const { details, status, suspended } = listing;
      const { cause } = command;
      if (!details || status === 'canceled' || suspended.has(cause)) return [];
      const isPostponed = status === 'postponed';
      const data = { ...told, details, cause, isSuspended: true as const, ...(isPostponed && { isPostponed }) };
      return [{ type: 'EventSuspended', data }];
    }
    case 'ResumeEvent': {
      const { details, status, suspended } = listing;
      const { cause } = command;
      if (!details || status === 'canceled' || !suspended.has(cause)) return [];
      const isPostponed = status === 'postponed';
      const { isSuspended: _was, ...rest } = told;
      const isLeft = suspended.size > 1;
      const data = {
        ...rest,
        details,
        cause,
        ...(isLeft && { isSuspended: isLeft }),
        ...(isPostponed && { isPostponed }),
      };
      return [{ type: 'EventResumed', data }];
    }
    case 'EraseContact':
      if (!listing.details || listing.details.contactEmail === '') return [];
      return [{ type: 'ContactErased', data: { ownerId } }];
    case 'StartPromotion': {
      const { purchase, hours, at, livestream: paid } = command;
      const { details } = listing;
      const stream = paid && details ? todays(paid, details) : undefined;
      const lost: PromotionRefusal | undefined = listing.undone.has(purchase.promotionId) ? 'payment-lost' : undefined;
      const reason = lost ?? refusalOf(listing, at) ?? (stream && livestreamRefusal(listing, stream, at));
      if (reason) return [{ type: 'PromotionRefused', data: { ...purchase, reason } }];
      const { level } = purchase;
      // A second purchase of a level begins when the first purchase ends.
      const before = listing.running.find((one) => one.level === level);
      const from = Math.max(Date.parse(at), before ? Date.parse(before.until) : 0);
      const until = new Date(from + hours * HOUR_MS).toISOString();
      const running = [...listing.running.filter((one) => one !== before), { level, until }];
      const started: ListingEvent = { type: 'PromotionStarted', data: { ...purchase, until, running } };
      const { promotionId } = purchase;
      return stream ? [started, { type: 'LivestreamScheduled', data: { ...stream, promotionId } }] : [started];
    }
    case 'WithdrawPromotion': {
      const { purchase, hours, reason, at } = command;
      const { promotionId } = purchase;
      if (listing.undone.has(promotionId)) return [];
      const { livestream } = listing;
      const isStreaming = livestream?.promotionId === promotionId && livestream.status !== 'ended';
      return [
        {
          type: 'PromotionReturned',
          data: { ...purchase, reason, running: runningWithout(listing, purchase, hours, at) },
        },
        ...(isStreaming ? [ended(livestream)] : []),
      ];
    }
    case 'ChangeLivestream':
      return changedByOwner(listing, command.livestream, command.at);
    case 'ConfigureLivestream': {
      const { livestream, details, status } = listing;
      // A stream that its owner has changed, or that has begun, stays unchanged.
      if (!details || status === 'canceled' || livestream?.promotionId !== command.promotionId) return [];
      if (livestream.status !== 'scheduled' || livestream.isOwn) return [];
      const next = todays(command.livestream, details);
      return next.endTime <= command.at || same(next, toldOf(livestream))
        ? []
        : [{ type: 'LivestreamMoved', data: next }];
    }
    case 'AdvanceLivestream':
      return advanced(listing, command.at);
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

// May mutate the state, because the store owns the state and discards it if the append fails.
function evolve(listing: Listing, { type, data }: ListingEvent): Listing {
  listing.version++;
  switch (type) {
    case 'PromotionRefused':
      listing.undone.add(data.promotionId);
      return listing;
    case 'PromotionReturned': {
      const { promotionId, level, running } = data;
      listing.undone.add(promotionId);
      if (!running) return listing;
      const untilOf = (of: Running[]) => Date.parse(of.find((one) => one.level === level)?.until ?? '');
      const movedMs = untilOf(listing.running) - untilOf(running);
      const given = listing.purchases.find((one) => one.promotionId === promotionId);
      listing.purchases = listing.purchases
        .filter((one) => one !== given)
        .map((one) =>
          given && one.level === level && one.until > given.until && movedMs > 0
            ? { ...one, until: new Date(Date.parse(one.until) - movedMs).toISOString() }
            : one,
        );
      listing.running = running;
      return listing;
    }
    case 'ContactErased':
      if (listing.details) listing.details = { ...listing.details, contactEmail: '' };
      return listing;
    case 'PromotionStarted': {
      const { running, ...purchase } = data;
      listing.running = running;
      listing.purchases.push(purchase);
      return listing;
    }
    case 'PromotionEnded':
      listing.running = data.running;
      return listing;
    case 'LivestreamScheduled':
      listing.livestream = { ...data, status: 'scheduled' };
      return listing;
    case 'LivestreamMoved':
      if (listing.livestream) Object.assign(listing.livestream, data);
      return listing;
    case 'LivestreamStarted':
      if (listing.livestream) listing.livestream.status = 'live';
      return listing;
    case 'LivestreamEnded':
      if (listing.livestream) listing.livestream.status = 'ended';
      return listing;
    default:
      listing.changed = listing.version;
  }
  switch (type) {
    case 'EventPublished':
      listing.status = 'published';
      listing.organizerId = data.ownerId;
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
    case 'EventSuspended':
      listing.suspended.add(data.cause);
      return listing;
    case 'EventResumed':
      listing.suspended.delete(data.cause);
      return listing;
    case 'EventCanceled':
      listing.status = 'canceled';
      listing.running = [];
      return listing;
  }
}

export const listing: Decider<Listing, ListingCommand, ListingEvent> = { initial, decide, evolve };
