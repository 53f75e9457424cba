import { z } from 'zod';
import { engineFaults, engineVariables } from './engines/settings.ts';
import { isLoopback, isOnThisMachine } from './http/callers/loopback.ts';

/**
 * Base URLs of a service, separated by commas. The list has one URL for each instance, or URLs with a name whose DNS
 * records list the instances (`http/instances`). Parsed into a list.
 */
export const urlList = z
  .string()
  .transform((text) => text.split(',').map((one) => one.trim()))
  .pipe(z.array(z.url({ protocol: /^https?$/, error: 'must be http(s) URLs, separated by commas' })));

/** Maximum number of secrets in a list, because verification tries each of them. */
const MAX_SECRETS = 4;

/**
 * A secret, or several secrets separated by commas during rotation. The first secret signs; all secrets are accepted
 * for verification (docs/operations/rotation.md).
 */
export const secretList = (secret: z.ZodString = z.string().min(32)) =>
  z
    .string()
    .transform((text) => text.split(',').map((one) => one.trim()))
    .pipe(
      z
        .tuple([secret], secret)
        .refine((all) => all.length <= MAX_SECRETS, `must be at most ${MAX_SECRETS} secrets`)
        .refine((all) => new Set(all).size === all.length, 'must not name a secret twice'),
    );

function areHeaders(text: string): boolean {
  try {
    return /^[\w-]+=[^,\s]*(,[\w-]+=[^,\s]*)*$/.test(decodeURIComponent(text) && text);
  } catch {
    return false;
  }
}

/**
 * Environment variables of every service. Secrets have no default: in embedded mode the launcher generates them,
 * otherwise operators set them.
 */
export const common = {
  SERVICE_PORT: z.coerce.number().int().min(0).max(65_535),
  HOST: z.string().default('127.0.0.1'),
  /** The port of `/metrics` on HOST. Not set: no metrics. */
  METRICS_PORT: z.coerce.number().int().min(1).max(65_535).optional(),
  BELTWAY_MODE: z.enum(['embedded', 'engines']).default('engines'),
  BELTWAY_DEMO: z.enum(['0', '1']).default('0'),
  /**
   * `off` disables the rate limits of accounts, IP addresses and networks. Allowed only in embedded mode, for
   * measurements.
   */
  BELTWAY_RATE_LIMITS: z.enum(['on', 'off']).default('on'),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
  /** Folder of the security log's files. Not set: standard output. */
  SECURITY_LOG_DIR: z.string().optional(),
  SECURITY_LOG_DAYS: z.coerce.number().int().min(1).max(3_650).default(90),
  ...engineVariables,
  /**
   * `on`: the service migrates its database when it starts. Otherwise the command `migrate` of the service's image must
   * run first.
   */
  MIGRATE_AT_START: z.enum(['on', 'off']).default('off'),
  INTERNAL_TOKEN: secretList(),
  IDENTITY_URL: urlList,
  /**
   * The certificate for the service's name, and its key (PEM). Both variables together enable TLS on SERVICE_PORT and
   * METRICS_PORT.
   */
  SERVICE_CERT_FILE: z.string().optional(),
  SERVICE_KEY_FILE: z.string().optional(),
  /**
   * The certificate authority (PEM) that signed the certificates of all services. If it is set, the URLs of all
   * services must begin with https.
   */
  SERVICE_CA_FILE: z.string().optional(),
  /** `off`: commands of a sale go to any instance. Only for measurements. */
  BELTWAY_SALE_ROUTING: z.enum(['on', 'off']).default('on'),
  /** The build's version and commit, which operators see. The image sets them. */
  BUILD_VERSION: z.string().max(100).optional(),
  BUILD_COMMIT: z.string().max(100).optional(),
  /** The URL of the trace collector (OTLP/HTTP, without `/v1/traces`). Not set: no traces are recorded. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  /** Headers that the collector requires, often secret: `name=value`, separated by commas, URL-encoded. */
  OTEL_EXPORTER_OTLP_HEADERS: z.string().refine(areHeaders, 'must be name=value, separated by commas').optional(),
  /** The fraction of traces that are recorded. Default 0.05. */
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).optional(),
  /** How long a stopping instance still serves requests while it reports that it is not ready, in ms. */
  LAME_DUCK_MS: z.coerce.number().int().min(0).max(30_000).default(0),
};

/** Whether rate limits apply. Only embedded mode may disable them. */
export const limitsOn = ({
  BELTWAY_MODE: mode,
  BELTWAY_RATE_LIMITS: limits,
}: {
  BELTWAY_MODE: string;
  BELTWAY_RATE_LIMITS: string;
}): boolean => mode !== 'embedded' || limits !== 'off';

/** Empty variables count as not set. */
const present = (env: NodeJS.ProcessEnv) => Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));

/**
 * Parses environment variables with a schema. Throws one error that names all wrong variables, but never their values.
 */
export function readConfig<Shape extends z.ZodRawShape>(shape: Shape, env: NodeJS.ProcessEnv = process.env) {
  const result = z.object(shape).safeParse(present(env));
  if (!result.success)
    throw wrongVariables(result.error.issues.map((issue) => `${issue.path.join('.') || '(all)'}: ${issue.message}`));
  const settings = result.data as Record<string, unknown>;
  const faults = [...engineFaults(settings, (variable) => Object.hasOwn(shape, variable)), ...tlsFaults(settings)];
  if (faults.length > 0) throw wrongVariables(faults);
  assertHttps(result.data);
  return assertOnThisMachine(result.data);
}

const SERVICE_URLS = ['IDENTITY', 'CATALOG', 'TICKETING', 'PAYMENTS', 'MEDIA', 'REALTIME', 'LIVE'].map(
  (service) => `${service}_URL`,
);

/**
 * If services have TLS, every service URL must use TLS. Calls to a forgotten URL would silently not use TLS (OWASP ASVS
 * 5.0, 12.3.3).
 */
function tlsFaults(settings: Record<string, unknown>): string[] {
  const { SERVICE_CERT_FILE: cert, SERVICE_KEY_FILE: key, SERVICE_CA_FILE: ca } = settings;
  const is = (value: unknown) => value !== undefined;
  const plain = SERVICE_URLS.filter((name) =>
    [settings[name] ?? []].flat().some((url) => !String(url).startsWith('https:')),
  );
  return [
    ...(is(cert) && !is(key) ? ['SERVICE_KEY_FILE: is missing, SERVICE_CERT_FILE needs it'] : []),
    ...(is(key) && !is(cert) ? ['SERVICE_CERT_FILE: is missing, SERVICE_KEY_FILE needs it'] : []),
    ...(is(cert) && !is(ca) ? ['SERVICE_CA_FILE: is missing, SERVICE_CERT_FILE needs it'] : []),
    ...(is(ca) ? plain.map((name) => `${name}: must begin with https://, because SERVICE_CA_FILE is set`) : []),
  ];
}

/**
 * Requires https, because without it passwords and sessions can be read on the network, and cookies are not `Secure`
 * (OWASP ASVS 5.0, 12.2.1).
 */
function assertHttps({ PUBLIC_URL: url }: { PUBLIC_URL?: unknown }): void {
  if (typeof url === 'string' && !url.startsWith('https:') && !isOnThisMachine(url))
    throw wrongVariables(['PUBLIC_URL: must begin with https:// unless it names this machine']);
}

/**
 * Embedded mode must not be reachable from other machines: it has accounts with a known password, shows everyone's
 * mail, and has a card provider without authentication.
 */
function assertOnThisMachine<T extends object>(settings: T): T {
  const { BELTWAY_MODE: mode, HOST: host } = settings as { BELTWAY_MODE?: unknown; HOST?: unknown };
  if (mode === 'embedded' && typeof host === 'string' && !isLoopback(host))
    throw new ConfigError(
      `Cannot start: in embedded mode HOST must be an address of this machine alone (127.0.0.1, ::1 or localhost), not ${host}.`,
    );
  return settings;
}

export class ConfigError extends Error {
  override name = 'ConfigError';
}

/** The error for a list of `VARIABLE: reason`. */
export const wrongVariables = (faults: string[]): ConfigError =>
  new ConfigError(
    `Cannot start, these environment variables are wrong or missing:\n${faults.map((fault) => `  ${fault}`).join('\n')}`,
  );
