import type { Order } from '@beltway/contracts/ticketing/tickets';
import { notFound } from '@beltway/kit/problems';
import type { Deps } from '../deps.ts';
import { listingById, ticketEvent } from '../listing/listings.ts';
import { orderTerms } from './refund-terms.ts';
import { refundsOfOrder } from './refunds.ts';
import { ticketsOfOrder } from './tickets.ts';
import { orderNumber } from './number.ts';
import type { OrderRow } from './queries.ts';
import { statusOf } from './status.ts';

/** An order as its buyer reads it; `amount` in cents. */
export async function orderAnswer(deps: Pick<Deps, 'pool' | 'signer' | 'clock'>, order: OrderRow): Promise<Order> {
  const listing = await listingById(deps.pool, order.eventId);
  if (!listing) throw notFound('event');
  const event = ticketEvent(listing);
  return {
    orderId: order.orderId,
    orderNumber: orderNumber(order.number),
    status: statusOf(order),
    quantity: order.quantity,
    lines: order.lines,
    amount: order.totalCents,
    holdUntil: order.status === 'held' ? order.holdUntil.toISOString() : null,
    extendable: order.status === 'held' && !order.extended,
    ticketHolderName: order.holderName,
    ticketHolderEmail: order.holderEmail,
    createdAt: order.heldAt.toISOString(),
    claimable: order.buyerId === null,
    ...orderTerms(order, listing, deps.clock()),
    refunds: await refundsOfOrder(deps.pool, order),
    event,
    tickets: await ticketsOfOrder(deps, order, event),
  };
}
