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

/** The one synchronous call to another service: payments, with no lock held and the hold committed. */
export interface Payments {
  request(payment: RequestPaymentBody): Promise<RequestedPayment>;
  /** Asks the provider what is true now. */
  settle(paymentId: string): Promise<SettledPayment>;
  /** Cancels what is not paid; answers `succeeded` when it turns out to be. */
  cancel(paymentId: string): Promise<SettledPayment>;
  /** What is known of an order's payment, its history in this language; the provider is not asked. Null: nothing was asked to be paid. */
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
    // Concurrent calls are batched. What only the provider knows is asked one by one: nobody waits for another's
    // answer.
    settle: async (paymentId) => (await decided(client, paymentId)) ?? (await post(paymentId, 'settle')),
    cancel: (paymentId) => post(paymentId, 'cancel'),
    ofOrder: async (orderId, language) =>
      OrderPaymentAnswer.parse(await client.get(`/internal/orders/${orderId}/payment?language=${language}`)).payment,
  };
}
