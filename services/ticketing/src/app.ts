import type { Express } from 'express';
import { ChargedPricesBody } from '@beltway/contracts/ops';
import { createServiceApp } from '@beltway/kit/app';
import type { Checks } from '@beltway/kit/health';
import { internalOnly } from '@beltway/kit/internal';
import type { Deps } from './deps.ts';
import { attendeeRoutes } from './attendee/routes.ts';
import { chargedPrices, invariants } from './invariants.ts';
import { holdLane } from './order/hold-lane.ts';
import { orderRoutes } from './order/routes.ts';
import { supportRoutes } from './order/support.ts';
import { saleRoutes } from './sale/routes.ts';
import { ticketRoutes } from './ticket/routes.ts';

export interface AppDeps extends Deps {
  internalToken: string;
  checks?: Checks;
  /** Further routes: downloads of an order, the mailbox of embedded mode. */
  mount?: (app: Express) => void;
}

export function createApp(deps: AppDeps): Express {
  return createServiceApp({
    log: deps.log,
    ...(deps.checks && { checks: deps.checks }),
    beforeJson: (app, enter) => app.use(holdLane(deps, deps.internalToken, enter)),
    routes: (app) => {
      app.use(saleRoutes(deps));
      app.use(orderRoutes(deps));
      app.use(ticketRoutes(deps));
      app.use(attendeeRoutes(deps));
      app.use(supportRoutes(deps));
      app.get('/internal/invariants', internalOnly(deps.internalToken), async (_req, res) => {
        res.json({ checks: await invariants(deps.pool) });
      });
      app.post('/internal/prices', internalOnly(deps.internalToken), async (req, res) => {
        res.json(await chargedPrices(deps.pool, ChargedPricesBody.parse(req.body).eventIds));
      });
      deps.mount?.(app);
    },
  });
}
