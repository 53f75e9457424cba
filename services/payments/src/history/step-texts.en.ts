import { moneyText } from '@beltway/contracts/common/basics';
import type { PaymentEvent } from '../payment/events.ts';

/** The text of each event in an order's history; null hides the event. Texts contain no card data and no bank codes. */
export function english({ type, data }: PaymentEvent): string | null {
  switch (type) {
    case 'PaymentRequested':
      return `${moneyText(data.amountCents)} requested.`;
    case 'PaymentProcessing':
      return 'The provider is processing the payment.';
    case 'PaymentFailed':
      return 'A card was declined.';
    case 'PaymentSucceeded':
      return `${moneyText(data.amountCents)} paid.`;
    case 'PaymentCanceled':
      return 'The payment was abandoned.';
    case 'RefundRequested':
      return 'A full refund was requested.';
    case 'PartRefundRequested':
      return `A refund of ${moneyText(data.cents)} was requested.`;
    case 'LivestreamConfigured':
      return 'The live stream was configured.';
    case 'AlertResolved':
      return 'An admin resolved an alert.';
    case 'UnderpaymentReported':
      return `Only ${moneyText(data.paidCents)} was received.`;
    case 'PartRefundCovered':
      return `A refund of ${moneyText(data.askedCents)} was requested, but it was already made by hand.`;
    case 'RefundDelayed':
      return 'A refund was tried many times and isn’t done yet.';
    case 'RefundFailed':
      return data.isOwed ? 'The bank refused a refund. We’re trying again.' : 'The bank refused a refund.';
    case 'PaymentRefunded':
    case 'PaymentPartlyRefunded':
      return `${moneyText(data.partCents ?? data.amountCents)} was refunded.`;
    case 'RefundReversed':
      return `A refund of ${moneyText(data.partCents)} came back from the bank.`;
    case 'DisputeOpened':
      return `A bank is disputing ${moneyText(data.disputedCents)}.`;
    case 'DisputeLost':
      return `The dispute was lost: the bank took ${moneyText(data.partCents)}.`;
    case 'DisputeWon':
      return 'The dispute was won.';
    case 'OtherCurrencyReported':
      return 'The provider reported money in another currency. It doesn’t count.';
    case 'ShareTransferred':
      return `${moneyText(data.cents)} went to the organizer’s account.`;
    case 'TransferReversed':
      return `${moneyText(data.cents)} came back from the organizer’s account.`;
    case 'FeeReturned':
      return `${moneyText(data.cents)} of the fee went to the organizer’s account.`;
    case 'PaymentFulfilled':
    case 'ShareDelayed':
    case 'ShareSettled':
    case 'ProviderFeeCharged':
      return null;
  }
}
