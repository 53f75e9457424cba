import { z } from 'zod';
import { common, ConfigError, readConfig, urlList } from '@beltway/kit/config';
import { isOnThisMachine } from '@beltway/kit/loopback';

const { DATABASE_URL: _none, SERVICE_PORT, ...shared } = common;

/** What the gateway reads from its environment. */
export const variables = {
  ...shared,
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  /** `1`: other instances listen on PORT too. */
  SHARE_PORT: z.enum(['0', '1']).default('0'),
  /** On this machine only: whether this instance is ready. */
  SERVICE_PORT: SERVICE_PORT.optional(),
  PUBLIC_URL: z.url(),
  CATALOG_URL: urlList,
  TICKETING_URL: urlList,
  PAYMENTS_URL: urlList,
  MEDIA_URL: urlList,
  REALTIME_URL: urlList,
  /** The instance of media that takes signals of live streams in and has their segments; not set: any has. */
  LIVE_URL: z.url().optional(),
  /** The card sandbox, in embedded mode or with a PUBLIC_URL on localhost only. */
  SANDBOX_URL: z.url().optional(),
  /** `none`: another server has the page (`npm run dev`). */
  FRONTEND_DIR: z
    .string()
    .default('frontend/dist')
    .transform((folder) => (folder === 'none' ? undefined : folder)),
  /** At a time, of one address, which a campus may share. Lifted with BELTWAY_RATE_LIMITS. */
  MAX_REQUESTS_PER_ADDRESS: z.coerce.number().int().min(1).default(250),
  MAX_CONNECTIONS_PER_ADDRESS: z.coerce.number().int().min(1).default(1_000),
  /** Proxies of ours in front of the gateway whose X-Forwarded-For is believed. */
  TRUSTED_HOPS: z.coerce.number().int().min(0).max(5).default(0),
  GOOGLE_MAPS_KEY: z.string().optional(),
  /** Whom visitors can ask; stands on the page. */
  SUPPORT_EMAIL: z.email().optional(),
  /** The ticket marketplace of the discount banner; without it a word of our own stands there. */
  TICKET_DISCOUNT_URL: z.url({ protocol: /^https$/ }).optional(),
};

export function config(env?: NodeJS.ProcessEnv) {
  const settings = readConfig(variables, env);
  if (settings.SANDBOX_URL && settings.BELTWAY_MODE !== 'embedded' && !isOnThisMachine(settings.PUBLIC_URL))
    throw new ConfigError(
      'Cannot start: SANDBOX_URL: the card sandbox is for embedded mode, or for a PUBLIC_URL on localhost. Leave it out: cards go to Stripe.',
    );
  return settings;
}
export type Config = ReturnType<typeof config>;
