import { EventState } from '@beltway/contracts/catalog';
import { only } from '@beltway/contracts/common';
import { LivestreamChangedV1 } from '@beltway/contracts/livestream';
import {
  PromotionEndedV1,
  PromotionRefusedV1,
  PromotionReturnedV1,
  PromotionStartedV1,
} from '@beltway/contracts/promotion';
import { DEFAULT_REFUND_DEADLINE_HOURS } from '@beltway/contracts/refunds';
import { posterUrl, type PosterEvent } from '@beltway/contracts/media';
import type { Logged, Outgoing } from '@beltway/event-store';
import type { Details, ListingEvent } from './events.ts';

/** The picture an event shows: its own, or else its poster, which follows what is written on it; without words while it has no date. */
export const imageUrlOf = (event: PosterEvent & { pictureUrl: string | null }, isPostponed: boolean): string =>
  event.pictureUrl ?? posterUrl(event, 'large', isPostponed ? 'plain' : 'titled');

/** Which events the world hears: all but an erased address, each with the whole state. */
export const publishListings = (events: Logged[]): Outgoing[] =>
  events.flatMap((event) => told(event as ListingEvent & Logged) ?? []);

function told(event: ListingEvent & Logged): Outgoing | undefined {
  switch (event.type) {
    case 'EventPublished':
      return { of: event, type: 'catalog.event-published', version: 1, data: stateOf(event, event.data) };
    case 'EventPostponed':
    case 'EventRescheduled':
    case 'EventUpdated':
      return {
        of: event,
        type: 'catalog.event-updated',
        version: 1,
        data: stateOf(event, event.data, hasNoDate(event)),
      };
    case 'EventCancelled':
      return {
        of: event,
        type: 'catalog.event-cancelled',
        version: 1,
        data: { eventId: Number(event.id), version: event.version, ownerId: event.data.ownerId },
      };
    case 'ContactErased':
      return undefined; // no message ever had the address
    case 'PromotionStarted':
      return said(event, PromotionStartedV1, event.data);
    case 'PromotionRefused':
      return said(event, PromotionRefusedV1, event.data);
    case 'PromotionReturned':
      return said(event, PromotionReturnedV1, event.data);
    case 'PromotionEnded':
      return said(event, PromotionEndedV1, event.data);
    case 'LivestreamScheduled':
    case 'LivestreamMoved':
      return said(event, LivestreamChangedV1, { ...event.data, status: 'scheduled', version: event.version });
    case 'LivestreamStarted':
      return said(event, LivestreamChangedV1, { ...event.data, status: 'live', version: event.version });
    case 'LivestreamEnded':
      return said(event, LivestreamChangedV1, { ...event.data, status: 'ended', version: event.version });
  }
}

type AboutPromotion =
  | typeof PromotionStartedV1
  | typeof PromotionRefusedV1
  | typeof PromotionReturnedV1
  | typeof PromotionEndedV1
  | typeof LivestreamChangedV1;

function said(of: Logged, { shape: { type, version, data } }: AboutPromotion, what: object): Outgoing {
  return { of, type: type.value, version: version.value, data: data.parse({ ...what, eventId: Number(of.id) }) };
}

const hasNoDate = (event: ListingEvent): boolean =>
  event.type === 'EventPostponed' || (event.type === 'EventUpdated' && event.data.isPostponed === true);

interface Said {
  ownerId: number;
  details: Details;
  seriesId?: number;
}

/** What message and log call alike is taken over. A postponed event sells nothing, also to readers who do not know the word. */
function stateOf(
  { id, version }: Logged,
  { ownerId, details: { refundDeadlineHours, ...details }, seriesId }: Said,
  isPostponed = false,
): EventState {
  const eventId = Number(id);
  // The default need not be said.
  const isOwn = refundDeadlineHours !== undefined && refundDeadlineHours !== DEFAULT_REFUND_DEADLINE_HOURS;
  return only(EventState, {
    ...details,
    eventId,
    version,
    ownerId,
    imageUrl: imageUrlOf({ eventId, ...details }, isPostponed),
    salesEnabled: details.ticketSalesEnabled && !isPostponed,
    ...(isPostponed && { isPostponed }),
    ...(seriesId !== undefined && { seriesId }),
    ...(isOwn && { refundDeadlineHours }),
  });
}
