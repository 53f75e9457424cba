import type { PaymentEvent } from './events.ts';

/** A leg of a booking: money in an account rises above zero, money owed falls below it. Cents. */
export interface Leg {
  account: string;
  amountCents: number;
}

/**
 * Double entry. A success puts the amount into the provider's clearing account and owes the fee to the platform and the rest to
 * the organiser; a refund books the very same back. The legs of one event sum to zero.
 */
export function legsOf(event: PaymentEvent): Leg[] {
  switch (event.type) {
    case 'PaymentSucceeded':
    case 'PaymentRefunded': {
      const { amountCents, feeCents, organiserId } = event.data;
      const sign = event.type === 'PaymentSucceeded' ? 1 : -1;
      return [
        { account: 'provider', amountCents: sign * amountCents },
        { account: `organiser:${organiserId}`, amountCents: -sign * (amountCents - feeCents) },
        { account: 'platform', amountCents: -sign * feeCents },
      ];
    }
    case 'PaymentRequested':
    case 'PaymentProcessing':
    case 'PaymentFailed':
    case 'PaymentCancelled':
    case 'PaymentFulfilled':
    case 'RefundRequested':
    case 'RefundFailed':
      return []; // no money moves
  }
}
