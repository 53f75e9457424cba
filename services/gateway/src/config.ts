import { z } from 'zod';
import { common, ConfigError, readConfig, urlList, wrongVariables } from '@beltway/kit/config';
import { isOnThisMachine } from '@beltway/kit/loopback';

const { DATABASE_URL: _none, MIGRATE_AT_START: _never, SERVICE_PORT, ...shared } = common;

/** Environment variables of the gateway. */
export const variables = {
  ...shared,
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  /** `on`: PORT serves TLS with SERVICE_CERT_FILE, for a proxy on another machine. */
  PORT_TLS: z.enum(['on', 'off']).default('off'),
  /** `1`: other instances also listen on PORT. */
  SHARE_PORT: z.enum(['0', '1']).default('0'),
  /** Port for local readiness checks of this instance. */
  SERVICE_PORT: SERVICE_PORT.optional(),
  PUBLIC_URL: z.url(),
  CATALOG_URL: urlList,
  TICKETING_URL: urlList,
  PAYMENTS_URL: urlList,
  MEDIA_URL: urlList,
  REALTIME_URL: urlList,
  /** The instance of media that ingests live streams and stores their segments. If not set, any instance does. */
  LIVE_URL: z.url().optional(),
  /** The card sandbox. Allowed only in embedded mode or with a PUBLIC_URL on localhost. */
  SANDBOX_URL: z.url().optional(),
  /** `none`: another server serves the page (`npm run dev`). */
  FRONTEND_DIR: z
    .string()
    .default('frontend/dist')
    .transform((folder) => (folder === 'none' ? undefined : folder)),
  /**
   * Maximum concurrent requests of one IP address, which a whole campus may share. BELTWAY_RATE_LIMITS can remove the
   * limit.
   */
  MAX_REQUESTS_PER_ADDRESS: z.coerce.number().int().min(1).default(250),
  MAX_CONNECTIONS_PER_ADDRESS: z.coerce.number().int().min(1).default(1_000),
  /** Number of our own proxies in front of the gateway whose X-Forwarded-For is trusted. */
  TRUSTED_HOPS: z.coerce.number().int().min(0).max(5).default(0),
  GOOGLE_MAPS_KEY: z.string().optional(),
  /** Email address of support, shown to visitors. */
  SUPPORT_EMAIL: z.email().optional(),
  /** The ticket marketplace that the discount banner links to. Without it, the banner shows a text of our own. */
  TICKET_DISCOUNT_URL: z.url({ protocol: /^https$/ }).optional(),
};

export function config(env?: NodeJS.ProcessEnv) {
  const settings = readConfig(variables, env);
  if (settings.SANDBOX_URL && settings.BELTWAY_MODE !== 'embedded' && !isOnThisMachine(settings.PUBLIC_URL))
    throw new ConfigError(
      'Cannot start: SANDBOX_URL: the card sandbox is for embedded mode, or for a PUBLIC_URL on localhost. Leave it out: cards go to Stripe.',
    );
  if (settings.PORT_TLS === 'on' && settings.SERVICE_CERT_FILE === undefined)
    throw wrongVariables(['SERVICE_CERT_FILE: is missing, PORT_TLS needs it']);
  return settings;
}
export type Config = ReturnType<typeof config>;
