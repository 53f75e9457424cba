import { z } from 'zod';
import { common, ConfigError, readConfig, secretList, urlList } from '@beltway/kit/config';
import { isOnThisMachine } from '@beltway/kit/loopback';
import { mailVariables } from '@beltway/kit/mail/service';

const webhookSecret = z.string().regex(/^whsec_\w{8,}$/, 'must look like whsec_…');

/** Environment variables of payments. */
export const variables = {
  ...common,
  /** Source of the number of tickets sold. */
  TICKETING_URL: urlList,
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^(sk|rk)_(test|live)_\w+$/, 'must look like sk_test_…, sk_live_…, rk_test_… or rk_live_…'),
  STRIPE_PUBLISHABLE_KEY: z.string().regex(/^pk_(test|live)_\w+$/, 'must look like pk_test_… or pk_live_…'),
  STRIPE_WEBHOOK_SECRET: secretList(webhookSecret),
  /** Secret of the webhook endpoint for organizers' accounts, if that endpoint is separate. */
  STRIPE_CONNECT_WEBHOOK_SECRET: secretList(webhookSecret).optional(),
  /** The public URL of the site. Mails and the provider's onboarding pages link to this URL. */
  PUBLIC_URL: z.url({ protocol: /^https?$/ }),
  ...mailVariables,
  /** `off`: nothing is sent to organizers' banks; the money stays in their payout accounts. */
  PAYOUTS: z.enum(['on', 'off']).default('on'),
  /** URL of the card sandbox; if not set, Stripe is called. */
  STRIPE_API_BASE: z.url({ protocol: /^https?$/ }).optional(),
};

export function config(env?: NodeJS.ProcessEnv) {
  const settings = readConfig(variables, env);
  const isLive = (key: string) => key.includes('_live_');
  const wrong: string[] = [];
  if (isLive(settings.STRIPE_SECRET_KEY) !== isLive(settings.STRIPE_PUBLISHABLE_KEY))
    wrong.push('STRIPE_PUBLISHABLE_KEY: must be of the same kind (test or live) as STRIPE_SECRET_KEY');
  if (settings.STRIPE_API_BASE && settings.BELTWAY_MODE !== 'embedded' && !isOnThisMachine(settings.PUBLIC_URL))
    wrong.push('STRIPE_API_BASE: the card sandbox is for embedded mode, or for a PUBLIC_URL on localhost');
  if (settings.STRIPE_API_BASE && isLive(settings.STRIPE_SECRET_KEY))
    wrong.push('STRIPE_API_BASE: a live key must never be shown to the sandbox');
  if (wrong.length > 0)
    throw new ConfigError(
      `Cannot start, these environment variables are wrong or missing:\n${wrong.map((line) => `  ${line}`).join('\n')}`,
    );
  return settings;
}
