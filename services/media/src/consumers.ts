import { EventCanceledV1, EventPublishedV1, EventUpdatedV1 } from '@beltway/contracts/catalog/events';
import { LivestreamChangedV1 } from '@beltway/contracts/catalog/livestream';
import { PromotionReturnedV1, PromotionStartedV1 } from '@beltway/contracts/catalog/promotion';
import {
  OrderClaimedV1,
  OrderValidityChangedV1,
  RefundRequestedV1,
  TicketPurchasedV1,
} from '@beltway/contracts/ticketing/tickets';
import type { Bus, Subscription } from '@beltway/kit/bus';
import { consume, on, onRepeatable } from '@beltway/kit/bus/consume';
import type { Logger } from '@beltway/kit/logger';
import { moderationHandlers, type ModeratedDeps } from '@beltway/kit/service/moderated';
import type { Pool } from 'pg';
import { cancelEvent, noteReturn, noteTickets, noteValidity, saveEvent } from './attendance/attendance.ts';
import type { Broadcasts } from './broadcast/stream.ts';
import { cancelWithEvent, keepEvent, keepStream } from './broadcast/terms.ts';
import { rememberEvent } from './poster/remember.ts';
import { endClip, endClips, noteClip, noteOwner } from './video/clips.ts';

export async function startConsumers({
  broadcasts,
  moderated,
  ...deps
}: {
  bus: Bus;
  pool: Pool;
  log: Logger;
  broadcasts: Broadcasts;
  moderated: ModeratedDeps;
}): Promise<Subscription[]> {
  const { pool } = deps;
  return [
    await consume({
      ...deps,
      group: 'media.posters',
      topics: ['catalog.events'],
      handlers: {
        'catalog.event-published': on(EventPublishedV1, rememberEvent),
        'catalog.event-updated': on(EventUpdatedV1, rememberEvent),
      },
    }),
    await consume({
      ...deps,
      group: 'media.attendance',
      topics: ['catalog.events', 'ticketing.events'],
      gatherMs: 100,
      handlers: {
        'catalog.event-published': on(EventPublishedV1, saveEvent),
        'catalog.event-updated': on(EventUpdatedV1, saveEvent),
        'catalog.event-canceled': on(EventCanceledV1, cancelEvent),
        'ticketing.ticket-purchased': on(TicketPurchasedV1, noteTickets),
        'ticketing.order-claimed': on(OrderClaimedV1, noteTickets),
        'ticketing.refund-requested': on(RefundRequestedV1, noteReturn),
        'ticketing.order-validity-changed': on(OrderValidityChangedV1, noteValidity),
      },
    }),
    await consume({
      ...deps,
      group: 'media.broadcasts',
      topics: ['catalog.events'],
      // Each handler keeps the state with the highest version. Ending a broadcast is idempotent.
      handlers: {
        'catalog.event-published': onRepeatable(EventPublishedV1, (message) => keepEvent(pool, message)),
        'catalog.event-updated': onRepeatable(EventUpdatedV1, (message) => keepEvent(pool, message)),
        'catalog.event-canceled': onRepeatable(EventCanceledV1, (message) =>
          cancelWithEvent({ pool, broadcasts }, message),
        ),
        'catalog.livestream-changed': onRepeatable(LivestreamChangedV1, (message) =>
          keepStream({ pool, broadcasts }, message),
        ),
      },
    }),
    await consume({
      ...deps,
      group: 'media.moderation',
      topics: ['identity.events'],
      handlers: moderationHandlers(moderated),
    }),
    await consume({
      ...deps,
      group: 'media.clips',
      topics: ['catalog.events'],
      handlers: {
        'catalog.event-published': on(EventPublishedV1, noteOwner),
        'catalog.promotion-started': on(PromotionStartedV1, noteClip),
        'catalog.promotion-returned': on(PromotionReturnedV1, endClip),
        'catalog.event-canceled': on(EventCanceledV1, endClips),
      },
    }),
  ];
}
