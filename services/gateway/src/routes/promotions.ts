import { Alert, ResolveAlertBody } from '@beltway/contracts/payments/payments';
import {
  MoneyAnalytics,
  MoneyQuery,
  OWN_SALES_DAYS,
  OwnSales,
  PlatformRevenue,
} from '@beltway/contracts/payments/platform';
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
    summary: 'Create a payment intent for promoting one of the caller’s events, at the list price in cents',
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
    summary: 'Start a promotion that was paid; without this call, the webhook or the reconciler starts it',
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
      'Get ticket revenue in dollars, minus returned money: total, this month and today (New York time); of the caller’s events, or of all for an admin; business accounts and admins only',
    access: 'signed in',
    gate: 'report',
    answer: PlatformRevenue,
    problems: [403],
  },
  {
    method: 'post',
    path: '/api/platform/alerts/{alertId}/resolve',
    summary:
      'Mark an alert as resolved; admin, time and note are recorded. 409 for alerts that end by themselves once the money is settled',
    access: 'admin',
    body: ResolveAlertBody,
    answer: Alert,
    problems: [404, 409],
  },
  {
    method: 'get',
    path: '/api/me/sales',
    summary: `List the caller’s ticket sales per day for the last ${OWN_SALES_DAYS} days`,
    access: 'signed in',
    answer: OwnSales,
  },
  {
    method: 'get',
    path: '/api/platform/analytics/money',
    summary:
      'Get daily ticket sales, best-selling events, and income from promotions and ads for the last days; of the caller’s events, or of all for an admin; business accounts and admins only',
    access: 'signed in',
    gate: 'report',
    query: MoneyQuery.shape,
    answer: MoneyAnalytics,
    problems: [403],
  },
]);
