import { Router, type Request } from 'express';
import {
  CustomerFilter,
  CustomerQuery,
  MAX_LISTED_CUSTOMERS,
  type CustomerList,
  type CustomerPage,
  type CustomerTotals,
} from '@beltway/contracts/ticketing/customers';
import { TicketsSoldQuery, type OrderAnalytics, type TicketsSold } from '@beltway/contracts/payments/platform';
import { callerOf } from '@beltway/kit/auth';
import { internalOnly } from '@beltway/kit/internal';
import type { Secrets } from '@beltway/kit/secrets';
import type { z } from 'zod';
import { sendCsv } from '../csv.ts';
import type { Deps } from '../deps.ts';
import { ticketsSold } from '../sale/queries.ts';
import { CUSTOMER_COLUMNS } from './columns.ts';
import { customersOf, prepareSearch, type Scope } from './queries.ts';
import { openTotals } from './totals.ts';

/** Orders per page when a CSV file is written. */
const CSV_PAGE = 500;
const secret = { 'cache-control': 'private, no-store' };
const PAGED = Object.keys(CustomerQuery.shape);

/** Organizers see the buyers of their own events; admins see all buyers. */
const scopeOf = (req: Request): Scope => {
  const { id, role } = callerOf(req);
  return { organizerId: role === 'admin' ? null : id };
};

/** The list of buyers, for organizers and admins (services/ticketing/PRODUCT.md#customers). */
export function customerRoutes(
  { pool, reportPool, auth, clock }: Pick<Deps, 'pool' | 'reportPool' | 'auth' | 'clock'>,
  internalToken: Secrets,
): Router {
  const router = Router();
  const sellers = auth.role('business', 'admin');
  const sums = openTotals(reportPool, () => clock().getTime());

  /**
   * If the request has parameters, returns a page of the list; otherwise a plain array of the newest orders. 400
   * `bad-cursor`.
   */
  router.get('/api/tickets/customers', sellers, async (req, res) => {
    const { q, ...query } = CustomerQuery.parse(req.query);
    const scope = scopeOf(req);
    res.set(secret);
    if (!PAGED.some((name) => name in req.query)) {
      const { items } = await customersOf(reportPool, scope, { status: 'all', limit: MAX_LISTED_CUSTOMERS });
      return void res.json(items satisfies z.infer<typeof CustomerList>);
    }
    const search = await prepareSearch(reportPool, scope, q);
    res.json((await customersOf(reportPool, scope, { search, ...query })) satisfies CustomerPage);
  });

  router.get('/api/tickets/customers/totals', sellers, async (req, res) => {
    res.set(secret).json((await sums.customers(scopeOf(req))) satisfies CustomerTotals);
  });

  /** All matching orders as a CSV file. */
  router.get('/api/tickets/customers.csv', sellers, async (req, res) => {
    const { q, status } = CustomerFilter.parse(req.query);
    const scope = scopeOf(req);
    const search = await prepareSearch(reportPool, scope, q);
    await sendCsv(res, {
      name: 'customers.csv',
      columns: CUSTOMER_COLUMNS,
      async read(cursor) {
        const { items, nextCursor } = await customersOf(reportPool, scope, { search, status, cursor, limit: CSV_PAGE });
        return { rows: items, next: nextCursor };
      },
    });
  });

  router.get('/api/platform/analytics/orders', sellers, async (req, res) => {
    res.set(secret).json((await sums.orders(scopeOf(req))) satisfies OrderAnalytics);
  });

  router.get('/internal/tickets-sold', internalOnly(internalToken), async (req, res) => {
    const { organizerId = null } = TicketsSoldQuery.parse(req.query);
    res.json({ tickets: await ticketsSold(pool, organizerId) } satisfies TicketsSold);
  });

  return router;
}
