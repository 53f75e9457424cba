import {
  AdPackages,
  AdPayment,
  AdPaymentState,
  AdPaymentStateBody,
  CreateAdPaymentBody,
} from '@beltway/contracts/payments/ads';
import { answeredBy, type Route } from './route.ts';

export const ads: Route[] = answeredBy('payments', [
  {
    method: 'get',
    path: '/api/ad-packages',
    summary: 'List the ad packages with their prices and features',
    access: 'public',
    cache: 'public',
    answer: AdPackages,
  },
  {
    method: 'post',
    path: '/api/create-ad-payment-intent',
    summary:
      'Create a payment intent for an ad at the package’s price in cents; a repeat with the same `Idempotency-Key` (a UUID) returns it',
    access: 'optional',
    rate: 'buy',
    gate: 'payment',
    headers: ['Idempotency-Key'],
    body: CreateAdPaymentBody,
    answer: AdPayment,
    problems: [409, 422],
  },
  {
    method: 'post',
    path: '/api/ad-payment-state',
    summary: 'Get the state of an ad’s payment, for the holder of its client secret',
    access: 'public',
    rate: 'buy',
    gate: 'payment',
    body: AdPaymentStateBody,
    answer: AdPaymentState,
    problems: [404],
  },
]);
