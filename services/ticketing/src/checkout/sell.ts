import type { SettledPayment } from '@beltway/contracts/payments';
import type { OrderStatus } from '@beltway/contracts/ticketing';
import type { Secrets } from '@beltway/kit/secrets';
import { ticketsOf } from '../ticket/codes.ts';
import type { Sales } from '../sale/sales.ts';
import type { OrderRow } from '../order/queries.ts';

export interface SaleDeps {
  sales: Sales;
  ticketSecret: Secrets;
  clock: () => Date;
}

/** The part of an order that never changes. */
export type Ordered = Pick<OrderRow, 'orderId' | 'eventId' | 'quantity' | 'priceCents' | 'buyerId'>;

/**
 * The one command of three senders (docs/architecture.md#three-ways-to-one-sale): the browser's
 * process-ticket-purchase, the provider's webhook, the job that settles lapsed payments. Its id is made from the
 * payment's, so the first one decides and the others get the same answer. Less money than the price buys nothing.
 */
export async function sellOrder(
  { sales, ticketSecret, clock }: SaleDeps,
  { orderId, eventId, quantity, priceCents, buyerId }: Ordered,
  { paymentId, amountCents: paidCents }: Pick<SettledPayment, 'paymentId' | 'amountCents'>,
  cause: { correlationId?: string; causationId?: string } = {},
): Promise<OrderStatus> {
  const { events } = await sales.handle(
    eventId,
    {
      type: 'SellTickets',
      orderId,
      quantity,
      priceCents,
      paidCents,
      paymentId,
      buyerId,
      at: clock().toISOString(),
      tickets: ticketsOf(ticketSecret, orderId, quantity),
    },
    { commandId: `sell:${paymentId}`, ...(buyerId !== null && { userId: buyerId }), ...cause },
  );
  return events.some(({ type }) => type === 'TicketsSold') ? 'fulfilled' : 'refunding';
}
