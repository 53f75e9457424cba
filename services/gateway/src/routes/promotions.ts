import { Alert, ResolveAlertBody } from '@beltway/contracts/payments/payments';
import { MoneyAnalytics, MoneyQuery, PlatformRevenue } from '@beltway/contracts/payments/platform';
import {
  ConfirmPromotionPaymentBody,
  ConfirmedPromotion,
  CreatePromotionPaymentBody,
  PromotionPayment,
} from '@beltway/contracts/catalog/promotion';
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
  {
    method: 'get',
    path: '/api/platform/revenue',
    summary:
      'What ticket sales took until now, this month and today (New York’s), in dollars: of one’s own events, of all for an admin. Business accounts and admins. What went back is taken off',
    access: 'signed in',
    gate: 'report',
    answer: PlatformRevenue,
    problems: [403],
  },
  {
    method: 'post',
    path: '/api/platform/alerts/{alertId}/resolve',
    summary:
      'Say that what an alert tells of was dealt with; kept with who, when and a note. 409 for one that ends by itself, when the money has moved',
    access: 'admin',
    body: ResolveAlertBody,
    answer: Alert,
    problems: [404, 409],
  },
  {
    method: 'get',
    path: '/api/platform/analytics/money',
    summary: 'Sales of each of the last days, the events that sold most, and what promotions and ads brought',
    access: 'signed in',
    gate: 'report',
    query: MoneyQuery.shape,
    answer: MoneyAnalytics,
    problems: [403],
  },
]);
