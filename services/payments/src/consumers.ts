import { EventCancelledV1, EventPublishedV1, EventUpdatedV1 } from '@beltway/contracts/catalog';
import { PromotionRefusedV1, PromotionStartedV1 } from '@beltway/contracts/promotion';
import { RefundRequested, TicketPurchasedV1 } from '@beltway/contracts/ticketing';
import type { Message } from '@beltway/contracts/common';
import type { Bus, Subscription } from '@beltway/kit/bus';
import { consume, on, onCommand, onRepeatable } from '@beltway/kit/bus/consume';
import type { Logger } from '@beltway/kit/logger';
import type { Pool } from 'pg';
import { z } from 'zod';
import type { Payments } from './payment/payments.ts';
import { eventIsCancelled } from './work/cancelled-events.ts';
import {
  whenPromotionRefused,
  whenPromotionStarted,
  whenRefundRequested,
  whenTicketPurchased,
  type Follows,
} from './payment/process.ts';
import { keepCancelled, keepEvent } from './promotion/events.ts';

const About = z.object({ data: z.object({ orderId: z.string() }) });

const orderOf = (message: unknown): string => About.safeParse(message).data?.data.orderId ?? '';

/** When we hear X, do Y. */
export async function startConsumers(deps: {
  bus: Bus;
  pool: Pool;
  log: Logger;
  payments: Payments;
  /** A refund may be due. */
  wakeRefunds: () => void;
}): Promise<Subscription[]> {
  const { bus, pool, log, payments, wakeRefunds } = deps;

  const follow = async ({ id, correlationId }: Pick<Message, 'id' | 'correlationId'>, follows: Follows) => {
    return follows
      ? payments.handle(follows.id, follows.command, { commandId: id, correlationId, causationId: id })
      : undefined;
  };

  return Promise.all([
    consume({
      bus,
      pool,
      log,
      group: 'payments.ticketing',
      topics: ['ticketing.events'],
      // What ticketing says of one order stays in its order; it comes under the key of the whole sale.
      orderingKey: orderOf,
      handlers: {
        'ticketing.refund-requested': onCommand(RefundRequested, async (message) => {
          const decided = await follow(message, whenRefundRequested(message));
          wakeRefunds();
          return decided;
        }),
        'ticketing.ticket-purchased': onCommand(TicketPurchasedV1, (message) =>
          follow(message, whenTicketPurchased(message)),
        ),
      },
    }),
    consume({
      bus,
      pool,
      log,
      group: 'payments.catalog',
      topics: ['catalog.events'],
      handlers: {
        'catalog.event-cancelled': on(
          EventCancelledV1,
          async ({ data }, tx) => void (await eventIsCancelled(tx, data.eventId)),
        ),
        'catalog.promotion-started': onCommand(PromotionStartedV1, (message) =>
          follow(message, whenPromotionStarted(message)),
        ),
        'catalog.promotion-refused': onCommand(PromotionRefusedV1, async (message) => {
          const decided = await follow(message, whenPromotionRefused(message));
          wakeRefunds();
          return decided;
        }),
      },
    }),
    // A group of its own: it reads the topic from its beginning, so that events of before can be promoted too.
    consume({
      bus,
      pool,
      log,
      group: 'payments.events-copy',
      topics: ['catalog.events'],
      handlers: {
        'catalog.event-published': onRepeatable(
          EventPublishedV1,
          async ({ data }) => void (await keepEvent(pool, data)),
        ),
        'catalog.event-updated': onRepeatable(EventUpdatedV1, async ({ data }) => void (await keepEvent(pool, data))),
        'catalog.event-cancelled': onRepeatable(
          EventCancelledV1,
          async ({ data }) => void (await keepCancelled(pool, data)),
        ),
      },
    }),
  ]);
}
