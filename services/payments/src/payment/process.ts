import type { RefundRequestedV1, TicketPurchasedV1 } from '@beltway/contracts/ticketing';
import type { PaymentCommand } from './events.ts';

/** What follows here from what ticketing says: the stream it concerns, and the command. Pure. */
export type Follows = { id: string; command: PaymentCommand } | null;

export function whenRefundRequested({ data }: RefundRequestedV1): Follows {
  const { orderId, paymentId, amountCents, reason } = data;
  return { id: orderId, command: { type: 'RequestRefund', orderId, paymentId, amountCents, reason } };
}

export function whenTicketPurchased({ data }: TicketPurchasedV1): Follows {
  const { orderId, paymentId, totalCents } = data;
  if (totalCents === 0) return null; // free tickets: no payment of ours
  return { id: orderId, command: { type: 'RecordFulfilment', orderId, paymentId } };
}
