import type { RefundBody } from '@beltway/contracts/ticketing/orders';
import { uuidFrom } from '@beltway/event-store';
import { Rejected } from '@beltway/kit/rejected';
import type { Caller } from '@beltway/kit/auth';
import { anyOf } from '@beltway/kit/kysely';
import { badField, notFound } from '@beltway/kit/problems';
import { kysely } from '../db.ts';
import type { Deps } from '../deps.ts';
import { listingById, type Listing } from '../listing/listings.ts';
import { orderById, type OrderRow } from '../order/queries.ts';
import type { AskedReason } from '../sale/events.ts';
import { takeReturn } from './cycles.ts';
import { promisedTerms } from '../order/refund-terms.ts';
import { forgetReason, keepReason } from '../order/refunds.ts';

/** The requester of a refund, and the key that identifies a repeated request. */
export interface Asking {
  as: AskedReason;
  /** The requester's account; undefined: the holder of the order's link. */
  caller: Caller | undefined;
  /** The client's IP address as the gateway received it. */
  address: string | undefined;
  /** The idempotency key. Requests with the same key are decided once. */
  key: string;
  requestId: string;
}

/**
 * Requests a refund of the tickets in `ticketIds`, or of all valid tickets of the order. The refund's id is derived
 * from the requester and the key, so that a repeat gets the same response. Returns this id and the order after the
 * refund. Throws `Rejected` with `not-refundable` (the order was not bought, or was returned), `refund-closed` (the
 * buyer's deadline has passed), `already-refunded`, `order-disputed`, `event-canceled`; 429 `too-many-refunds`.
 */
export async function requestRefund(
  { pool, sales, clock, allowances }: Deps,
  order: OrderRow,
  { ticketIds, reason }: RefundBody,
  { as, caller, address, key, requestId }: Asking,
): Promise<{ refundId: string; order: OrderRow }> {
  const { orderId, eventId, lines, paymentId } = order;
  const listing = await listingById(pool, eventId);
  if (!listing || paymentId === null) throw notRefundable();
  const commandId = `refund:${orderId}:${caller?.id ?? 'link'}:${key}`;
  const refundId = uuidFrom(commandId);
  const places = ticketIds && (await placesOfTickets({ pool }, orderId, ticketIds));
  // A repeated request gets the same response, so it skips the checks. The order and the time may have changed since
  // the first request.
  if (!(await isKnown(pool, refundId))) {
    assertMayRefund(order, listing, as, clock());
    const isByBuyer = as === 'canceled-by-buyer' || (caller !== undefined && caller.id === order.buyerId);
    if (isByBuyer) await takeReturn({ pool, allowances }, order, { caller, address });
  }
  if (reason !== undefined) await keepReason(pool, refundId, orderId, reason);
  try {
    await sales.handle(
      eventId,
      {
        type: 'ReturnTickets',
        ...{ orderId, lines, paymentId, reason: as },
        asked: { refundId, ...(places && { places }) },
      },
      {
        commandId,
        fingerprint: `${as}:${places?.join() ?? 'all'}`,
        correlationId: requestId,
        ...(caller && { userId: caller.id }),
      },
    );
  } catch (error) {
    if (error instanceof Rejected) await forgetReason(pool, refundId);
    throw error;
  }
  const after = await orderById(pool, orderId);
  if (!after) throw notFound('order');
  return { refundId, order: after };
}

const notRefundable = () => new Rejected('not-refundable');

function assertMayRefund(order: OrderRow, listing: Listing, as: AskedReason, now: Date): void {
  if (order.status === 'refunding') throw new Rejected('already-refunded');
  if (order.status !== 'fulfilled') throw notRefundable();
  if (listing.status === 'canceled') return; // the sale rejects it
  const terms = promisedTerms(order, listing, now);
  if (as !== 'canceled-by-buyer' || terms.refundable) return;
  const { refundableUntil: until } = terms;
  throw until === null ? new Rejected('refund-closed.never') : new Rejected('refund-closed', { until });
}

/**
 * The positions of these tickets in their order. For a ticket of another order, throws 400 with the name of the field.
 */
async function placesOfTickets({ pool }: Pick<Deps, 'pool'>, orderId: string, ticketIds: string[]): Promise<number[]> {
  const rows = await kysely(pool)
    .selectFrom('tickets')
    .select('ordinal')
    .where('orderId', '=', orderId)
    .where('id', '=', anyOf(ticketIds))
    .orderBy('ordinal')
    .execute();
  if (rows.length !== ticketIds.length) throw badField('ticketIds', 'invalid.ticket-of-order');
  return rows.map(({ ordinal }) => ordinal);
}

const isKnown = async (pool: Deps['pool'], refundId: string): Promise<boolean> =>
  (await kysely(pool)
    .selectFrom('orderRefunds')
    .select('refundId')
    .where('refundId', '=', refundId)
    .executeTakeFirst()) !== undefined;
