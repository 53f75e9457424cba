import {
  ConfirmPromotionPaymentBody,
  ConfirmedPromotion,
  CreatePromotionPaymentBody,
  PromotionPayment,
} from '@beltway/contracts/promotion';
import { answeredBy, type Route } from './route.ts';

export const promotions: Route[] = answeredBy('payments', [
  {
    method: 'post',
    path: '/api/create-promotion-payment',
    summary: 'A payment intent for the promotion of an event of one’s own, at the catalogue’s price in cents',
    access: 'signed in',
    rate: 'buy',
    gate: 'payment',
    body: CreatePromotionPaymentBody,
    answer: PromotionPayment,
    problems: [403, 404, 409, 422],
  },
  {
    method: 'post',
    path: '/api/confirm-promotion-payment',
    summary: 'Start what was paid. Without this call webhook and reconciler do',
    access: 'signed in',
    rate: 'buy',
    gate: 'payment',
    body: ConfirmPromotionPaymentBody,
    answer: ConfirmedPromotion,
    problems: [404, 409],
  },
]);
