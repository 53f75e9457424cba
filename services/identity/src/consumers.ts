import { EventCanceledV1, EventPublishedV1, EventUpdatedV1 } from '@beltway/contracts/catalog/events';
import { PhotoHiddenV1, PhotoVerifiedV1 } from '@beltway/contracts/media/gallery';
import {
  OrderClaimedV1,
  OrderValidityChangedV1,
  RefundRequestedV1,
  TicketPurchasedV1,
} from '@beltway/contracts/ticketing/tickets';
import type { Bus, Subscription } from '@beltway/kit/bus';
import { consume, on } from '@beltway/kit/bus/consume';
import type { Logger } from '@beltway/kit/logger';
import type { Pool } from 'pg';
import { cancelEvent, notePhoto, noteReturn, noteTickets, noteValidity, saveEvent } from './engagement/copies.ts';

export const TOPICS = ['catalog.events', 'ticketing.events', 'media.events'];

/**
 * Handlers of other services' messages. Each handler stores a copy of the facts, and points are derived from the copies
 * (engagement/checks.ts).
 */
export const startConsumers = (deps: { bus: Bus; pool: Pool; log: Logger }): Promise<Subscription> =>
  consume({
    ...deps,
    group: 'identity.engagement',
    topics: TOPICS,
    gatherMs: 100,
    handlers: {
      'catalog.event-published': on(EventPublishedV1, saveEvent),
      'catalog.event-updated': on(EventUpdatedV1, saveEvent),
      'catalog.event-canceled': on(EventCanceledV1, cancelEvent),
      'ticketing.ticket-purchased': on(TicketPurchasedV1, noteTickets),
      'ticketing.order-claimed': on(OrderClaimedV1, noteTickets),
      'ticketing.refund-requested': on(RefundRequestedV1, noteReturn),
      'ticketing.order-validity-changed': on(OrderValidityChangedV1, noteValidity),
      'media.photo-verified': on(PhotoVerifiedV1, notePhoto),
      'media.photo-hidden': on(PhotoHiddenV1, notePhoto),
    },
  });
