import type { AdReadyV1, AdRefusedV1 } from '@beltway/contracts/payments/ads';
import { PaymentLoss } from '@beltway/contracts/payments/payment-loss';
import type { PromotionRefusedV1, PromotionReturnedV1, PromotionStartedV1 } from '@beltway/contracts/catalog/promotion';
import type { RefundRequestedV1, TicketPurchasedV1 } from '@beltway/contracts/ticketing/tickets';
import type { PaymentCommand } from './events.ts';

/** What follows here from what others say: the stream it concerns, and the command. Pure. */
export type Follows = { id: string; command: PaymentCommand } | null;

export function whenRefundRequested({ data }: RefundRequestedV1): Follows {
  const { orderId: id, paymentId, amountCents, reason, requestId } = data;
  if (requestId === null) return { id, command: { type: 'RequestRefund', paymentId, amountCents, reason } };
  return { id, command: { type: 'RequestPartRefund', requestId, paymentId, cents: amountCents, reason } };
}

export function whenTicketPurchased({ data }: TicketPurchasedV1): Follows {
  const { orderId, paymentId, totalCents } = data;
  if (totalCents === 0) return null; // free tickets: no payment of ours
  return { id: orderId, command: { type: 'RecordFulfillment', paymentId } };
}

export const whenPromotionStarted = ({ data: { promotionId, paymentId } }: PromotionStartedV1): Follows => ({
  id: promotionId,
  command: { type: 'RecordFulfillment', paymentId },
});

export const whenAdReady = ({ data: { adId, paymentId } }: AdReadyV1): Follows => ({
  id: adId,
  command: { type: 'RecordFulfillment', paymentId },
});

export const whenAdRefused = ({ data: { adId, paymentId, amountCents } }: AdRefusedV1): Follows => ({
  id: adId,
  command: { type: 'RequestRefund', paymentId, amountCents, reason: 'ad-refused' },
});

/** Not given, or given for some time and then no longer. What ended because of its payment is owed nothing. */
export const whenPromotionUndone = ({ data }: PromotionRefusedV1 | PromotionReturnedV1): Follows => {
  const { promotionId, paymentId, amountCents, reason } = data;
  if (PaymentLoss.safeParse(reason).success) return null;
  return { id: promotionId, command: { type: 'RequestRefund', paymentId, amountCents, reason } };
};
