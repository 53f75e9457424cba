import { ConnectAccountLink, Payouts } from '@beltway/contracts/payouts';
import { answeredBy, type Route } from './route.ts';

export const payouts: Route[] = answeredBy('payments', [
  {
    method: 'post',
    path: '/api/stripe/create-connect-account',
    summary: 'The card provider’s page on which a business sets up its account for payouts, or goes on with it',
    access: 'signed in',
    rate: 'buy',
    gate: 'payment',
    answer: ConnectAccountLink,
    problems: [403, 409],
  },
  {
    method: 'post',
    path: '/api/payouts/check',
    summary: 'Ask the card provider how one’s own account stands; answers as GET /api/payouts',
    access: 'signed in',
    rate: 'buy',
    gate: 'payment',
    answer: Payouts,
    problems: [403],
  },
  {
    method: 'get',
    path: '/api/payouts',
    summary: 'What a business is owed, has, and was paid; of an admin the platform’s figures. Cents',
    access: 'signed in',
    answer: Payouts,
    problems: [403],
  },
]);
