import type { Express } from 'express';
import type { Pool } from 'pg';
import { createServiceApp } from '@beltway/kit/app';
import type { Authenticator } from '@beltway/kit/auth';
import type { Checks } from '@beltway/kit/health';
import { internalOnly } from '@beltway/kit/internal';
import type { Logger } from '@beltway/kit/logger';
import { invariants } from './invariants.ts';
import { orderRoutes } from './order/routes.ts';
import type { Payments } from './order/payments.ts';
import { saleRoutes } from './sale/routes.ts';
import type { Sales } from './sale/sales.ts';
import { ticketRoutes } from './ticket/routes.ts';
import type { TicketSigner } from './ticket/signing.ts';

/** What the routes work with; main and the tests pass it in. */
export interface Deps {
  log: Logger;
  pool: Pool;
  sales: Sales;
  auth: Authenticator;
  payments: Payments;
  signer: TicketSigner;
  ticketSecret: string;
  publicUrl: string;
  clock: () => Date;
}

export interface AppDeps extends Deps {
  internalToken: string;
  checks?: Checks;
  /** Further routes: downloads of an order, the mailbox of embedded mode. */
  mount?: (app: Express) => void;
}

export const createApp = (deps: AppDeps): Express =>
  createServiceApp({
    log: deps.log,
    ...(deps.checks && { checks: deps.checks }),
    routes: (app) => {
      app.use(saleRoutes(deps));
      app.use(orderRoutes(deps));
      app.use(ticketRoutes(deps));
      app.get('/internal/invariants', internalOnly(deps.internalToken), async (_req, res) => {
        res.json({ checks: await invariants(deps.pool) });
      });
      deps.mount?.(app);
    },
  });
