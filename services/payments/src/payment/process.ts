import type { AdReadyV1, AdRefusedV1 } from '@beltway/contracts/payments/ads';
import { PaymentLoss } from '@beltway/contracts/payments/payment-loss';
import type { PromotionRefusedV1, PromotionReturnedV1, PromotionStartedV1 } from '@beltway/contracts/catalog/promotion';
import type { RefundRequestedV1, TicketPurchasedV1 } from '@beltway/contracts/ticketing/tickets';
import type { PaymentCommand } from './events.ts';

/** The stream id and the command that follow from another service's message; null if no command follows. */
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

/** The promotion was refused or ended early. If the promotion ended because its payment was lost, no refund is due. */
export const whenPromotionUndone = ({ data }: PromotionRefusedV1 | PromotionReturnedV1): Follows => {
  const { promotionId, paymentId, amountCents, reason } = data;
  if (PaymentLoss.safeParse(reason).success) return null;
  return { id: promotionId, command: { type: 'RequestRefund', paymentId, amountCents, reason } };
};
