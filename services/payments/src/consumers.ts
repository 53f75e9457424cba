import { SuspensionChangedV1 } from '@beltway/contracts/identity/accounts';
import { AdApprovedV1, AdReadyV1, AdRefusedV1, AdRejectedV1 } from '@beltway/contracts/payments/ads';
import { EventCanceledV1, EventPublishedV1, EventUpdatedV1 } from '@beltway/contracts/catalog/events';
import { PromotionRefusedV1, PromotionReturnedV1, PromotionStartedV1 } from '@beltway/contracts/catalog/promotion';
import { RefundRequestedV1, TicketPurchasedV1 } from '@beltway/contracts/ticketing/tickets';
import type { Message } from '@beltway/contracts/common/basics';
import { uuidFrom } from '@beltway/event-store';
import { afterCommit } from '@beltway/kit/after-commit';
import type { Bus, Subscription } from '@beltway/kit/bus';
import { consume, on, onCommand, onRepeatable } from '@beltway/kit/bus/consume';
import type { Logger } from '@beltway/kit/logger';
import type { Queryable } from '@beltway/kit/postgres';
import type { Pool } from 'pg';
import { z } from 'zod';
import type { AdMailKind } from './ads/mail.ts';
import type { Payments } from './payment/stream.ts';
import { queueAdMail } from './work/ad-mails.ts';
import { eventIsCanceled } from './work/canceled-events.ts';
import {
  whenAdReady,
  whenAdRefused,
  whenPromotionStarted,
  whenPromotionUndone,
  whenRefundRequested,
  whenTicketPurchased,
  type Follows,
} from './payment/process.ts';
import { keepSuspension } from './payout/suspensions.ts';
import { keepCanceled, keepEvent } from './promotion/events.ts';

const About = z.object({ data: z.object({ orderId: z.string() }) });

const orderOf = (message: unknown): string => About.safeParse(message).data?.data.orderId ?? '';

/** Maps consumed messages to commands. */
export async function startConsumers(deps: {
  bus: Bus;
  pool: Pool;
  log: Logger;
  payments: Payments;
  /** Called when a refund may be due. */
  wakeRefunds: () => void;
  /** Called when a mail about an ad may be due. */
  wakeAdMails: () => void;
}): Promise<Subscription[]> {
  const { bus, pool, log, payments, wakeRefunds, wakeAdMails } = deps;

  const follow = async ({ id, correlationId }: Pick<Message, 'id' | 'correlationId'>, follows: Follows) => {
    return follows
      ? payments.handle(follows.id, follows.command, { commandId: id, correlationId, causationId: id })
      : undefined;
  };

  const mail = async (
    tx: Queryable,
    { id: messageId, data: { adId } }: AdReadyV1 | AdApprovedV1 | AdRefusedV1 | AdRejectedV1,
    kind: AdMailKind,
    detail?: string,
  ) => {
    await queueAdMail(tx, { messageId, adId, kind, ...(detail !== undefined && { detail }) });
    afterCommit(tx, wakeAdMails);
  };

  const undone = async (message: PromotionRefusedV1 | PromotionReturnedV1) => {
    const decided = await follow(message, whenPromotionUndone(message));
    wakeRefunds();
    return decided;
  };

  return Promise.all([
    consume({
      bus,
      pool,
      log,
      group: 'payments.ticketing',
      topics: ['ticketing.events'],
      gatherMs: 100,
      // Messages about the same order are handled in sequence. The messages arrive with the key of their sale, which
      // would put all messages of the sale into one sequence.
      orderingKey: orderOf,
      handlers: {
        'ticketing.refund-requested': onCommand(RefundRequestedV1, async (message) => {
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
        'catalog.event-canceled': on(
          EventCanceledV1,
          async ({ data }, tx) => void (await eventIsCanceled(tx, data.eventId)),
        ),
        'catalog.ad-ready': onCommand(AdReadyV1, (message) => follow(message, whenAdReady(message))),
        'catalog.ad-refused': onCommand(AdRefusedV1, async (message) => {
          const decided = await follow(message, whenAdRefused(message));
          wakeRefunds();
          return decided;
        }),
        'catalog.promotion-started': onCommand(PromotionStartedV1, (message) =>
          follow(message, whenPromotionStarted(message)),
        ),
        'catalog.promotion-refused': onCommand(PromotionRefusedV1, (message) => undone(message)),
        'catalog.promotion-returned': onCommand(PromotionReturnedV1, (message) => undone(message)),
      },
    }),
    consume({
      bus,
      pool,
      log,
      group: 'payments.ad-mails',
      topics: ['catalog.events'],
      handlers: {
        'catalog.ad-ready': on(AdReadyV1, async (message, tx) => {
          await mail(tx, message, 'ready');
          await mail(tx, { ...message, id: uuidFrom(`${message.id}\0booked`) }, 'booked');
        }),
        'catalog.ad-approved': on(AdApprovedV1, (message, tx) => mail(tx, message, 'approved', message.data.until)),
        'catalog.ad-refused': on(AdRefusedV1, (message, tx) => mail(tx, message, 'refused', message.data.reason)),
        'catalog.ad-rejected': on(AdRejectedV1, (message, tx) => mail(tx, message, 'rejected', message.data.reason)),
      },
    }),
    consume({
      bus,
      pool,
      log,
      group: 'payments.accounts',
      topics: ['identity.events'],
      handlers: {
        'identity.suspension-changed': onRepeatable(
          SuspensionChangedV1,
          async ({ data }) => void (await keepSuspension(pool, data)),
        ),
      },
    }),
    // A separate consumer group, because this consumer reads the topic from the beginning, so that older events can
    // also be promoted.
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
        'catalog.event-canceled': onRepeatable(
          EventCanceledV1,
          async ({ data }) => void (await keepCanceled(pool, data)),
        ),
      },
    }),
  ]);
}
