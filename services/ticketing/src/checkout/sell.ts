import { ticketCount } from '@beltway/contracts/ticketing/order-lines';
import type { SettledPayment } from '@beltway/contracts/payments/payments';
import type { OrderStatus } from '@beltway/contracts/ticketing/tickets';
import type { Logger } from '@beltway/kit/logger';
import type { Secrets } from '@beltway/kit/secrets';
import type { Pool } from 'pg';
import { ticketsOf } from '../ticket/codes.ts';
import type { NotFulfilledReason } from '../sale/events.ts';
import type { Sales } from '../sale/stream.ts';
import type { OrderRow } from '../order/queries.ts';
import type { Payments } from './payments.ts';

export interface SaleDeps {
  sales: Sales;
  ticketSecret: Secrets;
  clock: () => Date;
}

/** The additional dependencies of jobs. */
export interface JobDeps extends SaleDeps {
  pool: Pool;
  payments: Payments;
  log: Logger;
}

/** The immutable part of an order. */
export type Ordered = Pick<OrderRow, 'orderId' | 'eventId' | 'lines' | 'buyerId'> & {
  /** The log was restored from a backup, and the sale was published before (catch-up.ts). */
  isPublished?: true;
  /** The restored log does not have the order. */
  isLost?: boolean;
};

/**
 * Sells an order. Three callers send this same command (docs/architecture.md#three-ways-to-one-sale): the browser's
 * process-ticket-purchase, the provider's webhook, and the job that settles lapsed payments. The command's id is
 * derived from the payment's id. So the sale decides the first caller's command, and the other callers get the same
 * result. A payment below the price buys nothing.
 */
export async function sellOrder(
  { sales, ticketSecret, clock }: SaleDeps,
  { orderId, eventId, lines, buyerId, isPublished, isLost }: Ordered,
  { paymentId, amountCents: paidCents }: Pick<SettledPayment, 'paymentId' | 'amountCents'>,
  cause: { correlationId?: string; causationId?: string } = {},
): Promise<OrderStatus> {
  const { events } = await sales.handle(
    eventId,
    {
      type: 'SellTickets',
      orderId,
      lines,
      paidCents,
      paymentId,
      buyerId,
      at: clock().toISOString(),
      tickets: ticketsOf(ticketSecret, orderId, ticketCount(lines)),
      ...(isPublished && { isPublished }),
      ...(isLost === true && { isLost }),
    },
    { commandId: `sell:${paymentId}`, ...(buyerId !== null && { userId: buyerId }), ...cause },
  );
  return events.some(({ type }) => type === 'TicketsSold') ? 'fulfilled' : 'refunding';
}

/**
 * Refuses a payment even if tickets are left, so that the payment is refunded. Uses the same command id as a sale by
 * this payment, so only one of the two commands is decided.
 */
export const refuseMoney = (
  { sales }: Pick<SaleDeps, 'sales'>,
  eventId: number,
  refusal: { orderId: string; quantity: number; paymentId: string; amountCents: number; reason: NotFulfilledReason },
  cause: { correlationId?: string; causationId?: string } = {},
) => sales.handle(eventId, { type: 'RefuseMoney', ...refusal }, { commandId: `sell:${refusal.paymentId}`, ...cause });
