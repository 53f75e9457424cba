import { platformAccount } from './bought.ts';
import type { Part, Payee, PaymentEvent, PaymentFacts } from './events.ts';

/** A leg of a booking, in cents: positive for money in an account, negative for money owed. */
export interface Leg {
  account: string;
  amountCents: number;
}

/**
 * Double entry. A success adds the amount to the provider's clearing account, and books the fee as owed to the platform
 * and the rest as owed to the organizer. For the platform's own products, the whole amount is the platform's, in one
 * account for each purpose. A refund or a lost dispute takes the same fraction from the platform and from the organizer
 * (`decider.ts` splits a part). The legs of one event sum to zero.
 *
 * Our balance at the provider is the sum of three accounts: `provider` (paid by buyers and not returned),
 * `provider:transfers` (moved to organizers' accounts, negative) and `provider:fees` (taken by the provider).
 * `organizer:<id>` is the amount still owed to the organizer. The organizer's earnings are the sum of this account's
 * legs, except for the legs of events that move a share.
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

/** `cents` move to the organizer's account; negative cents come back from it. */
const shareLegs = ({ organizerId }: Payee, cents: number): Leg[] => [
  { account: 'provider:transfers', amountCents: -cents },
  { account: `organizer:${organizerId}`, amountCents: cents },
];

const partLegs = (sign: 1 | -1, of: Pick<PaymentFacts, 'bought'> & Payee & Part): Leg[] =>
  legs(sign, of, of.partCents, of.partFeeCents);

/**
 * The booking's name within its payment: the event's type and the id of the refund or dispute. A payment may have
 * several refunds or disputes.
 */
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
