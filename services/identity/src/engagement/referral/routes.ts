import { Router } from 'express';
import type { Pool } from 'pg';
import {
  ReferralsQuery,
  referralCodeFrom,
  type ReferralCodeFound,
  type ReferralsPage,
} from '@beltway/contracts/identity/referrals';
import { callerOf } from '@beltway/kit/auth';
import { notFound, unauthenticated } from '@beltway/kit/problems';
import type { AccessTokens } from '../../session/access-tokens.ts';
import type { addressLimits } from '../../throttle/addresses.ts';
import { codeOf, referrerOf } from './codes.ts';
import { flaggedReferrals, referralsPage } from './queries.ts';

export interface ReferralRoutesOptions {
  pool: Pool;
  access: Pick<AccessTokens, 'signedIn' | 'role'>;
  limits: Pick<ReturnType<typeof addressLimits>, 'referralCodes'>;
  publicUrl: string;
  clock: () => Date;
}

/** services/identity/PRODUCT.md#referrals */
export function referralRoutes({ pool, access, limits, publicUrl, clock }: ReferralRoutesOptions): Router {
  const router = Router();

  /**
   * 200 the caller's code and link, and a page of the accounts that the caller referred, latest first. 400
   * `bad-cursor`.
   */
  router.get('/api/referrals', access.signedIn, async (req, res) => {
    const query = ReferralsQuery.parse(req.query);
    const { id } = callerOf(req);
    const code = await codeOf(pool, id);
    // The account was erased after its token was issued.
    if (code === null) throw unauthenticated();
    const link = new URL(`/auth?tab=register&ref=${code}`, publicUrl).href;
    const page = await referralsPage(pool, id, query, clock());
    res.setHeader('cache-control', 'no-store').json({ code, link, ...page } satisfies ReferralsPage);
  });

  /** 200 if the code exists, otherwise 404. The owner is not revealed. 429 limits guessing. */
  router.get('/api/referral-codes/:code', limits.referralCodes, async (req, res) => {
    const text = String(req.params['code']);
    const code = referralCodeFrom(text);
    if (code === undefined || !(await referrerOf(pool, text, clock()))) throw notFound('code');
    res.setHeader('cache-control', 'no-store').json({ code } satisfies ReferralCodeFound);
  });

  /** 200 a page of referrals with a hint that both accounts belong to one person; admins only. 400 `bad-cursor`. */
  router.get('/api/referrals/flagged', access.role('admin'), async (req, res) => {
    const page = await flaggedReferrals(pool, ReferralsQuery.parse(req.query));
    res.setHeader('cache-control', 'no-store').json(page);
  });

  return router;
}
