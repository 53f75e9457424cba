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
    summary: 'The catalogue of ads: what each package costs and gives',
    access: 'public',
    cache: 'public',
    answer: AdPackages,
  },
  {
    method: 'post',
    path: '/api/create-ad-payment-intent',
    summary:
      'A payment intent for an ad, at the catalogue’s price in cents. With the same `Idempotency-Key` (a UUID) the same one',
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
    summary: 'What became of the payment of an ad, for who has its secret',
    access: 'public',
    rate: 'buy',
    gate: 'payment',
    body: AdPaymentStateBody,
    answer: AdPaymentState,
    problems: [404],
  },
]);
