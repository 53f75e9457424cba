import {
  FlaggedReferrals,
  ReferralCodeFound,
  ReferralsPage,
  ReferralsQuery,
} from '@beltway/contracts/identity/referrals';
import { answeredBy, type Route } from './route.ts';

/** Invitations: services/identity/PRODUCT.md#referrals */
export const referrals: Route[] = answeredBy('identity', [
  {
    method: 'get',
    path: '/api/referrals',
    summary: 'The caller’s code and link to invite by, and whom they referred, who joined last first',
    access: 'signed in',
    query: ReferralsQuery.shape,
    answer: ReferralsPage,
  },
  {
    method: 'get',
    path: '/api/referrals/flagged',
    summary: 'Referrals with a hint that both accounts are of one person, the latest first',
    access: 'admin',
    query: ReferralsQuery.shape,
    answer: FlaggedReferrals,
  },
  {
    method: 'get',
    path: '/api/referral-codes/{code}',
    summary: 'Whether there is such a code to register by',
    access: 'public',
    rate: 'sign-in',
    answer: ReferralCodeFound,
    problems: [404],
  },
]);
