import type { PaymentEvent } from './events.ts';

/** A leg of a booking: money in an account rises above zero, money owed falls below it. Cents. */
export interface Leg {
  account: string;
  amountCents: number;
}

/**
 * Double entry. A success puts the amount into the provider's clearing account and owes the fee to the platform and the rest to
 * the organiser; what goes back, by a refund or a lost dispute, takes the same share from each (`decider.ts` says how a part is
 * split). The legs of one event sum to zero.
 */
export function legsOf(event: PaymentEvent): Leg[] {
  switch (event.type) {
    case 'PaymentSucceeded':
      return legs(1, event.data.organiserId, event.data.amountCents, event.data.feeCents);
    case 'PaymentRefunded': {
      const { organiserId, amountCents, feeCents, partCents = amountCents, partFeeCents = feeCents } = event.data;
      return legs(-1, organiserId, partCents, partFeeCents);
    }
    case 'PaymentPartlyRefunded':
    case 'DisputeLost':
      return legs(-1, event.data.organiserId, event.data.partCents, event.data.partFeeCents);
    case 'RefundReversed':
    case 'DisputeWon':
      return event.data.partCents === 0
        ? []
        : legs(1, event.data.organiserId, event.data.partCents, event.data.partFeeCents);
    case 'PaymentRequested':
    case 'PaymentProcessing':
    case 'PaymentFailed':
    case 'PaymentCancelled':
    case 'PaymentFulfilled':
    case 'RefundRequested':
    case 'RefundFailed':
    case 'DisputeOpened':
      return []; // no money moves
  }
}

const legs = (sign: 1 | -1, organiserId: number, amountCents: number, feeCents: number): Leg[] => [
  { account: 'provider', amountCents: sign * amountCents },
  { account: `organiser:${organiserId}`, amountCents: -sign * (amountCents - feeCents) },
  { account: 'platform', amountCents: -sign * feeCents },
];

/** The booking's name within its payment: the event's type, and which refund or dispute it was, since there may be several. */
export function bookingOf(event: PaymentEvent): string {
  switch (event.type) {
    case 'PaymentRefunded':
      // Old events were booked without the id.
      return event.data.partCents === undefined ? event.type : `${event.type}:${event.data.refundId}`;
    case 'PaymentPartlyRefunded':
    case 'RefundReversed':
      return `${event.type}:${event.data.refundId}`;
    case 'DisputeLost':
    case 'DisputeWon':
      return `${event.type}:${event.data.disputeId}`;
    default:
      return event.type;
  }
}
