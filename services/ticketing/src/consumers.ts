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
import type { CloseReason } from './sale/events.ts';

const closeReason = ({ hasTickets, isPostponed, isSuspended }: EventState): CloseReason =>
  !hasTickets ? 'withdrawn' : isSuspended ? 'suspended' : isPostponed ? 'postponed' : 'withdrawn';

/** The command that opens, changes or closes an event's sale, according to the event's state. */
const offer = (event: EventState): SaleCommand =>
  !event.isPostponed &&
  !event.isSuspended &&
  event.hasTickets &&
  event.salesEnabled &&
  event.priceCents !== null &&
  event.capacity !== null
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
        reason: closeReason(event),
        catalogVersion: event.version,
      };

const checkoutOf = (db: Queryable, orderId: string) =>
  kysely(db).updateTable('checkouts as c').where('c.orderId', '=', orderId);

/** Subscribes to the messages of catalog and payments. */
export async function startConsumers(
  deps: SaleDeps & {
    pool: Pool;
    log: Logger;
    bus: Bus;
    /** If an event changes several times within this many minutes, its buyers get one mail. */
    changeMailMinutes: number;
    /** Called after the sale of a canceled event was closed. */
    canceled: () => void;
  },
): Promise<Subscription[]> {
  const { bus, pool, log, sales, clock, changeMailMinutes, canceled } = deps;

  const withdrawing = { sales, find: (orderId: string) => orderById(pool, orderId) };

  // Listings have a separate inbox, because no transaction may be open while a command is forwarded to a sale.
  const listings = openInbox(pool, 'ticketing.listings');

  /**
   * Sends the sale a command that follows from a message. A closing is repeated until it releases no further hold,
   * because one command releases a limited number.
   */
  const sendToSale = async (
    { id, correlationId, data }: EventPublishedV1 | EventUpdatedV1 | EventCanceledV1,
    command: SaleCommand,
  ) => {
    const send = (part: string) =>
      sales.handle(data.eventId, command, { commandId: `${id}${part}`, correlationId, causationId: id });
    const first = await send('');
    for (let n = 1, last = first; last.events.some(({ type }) => type === 'HoldReleased'); n++)
      last = await send(`:${n}`);
    return first;
  };

  /**
   * Stores the listing only once per message. If an old message is replayed after a newer message, it must not restore
   * the old title.
   */
  const listed = async (message: EventPublishedV1 | EventUpdatedV1) => {
    await listings.once(message.id, async (tx) => {
      const before = await lockListing(tx, message.data.eventId);
      if ((await saveListing(tx, message.data)) && before)
        await noteChange(tx, ticketEvent(before), message.data, changeMailMinutes);
    });
    return sendToSale(message, offer(message.data));
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
          const decision = await sendToSale(message, {
            type: 'CloseSale',
            reason: 'canceled',
            catalogVersion: message.data.version,
          });
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
      gatherMs: 100,
      handlers: {
        'payments.payment-succeeded': onCommand(PaymentSucceededV1, async ({ id, correlationId, data }) => {
          const { orderId, paymentId } = data;
          const order = await orderById(pool, orderId);
          if (!order) {
            // A payment is requested only for an existing order. So if the order is missing, it was lost when a backup
            // was restored, and its quantity is unknown.
            const { eventId, amountCents } = data;
            const refusal = { orderId, quantity: 1, paymentId, amountCents, reason: 'order-lost' } as const;
            await refuseMoney(deps, eventId, refusal, { correlationId, causationId: id });
            return 'in-the-log';
          }
          // In most cases the browser's call has already sold the order.
          if (order.status === 'fulfilled' && order.paymentId === paymentId) return 'in-the-log';
          // If this message is a replayed dead letter, the money may have been refunded since, and the hold may have
          // ended.
          if (order.refundedAt && !isPaid(order.status)) return;
          await sellOrder(deps, order, data, { correlationId, causationId: id });
          return 'in-the-log'; // every payment appends an event with the payment's id
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
          // If this message is a replayed dead letter, the refund may have failed since.
          if (await wasQueued(tx, orderId, refundMail('refund-failed', refundId))) return;
          const { numUpdatedRows } = await checkoutOf(tx, orderId)
            .set({ refundedAt: occurredAt, reinstatedAt: null })
            .executeTakeFirst();
          if (numUpdatedRows === 0n) return;
          await orderWentBack(tx, { orderId, by: refundId, at: occurredAt });
          await queueRefundMail(tx, data, 'refund-sent');
        }),
        // A partial refund made in the provider's dashboard changes nothing: the tickets stay valid.
        'payments.payment-partly-refunded': on(PaymentPartlyRefundedV1, async ({ data, occurredAt }, tx) => {
          const { orderId, requestId, refundId } = data;
          if (requestId === null) return;
          // If this message is a replayed dead letter, the refund may have failed since.
          if (await wasQueued(tx, orderId, partMail('part-failed', requestId, refundId))) return;
          await partWentBack(tx, { refundId: requestId, orderId, at: occurredAt });
          await queuePartMail(tx, { orderId, requestId, refundId }, 'part-sent');
        }),
        // The amount was already refunded by hand, so the buyer has the money for these tickets.
        'payments.part-refund-covered': on(PartRefundCoveredV1, async ({ data, occurredAt: at }, tx) => {
          const { orderId, requestId } = data;
          await partWentBack(tx, { refundId: requestId, orderId, at });
          await queuePartMail(tx, { orderId, requestId, refundId: 'covered' }, 'part-sent');
        }),
        // Sends no mail, because the buyer was not notified that the refund was sent. The order shows the failure.
        'payments.refund-failed': on(
          RefundFailedV1,
          async ({ data: { orderId, requestId }, occurredAt: at }, tx) =>
            void (await refused(tx, { orderId, refundId: requestId, at })),
        ),
        // The bank sent the money back, so the buyer has no refund until the next refund succeeds.
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
        // Ignores the amount that the bank took: because of exchange rates it differs from the charged amount.
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
        // A dispute over the whole payment was lost first and won in the end. Returned tickets stay returned, and
        // payments alerts admins. Tickets that were void, but not returned, become valid again.
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
          // The bank returned the money to the buyer, which replaces the promised refund. `dispute-closed` decides what
          // happens to the tickets.
          await queueRefundMail(pool, { orderId, refundId: 'dispute' }, 'refund-sent');
        }),
      },
    }),
  ]);
}
