import { Router, type Request } from 'express';
import {
  MoneyQuery,
  OWN_SALES_DAYS,
  TicketsSold,
  type MoneyAnalytics,
  type OwnSales,
  type PlatformRevenue,
} from '@beltway/contracts/payments/platform';
import { dayAt } from '@beltway/contracts/common/times';
import { callerOf, type Authenticator } from '@beltway/kit/auth';
import type { InternalClient } from '@beltway/kit/internal';
import type { Queryable } from '@beltway/kit/postgres';
import { moneyAnalytics, revenueOf, salesByDay, type Scope } from './queries.ts';

export interface RevenueDeps {
  pool: Queryable;
  auth: Pick<Authenticator, 'role' | 'signedIn'>;
  /** Source of the number of tickets sold. */
  ticketing: Pick<InternalClient, 'get'>;
  clock?: () => Date;
}

/** Organizers see their own events, admins see all. */
const scopeOf = (req: Request): Scope => {
  const { id, role } = callerOf(req);
  return { organizerId: role === 'admin' ? null : id };
};
const secret = { 'cache-control': 'private, no-store' };

export function revenueRoutes({ pool, auth, ticketing, clock = () => new Date() }: RevenueDeps): Router {
  const router = Router();
  const sellers = auth.role('business', 'admin');

  /** 200 PlatformRevenue; 503 while ticketing does not return the number of tickets sold. */
  router.get('/api/platform/revenue', sellers, async (req, res) => {
    const scope = scopeOf(req);
    const query = scope.organizerId === null ? '' : `?organizerId=${scope.organizerId}`;
    const [revenue, sold] = await Promise.all([
      revenueOf(pool, scope, dayAt(clock())),
      ticketing.get(`/internal/tickets-sold${query}`),
    ]);
    const { tickets } = TicketsSold.parse(sold);
    res.set(secret).json({ ...revenue, totalTicketsSold: tickets } satisfies PlatformRevenue);
  });

  /** Sales over time, the best-selling events, and income from promotions and ads. */
  router.get('/api/platform/analytics/money', sellers, async (req, res) => {
    const { days } = MoneyQuery.parse(req.query);
    const answer: MoneyAnalytics = await moneyAnalytics(pool, scopeOf(req), dayAt(clock()), days);
    res.set(secret).json(answer);
  });

  /** 200 OwnSales: for every account, even if its role has no revenue page. */
  router.get('/api/me/sales', auth.signedIn, async (req, res) => {
    const days = await salesByDay(pool, { organizerId: callerOf(req).id }, dayAt(clock()), OWN_SALES_DAYS);
    res.set(secret).json({ days } satisfies OwnSales);
  });

  return router;
}
