import { platformAccount } from './bought.ts';
import type { Part, Payee, PaymentEvent, PaymentFacts } from './events.ts';

/** A leg of a booking: money in an account rises above zero, money owed falls below it. Cents. */
export interface Leg {
  account: string;
  amountCents: number;
}

/**
 * Double entry. A success puts the amount into the provider's clearing account and owes the fee to the platform and the rest to
 * the organizer; what the platform sells itself is its own as a whole, in an account for each purpose. What goes back, by a refund
 * or a lost dispute, takes the same share from each (`decider.ts` says how a part is split). The legs of one event sum to zero.
 *
 * What we hold at the provider is the sum of three accounts: `provider`, what buyers paid and did not get back; `provider:transfers`,
 * what of it went on to organizers' accounts, below zero; `provider:fees`, what the provider took. `organizer:<id>` is what the organizer
 * is owed still: what they earned is the sum of its legs without those of the events that move a share.
 */
export function legsOf(event: PaymentEvent): Leg[] {
  switch (event.type) {
    case 'PaymentSucceeded':
      return legs(1, event.data, event.data.amountCents, event.data.feeCents);
    case 'PaymentRefunded':
    case 'PaymentPartlyRefunded':
    case 'DisputeLost':
      return partLegs(-1, event.data);
    case 'RefundReversed':
    case 'DisputeWon':
      return event.data.partCents === 0 ? [] : partLegs(1, event.data);
    case 'ShareTransferred':
    case 'FeeReturned':
      return shareLegs(event.data, event.data.cents);
    case 'TransferReversed':
      return shareLegs(event.data, -event.data.cents);
    case 'ProviderFeeCharged':
      return [
        { account: 'provider:fees', amountCents: -event.data.cents },
        { account: 'provider-fee', amountCents: event.data.cents },
      ];
    case 'PaymentRequested':
    case 'PaymentProcessing':
    case 'PaymentFailed':
    case 'PaymentCanceled':
    case 'OtherCurrencyReported':
    case 'PaymentFulfilled':
    case 'RefundRequested':
    case 'UnderpaymentReported':
    case 'AlertResolved':
    case 'LivestreamConfigured':
    case 'PartRefundRequested':
    case 'PartRefundCovered':
    case 'RefundDelayed':
    case 'RefundFailed':
    case 'DisputeOpened':
    case 'ShareDelayed':
    case 'ShareSettled':
      return []; // no money moves
  }
}

function legs(
  sign: 1 | -1,
  { bought, organizerId }: Pick<PaymentFacts, 'bought'> & Payee,
  amountCents: number,
  feeCents: number,
): Leg[] {
  const owed =
    organizerId === null
      ? []
      : [{ account: `organizer:${organizerId}`, amountCents: -sign * (amountCents - feeCents) }];
  return [
    { account: 'provider', amountCents: sign * amountCents },
    ...owed,
    { account: platformAccount(bought), amountCents: -sign * feeCents },
  ];
}

/** `cents` go to the organizer's account; below zero they come back. */
const shareLegs = ({ organizerId }: Payee, cents: number): Leg[] => [
  { account: 'provider:transfers', amountCents: -cents },
  { account: `organizer:${organizerId}`, amountCents: cents },
];

const partLegs = (sign: 1 | -1, of: Pick<PaymentFacts, 'bought'> & Payee & Part): Leg[] =>
  legs(sign, of, of.partCents, of.partFeeCents);

/** The booking's name within its payment: the event's type, and which refund or dispute it was, since there may be several. */
export function bookingOf(event: PaymentEvent): string {
  switch (event.type) {
    case 'PaymentRefunded':
    case 'PaymentPartlyRefunded':
    case 'RefundReversed':
      return `${event.type}:${event.data.refundId}`;
    case 'DisputeLost':
    case 'DisputeWon':
      return `${event.type}:${event.data.disputeId}`;
    case 'ShareTransferred':
      return `${event.type}:${event.data.transferId ?? 'charge'}`;
    case 'TransferReversed':
      return `${event.type}:${event.data.reversalId}`;
    case 'FeeReturned':
      return `${event.type}:${event.data.feeRefundId}`;
    case 'ProviderFeeCharged':
      return `${event.type}:${event.data.transactionId}`;
    default:
      return event.type;
  }
}
