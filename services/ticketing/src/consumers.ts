import { EventCanceledV1, EventPublishedV1, EventUpdatedV1, type EventState } from '@beltway/contracts/catalog/events';
import {
  DisputeClosedV1,
  DisputeOpenedV1,
  MoneyReinstatedV1,
  MoneyWithdrawnV1,
  PartRefundCoveredV1,
  PaymentFailedV1,
  PaymentPartlyRefundedV1,
  PaymentRefundedV1,
  PaymentSucceededV1,
  RefundFailedV1,
  RefundReversedV1,
} from '@beltway/contracts/payments/payments';
import { endOf } from '@beltway/contracts/common/times';
import type { Bus, Subscription } from '@beltway/kit/bus';
import { consume, on, onCommand } from '@beltway/kit/bus/consume';
import { openInbox } from '@beltway/kit/bus/inbox';
import type { Logger } from '@beltway/kit/logger';
import type { Queryable } from '@beltway/kit/postgres';
import { sql } from 'kysely';
import type { Pool } from 'pg';
import { kysely } from './db.ts';
import { cancelListing, closesAt, lockListing, saveListing, ticketEvent } from './listing/listings.ts';
import { noteChange } from './mail/changes.ts';
import { partMail, queueDisputeMail, queuePartMail, queueRefundMail, refundMail, wasQueued } from './mail/queue.ts';
import { orderCameBack, orderWentBack, partCameBack, partWentBack, refused } from './order/refunds.ts';
import { orderById } from './order/queries.ts';
import { isPaid } from './order/status.ts';
import { refuseMoney, sellOrder, type SaleDeps } from './checkout/sell.ts';
import { withdrawMoney } from './checkout/return.ts';
import type { SaleCommand } from './sale/command.ts';

/** The command for the sale of an event, from the event's state. */
const offer = (event: EventState): SaleCommand =>
  !event.isPostponed && event.hasTickets && event.salesEnabled && event.priceCents !== null && event.capacity !== null
    ? {
        type: 'OfferTickets',
        terms: {
          capacity: event.capacity,
          priceCents: event.priceCents,
          organizerId: event.ownerId,
          opensAt: event.salesStart,
          closesAt: closesAt(event),
          endsAt: endOf(event).toISOString(),
          catalogVersion: event.version,
          refundDeadlineHours: event.refundDeadlineHours,
        },
      }
    : {
        type: 'CloseSale',
        reason: event.isPostponed && event.hasTickets ? 'postponed' : 'withdrawn',
        catalogVersion: event.version,
      };

const checkoutOf = (db: Queryable, orderId: string) =>
  kysely(db).updateTable('checkouts as c').where('c.orderId', '=', orderId);

/** Handles the messages of catalog and payments. */
export async function startConsumers(
  deps: SaleDeps & {
    pool: Pool;
    log: Logger;
    bus: Bus;
    /** For so long changes of an event are gathered before its buyers are told. */
    changeMailMinutes: number;
    /** A sale was closed for good. */
    canceled: () => void;
  },
): Promise<Subscription[]> {
  const { bus, pool, log, sales, clock, changeMailMinutes, canceled } = deps;

  const withdrawing = { sales, find: (orderId: string) => orderById(pool, orderId) };

  // A separate inbox for the copy: no transaction is open while a sale's command is forwarded.
  const listings = openInbox(pool, 'ticketing.listings');

  /** A message repeated long after a newer one must not bring the old title back. */
  const listed = async (message: EventPublishedV1 | EventUpdatedV1) => {
    await listings.once(message.id, async (tx) => {
      const before = await lockListing(tx, message.data.eventId);
      if ((await saveListing(tx, message.data)) && before)
        await noteChange(tx, ticketEvent(before), message.data, changeMailMinutes);
    });
    return sales.handle(message.data.eventId, offer(message.data), {
      commandId: message.id,
      correlationId: message.correlationId,
      causationId: message.id,
    });
  };

  return Promise.all([
    consume({
      bus,
      pool,
      log,
      group: 'ticketing.catalog',
      topics: ['catalog.events'],
      handlers: {
        'catalog.event-published': onCommand(EventPublishedV1, listed),
        'catalog.event-updated': onCommand(EventUpdatedV1, listed),
        'catalog.event-canceled': onCommand(EventCanceledV1, async (message) => {
          await cancelListing(pool, message.data);
          const decision = await sales.handle(
            message.data.eventId,
            { type: 'CloseSale', reason: 'canceled', catalogVersion: message.data.version },
            { commandId: message.id, correlationId: message.correlationId, causationId: message.id },
          );
          canceled();
          return decision;
        }),
      },
    }),
    consume({
      bus,
      pool,
      log,
      group: 'ticketing.payments',
      topics: ['payments.events'],
      handlers: {
        'payments.payment-succeeded': onCommand(PaymentSucceededV1, async ({ id, correlationId, data }) => {
          const { orderId, paymentId } = data;
          const order = await orderById(pool, orderId);
          if (!order) {
            // A payment is asked for of an order that is there: the log, restored from a backup, has lost it, and how many tickets it was for.
            const { eventId, amountCents } = data;
            const refusal = { orderId, quantity: 1, paymentId, amountCents, reason: 'order-lost' } as const;
            await refuseMoney(deps, eventId, refusal, { correlationId, causationId: id });
            return 'in-the-log';
          }
          // The browser's call came first, the usual case.
          if (order.status === 'fulfilled' && order.paymentId === paymentId) return 'in-the-log';
          // A dead letter replayed: the money has gone back since, and the hold may have lapsed or been given back.
          if (order.refundedAt && !isPaid(order.status)) return;
          await sellOrder(deps, order, data, { correlationId, causationId: id });
          return 'in-the-log'; // by the payment's id: money always leaves an event
        }),
        'payments.payment-failed': onCommand(PaymentFailedV1, ({ id, correlationId, data }) =>
          sales.handle(
            data.eventId,
            { type: 'RecordDecline', orderId: data.orderId, at: clock().toISOString() },
            { commandId: id, correlationId, causationId: id },
          ),
        ),
        'payments.payment-refunded': on(PaymentRefundedV1, async ({ data, occurredAt }, tx) => {
          const { orderId, refundId } = data;
          // A dead letter replayed: this refund may have failed since.
          if (await wasQueued(tx, orderId, refundMail('refund-failed', refundId))) return;
          const { numUpdatedRows } = await checkoutOf(tx, orderId)
            .set({ refundedAt: occurredAt, reinstatedAt: null })
            .executeTakeFirst();
          if (numUpdatedRows === 0n) return;
          await orderWentBack(tx, { orderId, by: refundId, at: occurredAt });
          await queueRefundMail(tx, data, 'refund-sent');
        }),
        // Of a part that was given back in the provider's dashboard nothing follows: the tickets stay valid.
        'payments.payment-partly-refunded': on(PaymentPartlyRefundedV1, async ({ data, occurredAt }, tx) => {
          const { orderId, requestId, refundId } = data;
          if (requestId === null) return;
          // A dead letter replayed: this refund may have failed since.
          if (await wasQueued(tx, orderId, partMail('part-failed', requestId, refundId))) return;
          await partWentBack(tx, { refundId: requestId, orderId, at: occurredAt });
          await queuePartMail(tx, { orderId, requestId, refundId }, 'part-sent');
        }),
        // As much had gone back by hand: for its tickets the buyer has the money.
        'payments.part-refund-covered': on(PartRefundCoveredV1, async ({ data, occurredAt: at }, tx) => {
          const { orderId, requestId } = data;
          await partWentBack(tx, { refundId: requestId, orderId, at });
          await queuePartMail(tx, { orderId, requestId, refundId: 'covered' }, 'part-sent');
        }),
        // Nobody was told that it was sent, so nobody is told that it was not: the order shows it.
        'payments.refund-failed': on(
          RefundFailedV1,
          async ({ data: { orderId, requestId }, occurredAt: at }, tx) =>
            void (await refused(tx, { orderId, refundId: requestId, at })),
        ),
        // The bank sent the money back to us: until the next refund is done the buyer has nothing.
        'payments.refund-reversed': on(RefundReversedV1, async ({ data, occurredAt: at }, tx) => {
          const { orderId, refundId, requestId } = data;
          if (requestId !== null) {
            await partCameBack(tx, { refundId: requestId, orderId, at });
            await checkoutOf(tx, orderId).set({ refundedAt: null }).execute();
            await queuePartMail(tx, { orderId, requestId, refundId }, 'part-failed');
            return;
          }
          await checkoutOf(tx, orderId).set({ refundedAt: null }).execute();
          await orderCameBack(tx, { orderId, by: refundId, at });
          await queueRefundMail(tx, data, 'refund-failed');
        }),
        'payments.dispute-opened': onCommand(DisputeOpenedV1, ({ id, correlationId, data }) =>
          sales.handle(
            data.eventId,
            { type: 'FreezeOrder', orderId: data.orderId, disputeId: data.disputeId },
            { commandId: id, correlationId, causationId: id },
          ),
        ),
        // Whatever part of the payment the bank took: exchange rates make it differ from the charge.
        'payments.dispute-closed': onCommand(DisputeClosedV1, async ({ id, correlationId, data }) => {
          const { orderId, eventId, paymentId, disputeId, outcome } = data;
          if (outcome === 'lost')
            await withdrawMoney(
              withdrawing,
              { orderId, eventId, paymentId, lostDispute: disputeId },
              { correlationId, causationId: id },
            );
          else
            await sales.handle(
              eventId,
              { type: 'ThawOrder', orderId, disputeId },
              { commandId: id, correlationId, causationId: id },
            );
          await queueDisputeMail(pool, orderId, disputeId, outcome);
        }),
        // A dispute that took the whole was won after all. Tickets that were returned stay so, and admins see an alert
        // of payments; those that were void only are valid again.
        'payments.money-reinstated': on(MoneyReinstatedV1, async ({ data, occurredAt }, tx) => {
          const reinstatedAt = sql<Date | null>`case when o.status <> 'fulfilled' then ${occurredAt}::timestamptz end`;
          await checkoutOf(tx, data.orderId)
            .from('orders as o')
            .whereRef('o.orderId', '=', 'c.orderId')
            .set({ refundedAt: null, reinstatedAt })
            .execute();
        }),
        'payments.money-withdrawn': onCommand(MoneyWithdrawnV1, async (message) => {
          const { orderId, eventId, paymentId, cause } = message.data;
          if (cause === 'refunded-by-provider')
            return withdrawMoney(
              withdrawing,
              { orderId, eventId, paymentId },
              { correlationId: message.correlationId, causationId: message.id },
            );
          await checkoutOf(pool, orderId)
            .set({ refundedAt: sql<Date>`coalesce(refunded_at, ${message.occurredAt})`, reinstatedAt: null })
            .execute();
          // Its refund was promised, and the bank has done it instead. What becomes of tickets `dispute-closed` decides.
          await queueRefundMail(pool, { orderId, refundId: 'dispute' }, 'refund-sent');
        }),
      },
    }),
  ]);
}
