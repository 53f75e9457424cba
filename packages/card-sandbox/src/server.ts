import type { RequestListener } from 'node:http';
import type { Pool } from 'pg';
import { createServiceApp } from '@beltway/kit/app';
import type { Logger } from '@beltway/kit/logger';
import { startPolling, type Poller } from '@beltway/kit/polling';
import { accountPageRoutes } from './account-page.ts';
import { PREFIX, stripeApi } from './api.ts';
import { challengeRoutes } from './challenge.ts';
import { devRoutes } from './dev/routes.ts';
import { ledger as openLedger } from './ledger.ts';
import { webhooks } from './webhooks.ts';

/**
 * The SDK's `Stripe.API_VERSION`, copied because importing the SDK would take 8 MB. A test compares the copy with the
 * SDK.
 */
export const API_VERSION = '2026-10-28.endive';

export interface SandboxOptions {
  pool: Pool;
  log: Logger;
  secretKey: string;
  publishableKey: string;
  webhookSecret: string;
  webhookUrl: string;
  /** Event types that the webhook endpoint subscribes to; `*` means all types. Default: all. */
  webhookEvents?: string[];
  /** The public URL of this machine. */
  publicUrl?: string | undefined;
}

/** Creates the sandbox without opening a port, for main and the tests. Its `start` begins to deliver webhooks. */
export function createSandbox({
  pool,
  log,
  secretKey,
  publishableKey,
  webhookSecret,
  webhookUrl,
  webhookEvents = ['*'],
  publicUrl,
}: SandboxOptions) {
  const wants = (type: string): boolean => webhookEvents.includes('*') || webhookEvents.includes(type);
  const ledger = openLedger({ pool, log, apiVersion: API_VERSION, wants });
  const hooks = webhooks({ pool, ledger, log, url: webhookUrl, secret: webhookSecret });
  let tidying: ReturnType<typeof tidyHourly> | undefined;
  const keys = { secret: secretKey, publishable: publishableKey };
  const api = stripeApi({ pool, ledger, log, keys, apiVersion: API_VERSION, publicUrl });
  const app = createServiceApp({
    service: 'sandbox',
    log,
    checks: { database: () => pool.query('select 1') },
    routes(pages) {
      pages.use('/dev/payments', devRoutes({ pool, ledger, hooks, webhookUrl }));
      pages.use(PREFIX, challengeRoutes({ pool, ledger }));
      pages.use(PREFIX, accountPageRoutes({ pool, ledger }));
    },
  });
  const handler: RequestListener = (req, res) => void (api(req, res) || app(req, res));
  return {
    handler,
    async start(): Promise<void> {
      await ledger.start();
      hooks.start();
      tidying = tidyHourly(pool, log);
    },
    async stop(): Promise<void> {
      await tidying?.stop();
      await hooks.stop();
    },
  };
}

const HOUR_MS = 3_600_000;

/** Deletes idempotency keys after a day and events after thirty days, as Stripe does. */
const tidyHourly = (pool: Pool, log: Logger): Poller =>
  startPolling(log, 'tidy', HOUR_MS, async () => {
    await pool.query(`delete from idempotency_keys where created < now() - interval '1 day'`);
    await pool.query(`delete from events where created < now() - interval '30 days'`);
    return false;
  });
