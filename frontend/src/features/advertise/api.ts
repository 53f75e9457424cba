import {
  AdPayment,
  AdPaymentState,
  AdPaymentStateBody,
  type AdBusinessInfo,
  type AdPackage,
} from '@beltway/contracts/payments/ads';
import { HttpError, post } from '../../lib/http/http.ts';
import { say } from '../../lib/i18n/problems.ts';

/** POST /api/create-ad-payment-intent. Under the same key the same payment, with the business as it is said now. */
export const createAdPayment = (offer: AdPackage, key: string, businessInfo: AdBusinessInfo): Promise<AdPayment> => {
  const { id: packageId, cents: amount, name, duration, features } = offer;
  const body = { packageId, amount, businessInfo, packageDetails: { name, duration, features } };
  return post('/api/create-ad-payment-intent', body, AdPayment, { headers: { 'idempotency-key': key } });
};

/** POST /api/ad-payment-state: what became of a payment, by its secret. */
export const askAdPayment = (clientSecret: string): Promise<AdPaymentState> =>
  post('/api/ad-payment-state', { clientSecret }, AdPaymentState);

/** Whether text can be a payment's secret at all; addresses are written by anybody. */
export const isPaymentSecret = (text: string): boolean => AdPaymentStateBody.safeParse({ clientSecret: text }).success;

export const paymentIntentOf = (clientSecret: string): string => clientSecret.split('_secret')[0] ?? '';

/** True when what is asked to be paid is paid already. */
export const isPaidAlready = (error: unknown): boolean =>
  error instanceof HttpError && error.problem?.code === 'already-paid';

/** The fields of the form that an answer finds wrong: `businessInfo.phone` is said of `phone`. */
export function errorsOfBusiness(error: unknown): Record<string, string> {
  const errors = (error instanceof HttpError && error.problem?.errors) || [];
  return Object.fromEntries(errors.toReversed().map((one) => [one.field.split('.')[1] ?? one.field, say(one)]));
}
