import { ConnectAccountLink, Payouts } from '@beltway/contracts/payments/payouts';
import { answeredBy, type Route } from './route.ts';

export const payouts: Route[] = answeredBy('payments', [
  {
    method: 'post',
    path: '/api/stripe/create-connect-account',
    summary: 'The card provider’s page on which an organizer sets up an account for payouts, or goes on with it',
    access: 'signed in',
    rate: 'buy',
    gate: 'payment',
    answer: ConnectAccountLink,
    problems: [409],
  },
  {
    method: 'post',
    path: '/api/payouts/check',
    summary: 'Ask the card provider how one’s own account stands; answers as GET /api/payouts',
    access: 'signed in',
    rate: 'buy',
    gate: 'payment',
    answer: Payouts,
  },
  {
    method: 'get',
    path: '/api/payouts',
    summary: 'What one is owed, has, and was paid; of an admin the platform’s figures. Cents',
    access: 'signed in',
    answer: Payouts,
  },
]);
