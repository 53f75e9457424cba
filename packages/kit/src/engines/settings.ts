import { z } from 'zod';

/**
 * A PostgreSQL URL. Other values of sslmode are rejected, because `pg` does not implement them as libpq defines them.
 */
const databaseUrl = z
  .url({ protocol: /^postgres(ql)?$/, error: 'must be postgres://…' })
  .superRefine((text, context) => {
    const query = new URL(text).searchParams;
    const mode = query.get('sslmode') ?? 'disable';
    const say = (message: string) => context.addIssue({ code: 'custom', message });
    // If the URL has several `sslmode` parameters, `pg` uses the last parameter.
    if (query.getAll('sslmode').length > 1) say('it names sslmode twice');
    else if (!['disable', 'verify-full'].includes(mode)) say('its sslmode must be verify-full, or disable');
    else if (query.has('sslrootcert') && mode !== 'verify-full') say('its sslrootcert needs sslmode=verify-full');
  });

/** The engine variables of every service. */
export const engineVariables = {
  /**
   * TLS requires `?sslmode=verify-full`, and `&sslrootcert=` with the authority's file (PEM) if Node does not include
   * the authority.
   */
  DATABASE_URL: databaseUrl,
  BUS_DATABASE_URL: databaseUrl.optional(),
  KAFKA_BROKERS: z
    .string()
    .regex(/^[^\s,:]+:\d+(\s*,\s*[^\s,:]+:\d+)*$/, 'must be host:port, separated by commas')
    .optional(),
  /** Replication factor of topics in the cluster. Default 1. */
  KAFKA_REPLICATION: z.coerce.number().int().min(1).max(7).optional(),
  /**
   * How long topics keep messages, in days; 0: permanently. It must be at least a week, which is how long Kafka keeps
   * the position of a group without members. Default 90.
   */
  KAFKA_RETENTION_DAYS: z.coerce
    .number()
    .int()
    .max(3_650)
    .refine((days) => days === 0 || days >= 7, 'must be 0, or at least 7')
    .optional(),
  /** Prefix of topics and groups, for a shared cluster. */
  KAFKA_PREFIX: z
    .string()
    .regex(/^[\w.-]{0,50}$/, 'must be letters, digits, dots, dashes')
    .optional(),
  /** `on`: TLS, with the certificate's name and authority verified. */
  KAFKA_TLS: z.enum(['on', 'off']).optional(),
  /** The authority (PEM) of the brokers' certificates, if Node does not include it. */
  KAFKA_CA_FILE: z.string().optional(),
  /** The mechanism with which KAFKA_USERNAME signs in with KAFKA_PASSWORD. Not set: no sign-in. */
  KAFKA_SASL: z.enum(['plain', 'scram-sha-256', 'scram-sha-512']).optional(),
  KAFKA_USERNAME: z.string().optional(),
  KAFKA_PASSWORD: z.string().optional(),
  /** `redis://user:password@host:port`; `rediss:` for TLS. */
  REDIS_URL: z.url({ protocol: /^rediss?$/, error: 'must be redis://… or rediss://…' }).optional(),
  /** The authority (PEM) of Redis's certificate, if Node does not include it. */
  REDIS_CA_FILE: z.string().optional(),
};

/** Object storage of a service: a folder or a bucket. */
export const objectsVariables = {
  /** Files are stored under `objects` in this folder unless S3_URL is set. */
  DATA_DIR: z.string().optional(),
  /** The URL of an S3 server, `https://s3.us-east-1.amazonaws.com`. */
  S3_URL: z.url({ protocol: /^https?$/ }).optional(),
  S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket')
    .optional(),
  S3_REGION: z
    .string()
    .regex(/^[a-z0-9-]{1,40}$/, 'must be the name of a region')
    .default('us-east-1'),
  S3_ACCESS_KEY: z.string().optional(),
  S3_SECRET_KEY: z.string().optional(),
  /** The authority (PEM) of the server's certificate, if Node does not include it. */
  S3_CA_FILE: z.string().optional(),
};

type Settings = Partial<Record<keyof typeof engineVariables | keyof typeof objectsVariables, unknown>>;

/** Finds conflicting engine settings, each as `VARIABLE: reason`. Ignores variables that the service does not read. */
export function engineFaults(settings: Settings, read: (variable: string) => boolean): string[] {
  const faults: string[] = [];
  const check = (variable: keyof Settings, isWrong: boolean, why: string) => {
    if (isWrong && read(variable)) faults.push(`${variable}: ${why}`);
  };
  const { KAFKA_SASL: sasl, KAFKA_TLS: tls, REDIS_URL: redis, S3_URL: s3 } = settings;
  const is = (variable: keyof Settings) => settings[variable] !== undefined;

  check('KAFKA_CA_FILE', is('KAFKA_CA_FILE') && tls !== 'on', 'needs KAFKA_TLS=on');
  check('KAFKA_SASL', sasl === 'plain' && tls !== 'on', 'plain shows the password to the network without KAFKA_TLS=on');
  for (const variable of ['KAFKA_USERNAME', 'KAFKA_PASSWORD'] as const) {
    check(variable, Boolean(sasl) && !is(variable), 'is missing, KAFKA_SASL needs it');
    check('KAFKA_SASL', !sasl && is(variable), `must say how ${variable} is used`);
  }
  check(
    'REDIS_CA_FILE',
    is('REDIS_CA_FILE') && is('REDIS_URL') && !String(redis).startsWith('rediss:'),
    'needs a REDIS_URL of rediss://…',
  );
  for (const variable of ['S3_BUCKET', 'S3_ACCESS_KEY', 'S3_SECRET_KEY'] as const) {
    check(variable, Boolean(s3) && !is(variable), 'is missing, S3_URL needs it');
    check('S3_URL', !s3 && is(variable), `is missing, ${variable} needs it`);
  }
  check('S3_CA_FILE', is('S3_CA_FILE') && !String(s3).startsWith('https:'), 'needs an S3_URL of https://…');
  check('S3_URL', !s3 && !is('DATA_DIR'), 'is missing; or set DATA_DIR, to keep files in a folder');
  return [...new Set(faults)];
}
