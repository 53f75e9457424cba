import { moneyText } from '@beltway/contracts/common/basics';
import type { PaymentEvent } from '../payment/events.ts';

/** One sentence for people about each event; null: nothing that they need. No card, no bank's code. */
export function english({ type, data }: PaymentEvent): string | null {
  switch (type) {
    case 'PaymentRequested':
      return `${moneyText(data.amountCents)} asked for.`;
    case 'PaymentProcessing':
      return 'The provider works on the payment.';
    case 'PaymentFailed':
      return 'A card was declined.';
    case 'PaymentSucceeded':
      return `${moneyText(data.amountCents)} paid.`;
    case 'PaymentCanceled':
      return 'The payment was given up.';
    case 'RefundRequested':
      return 'The whole payment is to go back.';
    case 'PartRefundRequested':
      return `${moneyText(data.cents)} are to go back.`;
    case 'LivestreamConfigured':
      return 'The live stream was configured.';
    case 'AlertResolved':
      return 'An admin has dealt with an alert.';
    case 'UnderpaymentReported':
      return `Only ${moneyText(data.paidCents)} were received.`;
    case 'PartRefundCovered':
      return `${moneyText(data.askedCents)} were to go back; by hand they had gone back already.`;
    case 'RefundDelayed':
      return 'A refund was tried often and is not done yet.';
    case 'RefundFailed':
      return data.isOwed ? 'The bank refused a refund. It is tried again.' : 'The bank refused a refund.';
    case 'PaymentRefunded':
    case 'PaymentPartlyRefunded':
      return `${moneyText(data.partCents ?? data.amountCents)} went back.`;
    case 'RefundReversed':
      return `A refund of ${moneyText(data.partCents)} came back from the bank.`;
    case 'DisputeOpened':
      return `A bank disputes ${moneyText(data.disputedCents)}.`;
    case 'DisputeLost':
      return `The dispute was lost: ${moneyText(data.partCents)} are gone.`;
    case 'DisputeWon':
      return 'The dispute was won.';
    case 'OtherCurrencyReported':
      return 'The provider reported money in another currency, which does not count.';
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
