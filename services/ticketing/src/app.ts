import type { Express } from 'express';
import { createServiceApp } from '@beltway/kit/app';
import type { Checks } from '@beltway/kit/health';
import type { Secrets } from '@beltway/kit/secrets';
import { jobRoutes } from '@beltway/kit/service/jobs';
import { personRoutes } from '@beltway/kit/service/people';
import type { Deps } from './deps.ts';
import { attendeeRoutes } from './attendee/routes.ts';
import { customerRoutes } from './customer/routes.ts';
import { invariants } from './invariants.ts';
import { holdBatches, holdRoutes } from './checkout/hold-routes.ts';
import { paymentRoutes } from './checkout/payment-routes.ts';
import { linkRoutes } from './link/routes.ts';
import { messageRoutes } from './message/routes.ts';
import { opsRoutes } from './ops/routes.ts';
import { managedOrderRoutes } from './order/managed.ts';
import { orderRoutes } from './order/routes.ts';
import { personObstacles, personPart } from './person.ts';
import { refundRoutes } from './refund/routes.ts';
import { saleRoutes } from './sale/routes.ts';

export interface AppDeps extends Deps {
  internalToken: Secrets;
  checks?: Checks;
  /** Default: the id of this process. */
  instance?: string | undefined;
  /** Adds routes: downloads of an order, and the mailbox of embedded mode. */
  mount?: (app: Express) => void;
}

export function createApp(deps: AppDeps): Express {
  return createServiceApp({
    service: 'ticketing',
    instance: deps.instance,
    log: deps.log,
    ...(deps.checks && { checks: deps.checks }),
    beforeJson: (app, enter) => app.use(holdBatches(deps, deps.internalToken, enter)),
    routes: (app) => {
      app.use(saleRoutes(deps, deps.internalToken));
      app.use(holdRoutes(deps));
      app.use(paymentRoutes(deps));
      app.use(orderRoutes(deps));
      app.use(linkRoutes(deps));
      app.use(messageRoutes(deps));
      app.use(refundRoutes(deps));
      app.use(managedOrderRoutes(deps));
      app.use(attendeeRoutes(deps));
      app.use(customerRoutes(deps, deps.internalToken));
      app.use(opsRoutes(deps, deps.internalToken));
      app.use(
        personRoutes({
          internalToken: deps.internalToken,
          partOf: (userId) => personPart(deps.pool, userId),
          obstaclesOf: (userId) => personObstacles(deps.pool, userId, deps.clock()),
        }),
      );
      app.use(jobRoutes({ ...deps, invariants: () => invariants(deps.pool) }));
      deps.mount?.(app);
    },
  });
}
