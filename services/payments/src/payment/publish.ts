import {
  MoneyReinstatedV1,
  MoneyWithdrawnV1,
  PaymentFailedV1,
  PaymentPartlyRefundedV1,
  PaymentRefundedV1,
  PaymentSucceededV1,
  RefundReversedV1,
} from '@beltway/contracts/payments';
import type { Logged, Outgoing } from '@beltway/event-store';
import type { PaymentEvent, PaymentFacts } from './events.ts';

/** What the world hears of payments, keyed by stream: what one payment went through arrives in its order. */
export const publishPayments = (events: Logged[]): Outgoing[] => events.flatMap((of) => message(of));

function message(of: Logged): Outgoing[] {
  const event = { type: of.type, data: of.data } as PaymentEvent;
  switch (event.type) {
    case 'PaymentSucceeded': {
      const { data, type, version } = PaymentSucceededV1.shape;
      return [{ of, type: type.value, version: version.value, data: data.parse(event.data) }];
    }
    case 'PaymentFailed': {
      const { data, type, version } = PaymentFailedV1.shape;
      return [{ of, type: type.value, version: version.value, data: data.parse(event.data) }];
    }
    case 'PaymentRefunded': {
      const { data, type, version } = PaymentRefundedV1.shape;
      const refunded = { of, type: type.value, version: version.value, data: data.parse(event.data) };
      return event.data.unasked ? [refunded, withdrawn(of, event.data, 'refunded-by-provider')] : [refunded];
    }
    case 'PaymentPartlyRefunded': {
      const { data, type, version } = PaymentPartlyRefundedV1.shape;
      return [{ of, type: type.value, version: version.value, data: data.parse(event.data) }];
    }
    case 'RefundReversed': {
      // What went back in part was never said to have gone back.
      if (!event.data.isOwed) return [];
      const { data, type, version } = RefundReversedV1.shape;
      return [{ of, type: type.value, version: version.value, data: data.parse(event.data) }];
    }
    case 'DisputeLost':
      // Also when a refund was asked for: it waited for the dispute, and will not be made any more.
      return event.data.isWhole ? [withdrawn(of, event.data, 'dispute-lost')] : [];
    case 'DisputeWon': {
      const { partCents, returnedCents, amountCents, ...facts } = event.data;
      // Only what was said to be gone is said to be back.
      if (partCents === 0 || returnedCents >= amountCents || returnedCents + partCents < amountCents) return [];
      const { data, type, version } = MoneyReinstatedV1.shape;
      const reinstated = data.parse({ ...facts, amountCents, reinstatedCents: partCents });
      return [{ of, type: type.value, version: version.value, data: reinstated }];
    }
    case 'PaymentRequested':
    case 'PaymentProcessing':
    case 'PaymentCancelled':
    case 'PaymentFulfilled':
    case 'RefundRequested':
    case 'RefundFailed':
    case 'DisputeOpened':
      return []; // ours alone
  }
}

function withdrawn(of: Logged, facts: PaymentFacts, cause: MoneyWithdrawnV1['data']['cause']): Outgoing {
  const { data, type, version } = MoneyWithdrawnV1.shape;
  return { of, type: type.value, version: version.value, data: data.parse({ ...facts, cause }) };
}
