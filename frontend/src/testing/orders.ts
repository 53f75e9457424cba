import { aTicketEvent } from '@beltway/contracts/testing/events';
import { linesOf } from '@beltway/contracts/testing/lines';
import type { Order, Ticket, TicketPaymentIntent } from '@beltway/contracts/ticketing/tickets';
import { CLIENT_SECRET, PAYMENT_ID } from './payments.ts';

export const ORDER_ID = '6f1f9d0e-52c7-4a5b-9a53-0d6f0a7c1b11';

/** The ISO time this many minutes from now. */
export const inMinutes = (minutes: number): string => new Date(Date.now() + minutes * 60_000).toISOString();

/** A response of POST /api/create-ticket-payment-intent: two tickets of event 7 at $25.00, held for ten minutes. */
export const intentFixture = (changes: Partial<TicketPaymentIntent> = {}): TicketPaymentIntent => ({
  orderId: ORDER_ID,
  eventId: 7,
  quantity: 2,
  lines: linesOf(2),
  amount: 5000,
  holdUntil: inMinutes(10),
  extendable: true,
  accessKey: 'key-1',
  clientSecret: CLIENT_SECRET,
  paymentIntentId: PAYMENT_ID,
  ...changes,
});

export const ticketFixture = (at = 1, changes: Partial<Ticket> = {}): Ticket => ({
  id: `00000000-0000-4000-8000-00000000000${at % 10}`,
  orderId: ORDER_ID,
  orderNumber: '4F7K-2M9Q',
  eventId: 7,
  purchaseDate: '2030-07-02T15:30:00.000Z',
  ticketCode: `CODE-${at}`,
  qrCode: `signed-${at}`,
  ticketHolderName: 'Ann Buyer',
  ticketHolderEmail: 'ann@example.com',
  ticketType: 'general',
  price: 25,
  quantity: 1,
  status: 'valid',
  isCheckedIn: false,
  checkedInAt: null,
  ...changes,
});

/** A response of GET /api/orders/:orderId: fulfilled, with two tickets. */
export const orderFixture = (changes: Partial<Order> = {}): Order => ({
  orderId: ORDER_ID,
  orderNumber: '4F7K-2M9Q',
  status: 'fulfilled',
  quantity: 2,
  lines: linesOf(2),
  amount: 5000,
  holdUntil: null,
  extendable: false,
  ticketHolderName: 'Ann Buyer',
  ticketHolderEmail: 'ann@example.com',
  createdAt: '2030-07-02T15:29:00.000Z',
  claimable: true,
  refundable: true,
  refundableUntil: '2030-07-11T23:00:00.000Z',
  refunds: [],
  event: aTicketEvent({
    title: 'Go-Go on the Roof',
    location: 'U Street, Washington, DC',
    eventDate: '2030-07-12T04:00:00.000Z',
    eventEndTime: '23:30',
  }),
  tickets: [ticketFixture(1), ticketFixture(2)],
  ...changes,
});
