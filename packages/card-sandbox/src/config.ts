import { z } from 'zod';
import { common, readConfig } from '@beltway/kit/config';
import { isLoopback } from '@beltway/kit/loopback';

/** The sandbox's environment. It speaks for Stripe on this machine only, so it takes test keys and nothing else. */
export const sandboxConfig = (env: NodeJS.ProcessEnv = process.env) =>
  readConfig(
    {
      SANDBOX_PORT: z.coerce.number().int().min(0).max(65_535),
      HOST: common.HOST.refine(isLoopback, 'must be an address of this machine alone'),
      METRICS_PORT: common.METRICS_PORT,
      LOG_LEVEL: common.LOG_LEVEL,
      DATABASE_URL: common.DATABASE_URL,
      STRIPE_SECRET_KEY: z.string().regex(/^sk_test_\w+$/, 'must be a test key, sk_test_…'),
      STRIPE_PUBLISHABLE_KEY: z.string().regex(/^pk_test_\w+$/, 'must be a test key, pk_test_…'),
      STRIPE_WEBHOOK_SECRET: z.string().regex(/^whsec_\w+$/, 'must look like whsec_…'),
      WEBHOOK_URL: z.url(),
      PUBLIC_URL: z.url().optional(),
      /** Which event types the webhook endpoint asked for, with commas; `*` is all. */
      WEBHOOK_EVENTS: z.string().default('*'),
    },
    env,
  );
