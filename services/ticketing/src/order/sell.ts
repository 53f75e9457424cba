import type { Pool } from 'pg';
import type { OrderStatus } from '@beltway/contracts/ticketing';
import { ticketsOf } from '../ticket/codes.ts';
import type { Sales } from '../sale/sales.ts';
import { orderById } from './queries.ts';

export interface Selling {
  sales: Sales;
  pool: Pool;
  ticketSecret: string;
  clock: () => Date;
}

/**
 * The one command that three roads lead to (design section 4): the browser's process-ticket-purchase, the provider's webhook, the
 * reconciler. Its id is made from the payment's, so whichever comes first decides and the others hear what was decided.
 */
export async function sellOrder(
  { sales, pool, ticketSecret, clock }: Selling,
  { orderId, paymentId }: { orderId: string; paymentId: string },
  cause: { correlationId?: string; causationId?: string } = {},
): Promise<OrderStatus> {
  const order = await orderById(pool, orderId);
  if (!order) throw new Error(`payment ${paymentId} is for order ${orderId}, which does not exist`);
  const { eventId, quantity, priceCents, buyerId } = order;
  const { events } = await sales.handle(
    eventId,
    {
      type: 'SellTickets',
      orderId,
      quantity,
      priceCents,
      paymentId,
      buyerId,
      at: clock().toISOString(),
      tickets: ticketsOf(ticketSecret, orderId, quantity),
    },
    { commandId: `sell:${paymentId}`, ...(buyerId !== null && { userId: buyerId }), ...cause },
  );
  return events.some(({ type }) => type === 'TicketsSold') ? 'fulfilled' : 'refunding';
}
