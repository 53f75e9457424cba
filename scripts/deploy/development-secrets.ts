import { randomBytes } from 'node:crypto';

/** The card provider's test keys, which the developer sets. */
export const STRIPE_KEYS = ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET'] as const;

const DATABASES = ['identity', 'catalog', 'ticketing', 'payments', 'realtime', 'media'];

const hex = (): string => randomBytes(32).toString('hex');

/**
 * The Secrets of `k8s/overlays/dev`, by name. All values are new and random, except the card provider's keys, which
 * come from `env`. Throws if a key of the card provider is missing or is a live key, because a trial must not charge
 * real cards.
 */
export function developmentSecrets(env: NodeJS.ProcessEnv): Record<string, Record<string, string>> {
  const stripe = Object.fromEntries(STRIPE_KEYS.map((name) => [name, env[name] ?? '']));
  const missing = STRIPE_KEYS.filter((name) => !stripe[name]);
  if (missing.length > 0) throw new Error(`Set ${missing.join(', ')}: keys of Stripe's test mode`);
  if (STRIPE_KEYS.some((name) => stripe[name]!.includes('_live_')))
    throw new Error('These are live keys of Stripe; only test keys are allowed here');

  const passwords = Object.fromEntries(DATABASES.map((name) => [name, hex()]));
  const secrets: Record<string, Record<string, string>> = {
    internal: { INTERNAL_TOKEN: hex() },
    redis: { REDIS_URL: 'redis://redis:6379' },
    smtp: { SMTP_URL: 'smtp://smtp:1025' },
    postgres: {
      POSTGRES_PASSWORD: hex(),
      ...Object.fromEntries(DATABASES.map((name) => [`${name.toUpperCase()}_DATABASE_PASSWORD`, passwords[name]!])),
    },
  };
  for (const name of DATABASES)
    secrets[name] = { DATABASE_URL: `postgres://${name}:${passwords[name]}@postgres:5432/${name}` };
  Object.assign(secrets['identity']!, { KEY_ENCRYPTION_SECRET: hex() });
  Object.assign(secrets['ticketing']!, { TICKET_SECRET: hex() });
  Object.assign(secrets['realtime']!, { VAPID_PRIVATE_KEY: hex() });
  Object.assign(secrets['payments']!, stripe);
  Object.assign(secrets['media']!, { S3_ACCESS_KEY: 'media', S3_SECRET_KEY: hex() });
  return secrets;
}
