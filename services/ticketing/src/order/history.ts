import type { Pool } from 'pg';
import type { OrderStep } from '@beltway/contracts/orders';
import { uuidFrom } from '@beltway/event-store';
import type { ReturnReason, SaleEvent } from '../sale/events.ts';
import { upcastSale } from '../sale/upcast.ts';

const tickets = (quantity: number): string => `${quantity} ${quantity === 1 ? 'ticket' : 'tickets'}`;

const RETURNED: Record<ReturnReason, string> = {
  'event-cancelled': 'the event was cancelled',
  'refunded-by-provider': 'the payment was taken back',
  'refunded-by-organiser': 'refunded by the organiser',
  'refunded-by-admin': 'refunded by an admin',
  'cancelled-by-buyer': 'cancelled by the buyer',
};

/** A sentence for people about an event of an order; null: it is about no order. */
function textOf({ type, data }: SaleEvent): string | null {
  switch (type) {
    case 'TicketsHeld':
      return `${tickets(data.quantity)} held.`;
    case 'PaymentAttached':
      return 'The checkout was opened.';
    case 'HoldExtended':
      return data.reason === 'asked' ? 'More time was asked for.' : 'More time was given for the payment.';
    case 'HoldReleased':
      return data.reason === 'expired' ? 'The time was over: the hold lapsed.' : 'The hold was released.';
    case 'TicketsSold':
      return `${tickets(data.quantity)} sold.`;
    case 'PaymentNotFulfilled':
      return 'The payment got no tickets: it goes back.';
    case 'TicketsReturned':
      return `${tickets(data.quantity)} ended: ${RETURNED[data.reason]}.`;
    case 'OrderFrozen':
      return 'The tickets are frozen: a bank disputes the payment.';
    case 'OrderThawed':
      return data.isFrozen ? 'A dispute is over; another one is open.' : 'The dispute is over.';
    case 'MoneyWithdrawn':
      return 'The payment was taken back before it bought anything.';
    case 'OrderClaimed':
      return 'The order was saved to an account.';
    case 'LinkRenewed':
      return 'The order has another link.';
    case 'SaleOpened':
    case 'SaleChanged':
    case 'SaleClosed':
      return null;
  }
}

/** Far more than an order can have without somebody playing with it. */
export const MAX_STEPS = 500;

/** The steps of an order in its sale's log, oldest first. Reads that from the order's hold on, whose command has its id. */
export async function historyOf(pool: Pool, eventId: number, orderId: string): Promise<OrderStep[]> {
  const { rows } = await pool.query<{ type: string; data: object; at: Date }>(
    `select type, data, occurred_at as at from events
     where stream = $1 and version >= coalesce((select version from events where command_id = $3), 1)
       and data->>'orderId' = $2 order by version limit $4`,
    [`sale-${eventId}`, orderId, uuidFrom(orderId), MAX_STEPS],
  );
  return rows.flatMap(({ at, ...stored }) => {
    const event = upcastSale(stored);
    const text = textOf(event);
    return text ? [{ at: at.toISOString(), type: event.type, text }] : [];
  });
}
