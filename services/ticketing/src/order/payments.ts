import { RequestedPayment, SettledPayment, type RequestPaymentBody } from '@beltway/contracts/payments';
import type { Instances } from '@beltway/kit/instances';
import { internalClient } from '@beltway/kit/internal';

/** The one synchronous call to another service: payments, with no lock held and the hold committed. */
export interface Payments {
  request(payment: RequestPaymentBody): Promise<RequestedPayment>;
  /** Asks the provider what is true now. */
  settle(paymentId: string): Promise<SettledPayment>;
  /** Cancels what is not paid; answers `succeeded` when it turns out to be. */
  cancel(paymentId: string): Promise<SettledPayment>;
}

export function paymentsClient(instances: Instances, token: string): Payments {
  const client = internalClient(instances, token);
  return {
    request: async (payment) => RequestedPayment.parse(await client.post('/internal/payments', payment)),
    settle: async (paymentId) => SettledPayment.parse(await client.post(`/internal/payments/${paymentId}/settle`, {})),
    cancel: async (paymentId) => SettledPayment.parse(await client.post(`/internal/payments/${paymentId}/cancel`, {})),
  };
}
