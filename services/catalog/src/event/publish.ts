import { EventCanceledV1, EventPublishedV1, EventUpdatedV1, type EventState } from '@beltway/contracts/catalog/events';
import { LivestreamChangedV1 } from '@beltway/contracts/catalog/livestream';
import {
  PromotionEndedV1,
  PromotionRefusedV1,
  PromotionReturnedV1,
  PromotionStartedV1,
} from '@beltway/contracts/catalog/promotion';
import { posterUrl, type PosterEvent } from '@beltway/contracts/media/images';
import { outgoing, type Logged, type Outgoing } from '@beltway/event-store';
import type { Details, ListingEvent, Livestream } from './events.ts';

/** The picture an event shows: its own, or else its poster, which follows what is written on it; without words while it has no date. */
export const imageUrlOf = (event: PosterEvent & { pictureUrl: string | null }, isPostponed: boolean): string =>
  event.pictureUrl ?? posterUrl(event, 'large', isPostponed ? 'plain' : 'titled');

/** Each event but an erased address is a message, with the whole state. */
export function publishListing(of: Logged): Outgoing[] {
  const event = of as ListingEvent & Logged;
  const about = { eventId: Number(event.id) };
  const stream = (status: LivestreamChangedV1['data']['status'], told: Livestream) => [
    outgoing(event, LivestreamChangedV1, { ...told, ...about, status, version: event.version }),
  ];
  switch (event.type) {
    case 'EventPublished':
      return [outgoing(event, EventPublishedV1, stateOf(event, event.data))];
    case 'EventPostponed':
    case 'EventRescheduled':
    case 'EventUpdated':
      return [outgoing(event, EventUpdatedV1, stateOf(event, event.data, hasNoDate(event)))];
    case 'EventCanceled':
      return [outgoing(event, EventCanceledV1, { ...about, version: event.version, ownerId: event.data.ownerId })];
    case 'ContactErased':
      return []; // no message ever had the address
    case 'PromotionStarted':
      return [outgoing(event, PromotionStartedV1, { ...event.data, ...about })];
    case 'PromotionRefused':
      return [outgoing(event, PromotionRefusedV1, { ...event.data, ...about })];
    case 'PromotionReturned':
      return [outgoing(event, PromotionReturnedV1, { ...event.data, ...about })];
    case 'PromotionEnded':
      return [outgoing(event, PromotionEndedV1, { ...event.data, ...about })];
    case 'LivestreamScheduled':
    case 'LivestreamMoved':
      return stream('scheduled', event.data);
    case 'LivestreamStarted':
      return stream('live', event.data);
    case 'LivestreamEnded':
      return stream('ended', event.data);
  }
}

const hasNoDate = (event: ListingEvent): boolean =>
  event.type === 'EventPostponed' || (event.type === 'EventUpdated' && event.data.isPostponed === true);

interface Said {
  ownerId: number;
  details: Details;
  seriesId?: number;
}

/** What message and log call alike is taken over. A postponed event sells nothing, also to readers who do not know the word. */
function stateOf({ id, version }: Logged, { ownerId, details, seriesId }: Said, isPostponed = false): EventState {
  const eventId = Number(id);
  return {
    ...details,
    eventId,
    version,
    ownerId,
    imageUrl: imageUrlOf({ eventId, ...details }, isPostponed),
    salesEnabled: details.ticketSalesEnabled && !isPostponed,
    ...(isPostponed && { isPostponed }),
    ...(seriesId !== undefined && { seriesId }),
  };
}
