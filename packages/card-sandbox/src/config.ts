import { z } from 'zod';
import { common, ConfigError, readConfig } from '@beltway/kit/config';
import { isLoopback, isOnThisMachine } from '@beltway/kit/loopback';

/**
 * The sandbox's environment variables. The sandbox replaces Stripe only on developers' machines and therefore accepts
 * only test keys.
 */
export const variables = {
  SERVICE_PORT: common.SERVICE_PORT,
  HOST: common.HOST,
  METRICS_PORT: common.METRICS_PORT,
  LOG_LEVEL: common.LOG_LEVEL,
  DATABASE_URL: common.DATABASE_URL,
  STRIPE_SECRET_KEY: z.string().regex(/^sk_test_\w+$/, 'must be a test key, sk_test_…'),
  STRIPE_PUBLISHABLE_KEY: z.string().regex(/^pk_test_\w+$/, 'must be a test key, pk_test_…'),
  STRIPE_WEBHOOK_SECRET: z.string().regex(/^whsec_\w+$/, 'must look like whsec_…'),
  WEBHOOK_URL: z.url(),
  PUBLIC_URL: z.url().optional(),
  /** Event types that the webhook endpoint subscribes to, separated by commas; `*` means all types. */
  WEBHOOK_EVENTS: z.string().default('*'),
  /** Only in a container: the IP address and ports on which Docker publishes the gateway. */
  PUBLISH: z.string().optional(),
  /** Only in a container: the sandbox's URL for the other services. */
  SANDBOX_URL: z.url().optional(),
};

/**
 * The sandbox's configuration. The sandbox listens on the loopback interface or, in a container, on the containers'
 * network. In a container, `PUBLIC_URL` must be on localhost and Docker must publish the gateway only on this machine.
 */
export function sandboxConfig(env?: NodeJS.ProcessEnv) {
  const settings = readConfig(variables, env);
  if (isLoopback(settings.HOST)) return settings;
  const wrong: string[] = [];
  if (!isOnThisMachine(settings.PUBLIC_URL ?? ''))
    wrong.push(`PUBLIC_URL: must be on localhost, not ${settings.PUBLIC_URL ?? 'missing'}`);
  const published = /^(?<host>.+):\d+(-\d+)?$/.exec(settings.PUBLISH ?? '')?.groups?.['host'] ?? '';
  if (!isLoopback(published.replace(/^\[(.*)\]$/, '$1')))
    wrong.push(
      `PUBLISH: must be an address of this machine alone, as 127.0.0.1:3000, not ${settings.PUBLISH ?? 'missing'}`,
    );
  if (!settings.SANDBOX_URL)
    wrong.push('SANDBOX_URL: must be set, else cards go to Stripe: `npm run secrets -- --sandbox` sets it in .env');
  if (wrong.length > 0)
    throw new ConfigError(
      `Cannot start, the card sandbox is for one’s own machine only:\n${wrong.map((line) => `  ${line}`).join('\n')}`,
    );
  return settings;
}
