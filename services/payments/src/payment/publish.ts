import { PaymentFailedV1, PaymentRefundedV1, PaymentSucceededV1 } from '@beltway/contracts/payments';
import type { Logged, Outgoing } from '@beltway/event-store';
import type { PaymentEvent } from './events.ts';

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
      return [{ of, type: type.value, version: version.value, data: data.parse(event.data) }];
    }
    case 'PaymentRequested':
    case 'PaymentProcessing':
    case 'PaymentCancelled':
    case 'PaymentFulfilled':
    case 'RefundRequested':
    case 'RefundFailed':
      return []; // ours alone
  }
}
