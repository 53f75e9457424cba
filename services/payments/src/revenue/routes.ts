import { Router, type Request } from 'express';
import {
  MoneyQuery,
  TicketsSold,
  type MoneyAnalytics,
  type PlatformRevenue,
} from '@beltway/contracts/payments/platform';
import { dayAt } from '@beltway/contracts/common/times';
import { callerOf, type Authenticator } from '@beltway/kit/auth';
import type { InternalClient } from '@beltway/kit/internal';
import type { Queryable } from '@beltway/kit/postgres';
import { moneyAnalytics, revenueOf, type Scope } from './queries.ts';

export interface RevenueDeps {
  pool: Queryable;
  auth: Pick<Authenticator, 'role'>;
  /** Knows how many tickets were sold. */
  ticketing: Pick<InternalClient, 'get'>;
  clock?: () => Date;
}

/** Organizers see their own events, admins all. */
const scopeOf = (req: Request): Scope => {
  const { id, role } = callerOf(req);
  return { organizerId: role === 'admin' ? null : id };
};
const secret = { 'cache-control': 'private, no-store' };

export function revenueRoutes({ pool, auth, ticketing, clock = () => new Date() }: RevenueDeps): Router {
  const router = Router();
  const sellers = auth.role('business', 'admin');

  /** 200 PlatformRevenue; 503 while ticketing does not say how many tickets were sold. */
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

  /** Sales over time, the events that sold most, and what promotions and ads brought. */
  router.get('/api/platform/analytics/money', sellers, async (req, res) => {
    const { days } = MoneyQuery.parse(req.query);
    const answer: MoneyAnalytics = await moneyAnalytics(pool, scopeOf(req), dayAt(clock()), days);
    res.set(secret).json(answer);
  });

  return router;
}
