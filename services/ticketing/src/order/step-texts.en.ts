import { ticketCount } from '@beltway/contracts/ticketing/order-lines';
import type { Manager, ReturnReason, SaleEvent } from '../sale/events.ts';

const tickets = (quantity: number): string => `${quantity} ${quantity === 1 ? 'ticket' : 'tickets'}`;

const RETURNED: Record<ReturnReason, string> = {
  'event-canceled': 'the event was canceled',
  'refunded-by-provider': 'the payment was taken back',
  'refunded-by-organizer': 'refunded by the organizer',
  'refunded-by-admin': 'refunded by an admin',
  'canceled-by-buyer': 'canceled by the buyer',
};

const CORRECTED: Record<Manager, string> = {
  organizer: 'The organizer corrected the email address. The order has a new link.',
  admin: 'An admin corrected the email address. The order has a new link.',
};

/** The text of a log event in an order's history; null if the event is not about an order. */
export function english({ type, data }: SaleEvent): string | null {
  switch (type) {
    case 'TicketsHeld':
      return `${tickets(ticketCount(data.lines))} held.`;
    case 'PaymentAttached':
      return 'The checkout was opened.';
    case 'HoldExtended':
      return data.reason === 'asked' ? 'More time was requested.' : 'The hold was extended for the payment.';
    case 'HoldReleased':
      return data.reason === 'expired' ? 'The hold expired.' : 'The hold was released.';
    case 'TicketsSold':
      return `${tickets(ticketCount(data.lines))} sold.`;
    case 'PaymentNotFulfilled':
      return 'The payment got no tickets and is being refunded.';
    case 'TicketsReturned':
      return `${tickets(data.tickets.length)} voided: ${RETURNED[data.reason]}.`;
    case 'OrderFrozen':
      return 'The tickets are frozen: a bank is disputing the payment.';
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
      return data.correctedBy ? CORRECTED[data.correctedBy] : 'The order has a new link.';
    case 'SaleOpened':
    case 'SaleChanged':
    case 'SaleClosed':
      return null;
  }
}
