import {
  AdPayment,
  AdPaymentState,
  AdPaymentStateBody,
  type AdBusinessInfo,
  type AdPackage,
} from '@beltway/contracts/payments/ads';
import { HttpError, post } from '../../lib/http/http.ts';
import { say } from '../../lib/i18n/problems.ts';

/** POST /api/create-ad-payment-intent. The same key returns the same payment, with the new business details. */
export const createAdPayment = (offer: AdPackage, key: string, businessInfo: AdBusinessInfo): Promise<AdPayment> => {
  const { id: packageId, cents: amount, name, duration, features } = offer;
  const body = { packageId, amount, businessInfo, packageDetails: { name, duration, features } };
  return post('/api/create-ad-payment-intent', body, AdPayment, { headers: { 'idempotency-key': key } });
};

/** POST /api/ad-payment-state: the state of the payment that has this secret. */
export const askAdPayment = (clientSecret: string): Promise<AdPaymentState> =>
  post('/api/ad-payment-state', { clientSecret }, AdPaymentState);

/**
 * Whether a text has the form of a payment's secret. Needed because the secret comes from the URL, which is untrusted.
 */
export const isPaymentSecret = (text: string): boolean => AdPaymentStateBody.safeParse({ clientSecret: text }).success;

export const paymentIntentOf = (clientSecret: string): string => clientSecret.split('_secret')[0] ?? '';

export const isPaidAlready = (error: unknown): boolean =>
  error instanceof HttpError && error.problem?.code === 'already-paid';

/** The server's error for each form field: `businessInfo.phone` belongs to `phone`. */
export function errorsOfBusiness(error: unknown): Record<string, string> {
  const errors = (error instanceof HttpError && error.problem?.errors) || [];
  return Object.fromEntries(errors.toReversed().map((one) => [one.field.split('.')[1] ?? one.field, say(one)]));
}
