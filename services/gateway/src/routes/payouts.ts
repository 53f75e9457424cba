import { ConnectAccountLink, Payouts } from '@beltway/contracts/payments/payouts';
import { answeredBy, type Route } from './route.ts';

export const payouts: Route[] = answeredBy('payments', [
  {
    method: 'post',
    path: '/api/stripe/create-connect-account',
    summary:
      'Get a link to the card provider’s page where the caller sets up an account for payouts, or continues the setup',
    access: 'signed in',
    rate: 'buy',
    gate: 'payment',
    answer: ConnectAccountLink,
    problems: [409],
  },
  {
    method: 'post',
    path: '/api/payouts/check',
    summary: 'Update the state of the caller’s payout account from the card provider; responds like GET /api/payouts',
    access: 'signed in',
    rate: 'buy',
    gate: 'payment',
    answer: Payouts,
  },
  {
    method: 'get',
    path: '/api/payouts',
    summary:
      'Get what the caller is owed, has in the payout account, and was paid, in cents; for an admin the platform’s figures',
    access: 'signed in',
    answer: Payouts,
  },
]);
