import type { Language } from '@beltway/contracts/common/languages';
import { OrderPaymentAnswer, type OrderPayment } from '@beltway/contracts/ticketing/orders';
import {
  DecidedPayments,
  RequestedPayment,
  SettledPayment,
  type RequestPaymentBody,
} from '@beltway/contracts/payments/payments';
import { batchLoaderByKey } from '@beltway/kit/batch-loader';
import type { Instances } from '@beltway/kit/instances';
import { internalClient, type InternalClient } from '@beltway/kit/internal';
import type { Secrets } from '@beltway/kit/secrets';

/**
 * The only synchronous calls of the checkout to another service. Make these calls after the hold is committed, and
 * while holding no lock.
 */
export interface Payments {
  request(payment: RequestPaymentBody): Promise<RequestedPayment>;
  /** Reads the current state of the payment from the provider. */
  settle(paymentId: string): Promise<SettledPayment>;
  /** Cancels an unpaid payment; returns `succeeded` if it turns out to be paid. */
  cancel(paymentId: string): Promise<SettledPayment>;
  /**
   * An order's payment as payments stores it, without a call to the provider. The payment's history is in the given
   * language. null if no payment was requested.
   */
  ofOrder(orderId: string, language: Language): Promise<OrderPayment | null>;
}

const decided = batchLoaderByKey(
  async (client: InternalClient, paymentIds: string[]) =>
    DecidedPayments.parse(await client.post('/internal/payments/decided', { paymentIds })).payments,
  ({ paymentId }) => paymentId,
);

export function paymentsClient(instances: Instances, tokens: Secrets): Payments {
  const client = internalClient(instances, tokens);
  const post = async (paymentId: string, what: 'settle' | 'cancel') =>
    SettledPayment.parse(await client.post(`/internal/payments/${paymentId}/${what}`, {}));
  return {
    request: async (payment) => RequestedPayment.parse(await client.post('/internal/payments', payment)),
    // Concurrent calls are batched. If only the provider knows the state of a payment, this payment is requested
    // separately, so that no other payment waits for it.
    settle: async (paymentId) => (await decided(client, paymentId)) ?? (await post(paymentId, 'settle')),
    cancel: (paymentId) => post(paymentId, 'cancel'),
    ofOrder: async (orderId, language) =>
      OrderPaymentAnswer.parse(await client.get(`/internal/orders/${orderId}/payment?language=${language}`)).payment,
  };
}
