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
import type { ListingEvent, Livestream, Whole } from './events.ts';

/**
 * The URL of an event's picture: the event's own picture, or its drawn poster. The poster's URL changes with the
 * event's text. The poster of a postponed event has no text.
 */
export const imageUrlOf = (event: PosterEvent & { pictureUrl: string | null }, isPostponed: boolean): string =>
  event.pictureUrl ?? posterUrl(event, 'large', isPostponed ? 'plain' : 'titled');

/**
 * Turns each log event into a message with the whole state. Only the erasure of a contact email address is not
 * published.
 */
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
    case 'EventSuspended':
    case 'EventResumed':
    case 'EventUpdated':
      return [outgoing(event, EventUpdatedV1, stateOf(event, event.data, hasNoDate(event)))];
    case 'EventCanceled':
      return [outgoing(event, EventCanceledV1, { ...about, version: event.version, ownerId: event.data.ownerId })];
    case 'ContactErased':
      return []; // no message contains the contact email address
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
  event.type === 'EventPostponed' || ('isPostponed' in event.data && event.data.isPostponed === true);

/**
 * Copies the fields that messages and log events share. A postponed or suspended event is published as selling nothing,
 * so that even consumers that do not read `isPostponed` and `isSuspended` close its sale.
 */
function stateOf(
  { id, version }: Logged,
  { ownerId, details, seriesId, isSuspended = false }: Omit<Whole, 'isSuspended'> & { isSuspended?: boolean },
  isPostponed = false,
): EventState {
  const eventId = Number(id);
  return {
    ...details,
    eventId,
    version,
    ownerId,
    imageUrl: imageUrlOf({ eventId, ...details }, isPostponed),
    salesEnabled: details.ticketSalesEnabled && !isPostponed && !isSuspended,
    ...(isPostponed && { isPostponed }),
    ...(isSuspended && { isSuspended }),
    ...(seriesId !== undefined && { seriesId }),
  };
}
