import { onTheClocks } from '@beltway/contracts/common/clock-change';
import { dayAt, dayOf, endOf, startOf } from '@beltway/contracts/common/times';
import type { Decider } from '@beltway/event-store';
import { Rejected } from '@beltway/kit/rejected';
import type { PaidLivestream } from '@beltway/contracts/catalog/livestream';
import { livestreamFault } from '@beltway/contracts/catalog/livestream-config';
import type { PromotionRefusal } from '@beltway/contracts/catalog/promotion';
import type { Details, ListingCommand, ListingEvent, Livestream, Purchase, Running } from './events.ts';

export interface Listing {
  status: 'unpublished' | 'published' | 'postponed' | 'canceled';
  organizerId: number;
  seriesId: number | null;
  details: Details | null;
  version: number;
  /** The version of its last change: a promotion changes nothing that its organizer sees. */
  changed: number;
  /** Promotions in force, one of each level at most. */
  running: Running[];
  /** What was paid and given, and until when that is. */
  purchases: Array<Purchase & { until: string }>;
  /** Purchases that were refused, or ended before they were over. */
  undone: Set<string>;
  /** The latest that was paid, by which purchase. */
  livestream: (Livestream & { status: 'scheduled' | 'live' | 'ended'; promotionId: string; isOwn?: true }) | null;
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
});

/** The details of an event that may still be changed. */
function open({ status, details, changed }: Listing, seen: number | undefined): Details {
  if (!details) throw new Rejected('no-such-event');
  if (status === 'canceled') throw new Rejected('event-canceled');
  if (seen !== undefined && seen !== changed) throw new Rejected('changed-meanwhile.event');
  return details;
}

/** While it is postponed it has no end. */
const isOver = (status: Listing['status'], details: Details, at: string): boolean =>
  status === 'published' && endOf(details).getTime() <= Date.parse(at);

function checkSale({ hasTickets, priceCents, capacity, salesStart, salesEnd }: Details): void {
  if (salesStart && salesEnd && salesEnd <= salesStart) throw new Rejected('sales-end-before-start');
  if (!hasTickets) return;
  if (priceCents === null) throw new Rejected('price-missing');
  if (capacity === null) throw new Rejected('capacity-missing');
}

/** What already began can be corrected, but its start is never moved to a time that is past. */
function checkStart(details: Details, at: string, before?: Details): void {
  const start = startOf(details).getTime();
  if (start > Date.parse(at) || (before && startOf(before).getTime() === start)) return;
  if (dayOf(details.eventDate) < dayAt(new Date(at))) throw new Rejected('date-in-past');
  throw new Rejected('start-in-past');
}

/** Only what the organizer changes is held against the stock: ticketing decides finally, and never sells more than it holds. */
function checkTaken(changed: Array<keyof Details>, { hasTickets, capacity }: Details, taken: number): void {
  if (changed.includes('hasTickets') && !hasTickets && taken > 0) throw new Rejected('tickets-taken');
  if (changed.includes('capacity') && (capacity ?? 0) < taken) throw new Rejected('capacity-below-taken', { taken });
}

const HOUR_MS = 3_600_000;

/** Why a promotion that was paid cannot be given; undefined: it can. */
function refusalOf({ status, details }: Listing, at: string): PromotionRefusal | undefined {
  if (!details) return 'no-such-event';
  if (status === 'canceled') return 'event-canceled';
  if (status === 'postponed') return 'event-postponed';
  return endOf(details).getTime() <= Date.parse(at) ? 'event-over' : undefined;
}

/** The stream so much later, or earlier. */
const moved = <Times extends Pick<Livestream, 'startTime' | 'endTime'>>(stream: Times, byMs: number): Times => {
  const later = (time: string) => new Date(Date.parse(time) + byMs).toISOString();
  return { ...stream, startTime: later(stream.startTime), endTime: later(stream.endTime) };
};

/** A stream that was paid, as it is for the event's hours of today: it keeps its distance to the start that it was configured for. */
function todays({ eventStartsAt, isUsual: _usual, ...stream }: PaidLivestream, details: Details): Livestream {
  return eventStartsAt ? moved(stream, startOf(details).getTime() - Date.parse(eventStartsAt)) : stream;
}

/** Why a live stream that was paid cannot be given, for an event that could be promoted. */
function livestreamRefusal({ livestream }: Listing, paid: Livestream, at: string): PromotionRefusal | undefined {
  if (paid.endTime <= at) return 'livestream-over';
  return livestream === null || livestream.status === 'ended' ? undefined : 'livestream-exists';
}

/** When the event's start changes, a stream that is still to come moves with it. */
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

/** What was paid and is not over when its event is canceled: of a live stream also what is still to come. */
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

/** What is in force without this purchase: what is left of its time is taken off, and what was bought after it moves up. */
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

/** What the clock does to the stream. While the event has no date, nothing; without one it is not live either. */
function advanced({ status, livestream }: Listing, at: string): ListingEvent[] {
  if (!livestream || livestream.status === 'ended' || status !== 'published') return [];
  const started: ListingEvent[] =
    livestream.status === 'scheduled' && livestream.startTime <= at
      ? [{ type: 'LivestreamStarted', data: toldOf(livestream) }]
      : [];
  return livestream.endTime <= at ? [...started, ended(livestream)] : started;
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** A stream that is still to come, as its owner wants it. */
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
  const told = { ownerId, ...(seriesId !== null && { seriesId }) };
  switch (command.type) {
    case 'PublishEvent': {
      if (listing.details) throw new Rejected('already-published');
      const details = onTheClocks(command.details);
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
      const details = onTheClocks({ ...before, ...command.changes });
      const changed = (Object.keys(details) as Array<keyof Details>).filter(
        (name) => !same(details[name], before[name]),
      );
      const isPostponed = listing.status === 'postponed';
      const isRescheduled = isPostponed && command.changes.eventDate !== undefined;
      if (changed.length === 0 && !isRescheduled) return [];
      // What has taken place would be to come, and could be canceled again.
      if (
        isOver(listing.status, before, command.at) &&
        !isOver(listing.status, details, command.at) &&
        !command.afterEnd
      )
        throw new Rejected('event-over.no-later-time');
      // Without a date there is no start that could be past.
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
      // Bought again, it goes on from its end.
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
      // Changes that its owner made since count, and a stream that has begun continues.
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

// May change the state it is given: the store owns it, and drops it if the append fails.
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
    case 'EventCanceled':
      listing.status = 'canceled';
      listing.running = [];
      return listing;
  }
}

export const listing: Decider<Listing, ListingCommand, ListingEvent> = { initial, decide, evolve };
