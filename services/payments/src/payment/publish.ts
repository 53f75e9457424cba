import { AdRefundedV1 } from '@beltway/contracts/payments/ads';
import { LivestreamConfiguredV1, LivestreamPaidV1 } from '@beltway/contracts/catalog/livestream';
import {
  DisputeClosedV1,
  DisputeOpenedV1,
  MoneyReinstatedV1,
  MoneyWithdrawnV1,
  PaymentFailedV1,
  PartRefundCoveredV1,
  PaymentPartlyRefundedV1,
  PaymentRefundedV1,
  PaymentSucceededV1,
  RefundFailedV1,
  RefundReversedV1,
} from '@beltway/contracts/payments/payments';
import type { PaymentLoss } from '@beltway/contracts/payments/payment-loss';
import { PromotionPaidV1, PromotionRefundedV1 } from '@beltway/contracts/catalog/promotion';
import { outgoing, type Logged, type Outgoing } from '@beltway/event-store';
import type { Bought } from './bought.ts';
import type { PaymentEvent } from './events.ts';

/** Messages about payments, keyed by stream, so that messages about one payment arrive in order. */
export function publishPayment(of: Logged): Outgoing[] {
  const event = { type: of.type, data: of.data } as PaymentEvent;
  if (!('bought' in event.data)) return []; // internal to payments
  const { bought } = event.data;
  if (bought.purpose === 'tickets') return aboutTickets(of, event, bought);
  if (bought.purpose === 'ad') return aboutAd(of, event);
  const lost = lossOf(event);
  const level = bought.purpose === 'promotion' ? bought.level : bought.purpose;
  if (lost) return [outgoing(of, PromotionRefundedV1, { ...lost, ...bought, promotionId: of.id, level })];
  if (event.type === 'LivestreamConfigured')
    return [
      outgoing(of, LivestreamConfiguredV1, {
        ...event.data,
        ...bought,
        promotionId: of.id,
        livestream: event.data.livestream,
      }),
    ];
  if (event.type !== 'PaymentSucceeded' || event.data.isUnderpaid) return [];
  const paid = { ...event.data, promotionId: of.id };
  return bought.purpose === 'promotion'
    ? [outgoing(of, PromotionPaidV1, { ...paid, ...bought })]
    : [outgoing(of, LivestreamPaidV1, { ...paid, ...bought })];
}

/**
 * Why the payment for one of the platform's own products no longer counts; null if the payment still counts. An inquiry
 * takes no money, and a partial refund by hand is goodwill.
 */
function lossOf({ type, data }: PaymentEvent): { paymentId: string; amountCents: number; cause: PaymentLoss } | null {
  if (type === 'PaymentRefunded') return { ...data, cause: 'refunded' };
  if (type === 'DisputeOpened' && !data.isInquiry) return { ...data, cause: 'disputed' };
  return type === 'DisputeLost' ? { ...data, cause: 'dispute-lost' } : null;
}

/** Publishes that an ad's payment no longer counts. `publishAds` publishes that an ad is paid. */
function aboutAd(of: Logged, event: PaymentEvent): Outgoing[] {
  const lost = lossOf(event);
  return lost ? [outgoing(of, AdRefundedV1, { ...lost, adId: of.id })] : [];
}

/** Messages for ticketing, with the order and its event. */
function aboutTickets(of: Logged, event: PaymentEvent, { orderId, eventId }: Tickets): Outgoing[] {
  const ofOrder = <Data extends object>(data: Data) => ({ ...data, orderId, eventId });
  switch (event.type) {
    case 'PaymentSucceeded':
      return [outgoing(of, PaymentSucceededV1, ofOrder(event.data))];
    case 'PaymentFailed':
      return [outgoing(of, PaymentFailedV1, ofOrder(event.data))];
    case 'PaymentRefunded': {
      const refunded = outgoing(of, PaymentRefundedV1, ofOrder(event.data));
      return event.data.unasked
        ? [refunded, outgoing(of, MoneyWithdrawnV1, { ...ofOrder(event.data), cause: 'refunded-by-provider' })]
        : [refunded];
    }
    case 'PaymentPartlyRefunded':
      return [
        outgoing(of, PaymentPartlyRefundedV1, { ...ofOrder(event.data), requestId: event.data.requestId ?? null }),
      ];
    case 'RefundReversed': {
      const { requestId = null, isOwed } = event.data;
      // A partial refund by hand was never published as a refund of tickets, so its reversal is not published.
      if (requestId === null && !isOwed) return [];
      return [outgoing(of, RefundReversedV1, { ...ofOrder(event.data), requestId })];
    }
    case 'RefundFailed':
      if (!event.data.isOwed) return [];
      return [outgoing(of, RefundFailedV1, { ...ofOrder(event.data), requestId: event.data.requestId ?? null })];
    case 'RefundDelayed':
      return [outgoing(of, RefundFailedV1, { ...ofOrder(event.data), requestId: event.data.requestId ?? null })];
    case 'PartRefundCovered':
      return [outgoing(of, PartRefundCoveredV1, ofOrder(event.data))];
    case 'DisputeOpened':
      return [outgoing(of, DisputeOpenedV1, ofOrder(event.data))];
    case 'DisputeLost': {
      const closed = outgoing(of, DisputeClosedV1, { ...ofOrder(event.data), outcome: 'lost' });
      // The withdrawal is published even if a refund was requested: that refund waited for the dispute and will not be
      // made.
      return event.data.isWhole
        ? [outgoing(of, MoneyWithdrawnV1, { ...ofOrder(event.data), cause: 'dispute-lost' }), closed]
        : [closed];
    }
    case 'DisputeWon': {
      const { partCents, returnedCents, amountCents } = event.data;
      const closed = outgoing(of, DisputeClosedV1, { ...ofOrder(event.data), outcome: 'won' });
      // Reinstated money is published only if the money was published as withdrawn.
      if (partCents === 0 || returnedCents >= amountCents || returnedCents + partCents < amountCents) return [closed];
      return [outgoing(of, MoneyReinstatedV1, { ...ofOrder(event.data), reinstatedCents: partCents }), closed];
    }
    case 'PaymentRequested':
    case 'PaymentProcessing':
    case 'PaymentCanceled':
    case 'OtherCurrencyReported':
    case 'UnderpaymentReported':
    case 'LivestreamConfigured':
    case 'AlertResolved':
    case 'PaymentFulfilled':
    case 'RefundRequested':
    case 'PartRefundRequested':
    case 'ShareTransferred':
    case 'TransferReversed':
    case 'FeeReturned':
    case 'ShareDelayed':
    case 'ShareSettled':
    case 'ProviderFeeCharged':
      return []; // internal to payments
  }
}

type Tickets = Extract<Bought, { purpose: 'tickets' }>;
