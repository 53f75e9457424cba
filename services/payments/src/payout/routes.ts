import { Router } from 'express';
import {
  PAYOUT_REFRESH_PATH,
  PAYOUT_RETURN_PATH,
  type ConnectAccountLink,
  type Payouts,
} from '@beltway/contracts/payments/payouts';
import { requestIdOf } from '@beltway/kit/app';
import { callerOf, type Authenticator, type Caller } from '@beltway/kit/auth';
import { HttpProblem } from '@beltway/kit/problems';
import { accountOf, payoutsOf } from './queries.ts';
import { askAccount, recordAccount, type PayoutDeps } from './record.ts';

export interface PayoutRoutesDeps extends PayoutDeps {
  auth: Pick<Authenticator, 'signedIn'>;
  publicUrl: string;
  clock?: () => Date;
}

/**
 * POST /api/stripe/create-connect-account, /api/payouts/check and GET /api/payouts
 * (services/payments/PRODUCT.md#payouts).
 */
export function payoutRoutes(deps: PayoutRoutesDeps): Router {
  const { auth, publicUrl, pool, provider, clock = () => new Date() } = deps;
  const router = Router();
  const pages = {
    returnUrl: new URL(PAYOUT_RETURN_PATH, publicUrl).href,
    refreshUrl: new URL(PAYOUT_REFRESH_PATH, publicUrl).href,
  };
  const figures = ({ id, role }: Caller): Promise<Payouts> =>
    payoutsOf(pool, id, role === 'admin' ? 'platform' : 'own', clock());

  /**
   * The caller's account, created by the first call. The idempotency key contains the user id, so concurrent calls
   * create one account.
   */
  async function openAccount({ id, email }: Caller, correlationId: string): Promise<string> {
    const account = await accountOf(pool, id);
    if (account?.state === 'rejected') throw new HttpProblem(409, 'account-rejected');
    if (account) return account.accountId;
    const askedAt = clock().toISOString();
    const report = await provider.openAccount({ id, email }, `beltway-account-${id}`);
    await recordAccount(deps, id, report, { askedAt, correlationId });
    return (await accountOf(pool, id))?.accountId ?? report.accountId;
  }

  router.post('/api/stripe/create-connect-account', auth.signedIn, async (req, res) => {
    const accountId = await openAccount(callerOf(req), requestIdOf(res));
    const accountLinkUrl = await provider.accountLink(accountId, pages);
    res.set('Cache-Control', 'no-store').json({ accountLinkUrl } satisfies ConnectAccountLink);
  });

  /** The frontend calls this route after onboarding, because the provider's report may take a while. */
  router.post('/api/payouts/check', auth.signedIn, async (req, res) => {
    const caller = callerOf(req);
    const account = await accountOf(pool, caller.id);
    if (account) await askAccount(deps, account.accountId, requestIdOf(res));
    res.set('Cache-Control', 'no-store').json(await figures(caller));
  });

  router.get('/api/payouts', auth.signedIn, async (req, res) => {
    res.set('Cache-Control', 'no-store').json(await figures(callerOf(req)));
  });

  return router;
}
