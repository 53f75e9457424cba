import { ticketCount } from '@beltway/contracts/ticketing/order-lines';
import type { ReturnReason, SaleEvent } from '../sale/events.ts';

const tickets = (quantity: number): string => `${quantity} ${quantity === 1 ? 'ticket' : 'tickets'}`;

const RETURNED: Record<ReturnReason, string> = {
  'event-canceled': 'the event was canceled',
  'refunded-by-provider': 'the payment was taken back',
  'refunded-by-organizer': 'refunded by the organizer',
  'refunded-by-admin': 'refunded by an admin',
  'canceled-by-buyer': 'canceled by the buyer',
};

/** A sentence for people about an event of an order; null: it is about no order. */
export function english({ type, data }: SaleEvent): string | null {
  switch (type) {
    case 'TicketsHeld':
      return `${tickets(ticketCount(data.lines))} held.`;
    case 'PaymentAttached':
      return 'The checkout was opened.';
    case 'HoldExtended':
      return data.reason === 'asked' ? 'More time was asked for.' : 'More time was given for the payment.';
    case 'HoldReleased':
      return data.reason === 'expired' ? 'The time was over: the hold lapsed.' : 'The hold was released.';
    case 'TicketsSold':
      return `${tickets(ticketCount(data.lines))} sold.`;
    case 'PaymentNotFulfilled':
      return 'The payment got no tickets: it goes back.';
    case 'TicketsReturned':
      return `${tickets(data.tickets.length)} ended: ${RETURNED[data.reason]}.`;
    case 'OrderFrozen':
      return 'The tickets are frozen: a bank disputes the payment.';
    case 'OrderVoided':
      return 'The tickets are void: a bank took the payment back.';
    case 'OrderThawed':
      if (data.isVoid) return 'A dispute is over; the tickets stay void because of another one.';
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
