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
    summary:
      'Get the caller’s referral code and invitation link, and the accounts that the caller referred, latest registration first',
    access: 'signed in',
    query: ReferralsQuery.shape,
    answer: ReferralsPage,
  },
  {
    method: 'get',
    path: '/api/referrals/flagged',
    summary: 'List referrals of the last 90 days with a hint that both accounts belong to one person, latest first',
    access: 'admin',
    query: ReferralsQuery.shape,
    answer: FlaggedReferrals,
  },
  {
    method: 'get',
    path: '/api/referral-codes/{code}',
    summary: 'Check whether a referral code exists, before registering with it',
    access: 'public',
    rate: 'sign-in',
    answer: ReferralCodeFound,
    problems: [404],
  },
]);
