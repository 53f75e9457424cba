import type { Express } from 'express';
import { createServiceApp } from '@beltway/kit/app';
import type { Checks } from '@beltway/kit/health';
import { internalOnly, type InternalClient } from '@beltway/kit/internal';
import { invariants } from './invariants.ts';
import { alertRoutes } from './alert/routes.ts';
import type { PaymentDeps } from './payment/actions.ts';
import type { Authenticator } from '@beltway/kit/auth';
import type { Secrets } from '@beltway/kit/secrets';
import { jobRoutes } from '@beltway/kit/service/jobs';
import { exportPerson } from '@beltway/kit/personal-data';
import { personRoutes } from '@beltway/kit/service/people';
import { adRoutes } from './ads/routes.ts';
import { historyRoutes } from './history/routes.ts';
import { opsRoutes } from './ops/routes.ts';
import type { PayoutDeps } from './payout/record.ts';
import { payoutRoutes } from './payout/routes.ts';
import { promotionRoutes } from './promotion/routes.ts';
import { revenueRoutes } from './revenue/routes.ts';
import { paymentRoutes } from './payment/routes.ts';
import { PERSONAL, personObstacles } from './person.ts';
import { webhookRoutes } from './webhook/routes.ts';

/** Dependencies of the routes; passed in by main and the tests. */
export interface AppDeps extends PaymentDeps {
  internalToken: Secrets;
  payoutAccounts: PayoutDeps['payoutAccounts'];
  /** Base URL of the public site. */
  publicUrl: string;
  auth: Pick<Authenticator, 'signedIn' | 'optional' | 'role'>;
  /** Source of the number of tickets sold. */
  ticketing: Pick<InternalClient, 'get'>;
  clock?: () => Date;
  publishableKey: string;
  sandbox: boolean;
  checks?: Checks;
  /** Additional routes. */
  mount?: (app: Express) => void;
}

export const createApp = (deps: AppDeps): Express =>
  createServiceApp({
    service: 'payments',
    log: deps.log,
    ...(deps.checks && { checks: deps.checks }),
    beforeJson: (app, enter) => app.use(webhookRoutes(deps, enter)),
    routes: (app) => {
      deps.mount?.(app);
      app.use('/internal', internalOnly(deps.internalToken));
      app.use(
        personRoutes({
          internalToken: deps.internalToken,
          partOf: (userId) => exportPerson(deps.pool, PERSONAL, userId),
          obstaclesOf: (userId) => personObstacles(deps.pool, userId),
        }),
      );
      app.use(paymentRoutes(deps));
      app.use(historyRoutes(deps));
      app.use(alertRoutes(deps));
      app.use(promotionRoutes(deps));
      app.use(adRoutes(deps));
      app.use(payoutRoutes(deps));
      app.use(revenueRoutes(deps));
      app.use(opsRoutes(deps));
      app.get('/internal/config', (_req, res) => {
        res.json({ publishableKey: deps.publishableKey, sandbox: deps.sandbox });
      });
      app.use(jobRoutes({ ...deps, invariants: () => invariants(deps) }));
    },
  });
