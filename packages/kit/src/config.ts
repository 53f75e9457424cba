import { z } from 'zod';
import { engineFaults, engineVariables } from './engines/settings.ts';
import { isLoopback, isOnThisMachine } from './http/callers/loopback.ts';

/**
 * Base URLs of a service, separated by commas: an address for each instance, or names that DNS answers with their addresses
 * (`http/instances`). Gives them as a list.
 */
export const urlList = z
  .string()
  .transform((text) => text.split(',').map((one) => one.trim()))
  .pipe(z.array(z.url({ protocol: /^https?$/, error: 'must be http(s) URLs, separated by commas' })));

/** Each one is tried where a secret is checked. */
const MAX_SECRETS = 4;

/**
 * A secret, or several separated by commas while it is rotated: the first makes, all are accepted
 * (docs/operations/rotation.md).
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

/** What every service reads. Secrets have no default here: the launcher makes them in embedded mode, people set them otherwise. */
export const common = {
  SERVICE_PORT: z.coerce.number().int().min(0).max(65_535),
  HOST: z.string().default('127.0.0.1'),
  /** Where `/metrics` is answered, on HOST; not set: nowhere. */
  METRICS_PORT: z.coerce.number().int().min(1).max(65_535).optional(),
  BELTWAY_MODE: z.enum(['embedded', 'engines']).default('engines'),
  BELTWAY_DEMO: z.enum(['0', '1']).default('0'),
  /** `off` lifts the limits of accounts, addresses and networks, in embedded mode only. For measuring. */
  BELTWAY_RATE_LIMITS: z.enum(['on', 'off']).default('on'),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
  /** Where the security log has its files; not set: standard output. */
  SECURITY_LOG_DIR: z.string().optional(),
  SECURITY_LOG_DAYS: z.coerce.number().int().min(1).max(3_650).default(90),
  ...engineVariables,
  INTERNAL_TOKEN: secretList(),
  IDENTITY_URL: urlList,
  /** `off`: commands of a sale go to any instance. For measuring only. */
  BELTWAY_SALE_ROUTING: z.enum(['on', 'off']).default('on'),
  /** What was built, for people; the image has both. */
  BUILD_VERSION: z.string().max(100).optional(),
  BUILD_COMMIT: z.string().max(100).optional(),
  /** Where a collector takes traces (OTLP by HTTP, without `/v1/traces`). Not set: nothing is recorded. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  /** What the collector wants of its senders, often a secret: `name=value`, separated by commas, encoded as in a URL. */
  OTEL_EXPORTER_OTLP_HEADERS: z.string().refine(areHeaders, 'must be name=value, separated by commas').optional(),
  /** Of all traces the share that is recorded. Default 0.05. */
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).optional(),
  /** How long a stopping instance says that it is not ready, and still answers. */
  LAME_DUCK_MS: z.coerce.number().int().min(0).max(30_000).default(0),
};

/** A copy that faces the network is always limited; only one on its own machine may go without. */
export const limitsOn = ({
  BELTWAY_MODE: mode,
  BELTWAY_RATE_LIMITS: limits,
}: {
  BELTWAY_MODE: string;
  BELTWAY_RATE_LIMITS: string;
}): boolean => mode !== 'embedded' || limits !== 'off';

/** Variables that are set but empty count as not set. */
const present = (env: NodeJS.ProcessEnv) => Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));

/** Reads the environment by a schema, once. Throws with every wrong variable named; values are never printed. */
export function readConfig<Shape extends z.ZodRawShape>(shape: Shape, env: NodeJS.ProcessEnv = process.env) {
  const result = z.object(shape).safeParse(present(env));
  if (!result.success)
    throw wrongVariables(result.error.issues.map((issue) => `${issue.path.join('.') || '(all)'}: ${issue.message}`));
  const faults = engineFaults(result.data as object, (variable) => Object.hasOwn(shape, variable));
  if (faults.length > 0) throw wrongVariables(faults);
  assertHttps(result.data);
  return assertOnThisMachine(result.data);
}

/** Without https, passwords and sessions cross the network readable, and cookies are not `Secure` (OWASP ASVS 5.0, 12.2.1). */
function assertHttps({ PUBLIC_URL: url }: { PUBLIC_URL?: unknown }): void {
  if (typeof url === 'string' && !url.startsWith('https:') && !isOnThisMachine(url))
    throw wrongVariables(['PUBLIC_URL: must begin with https:// unless it names this machine']);
}

/** Embedded mode has accounts with a known password, other people's mail and a card provider that anybody can steer. */
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

/** `VARIABLE: why`, one for each. */
export const wrongVariables = (faults: string[]): ConfigError =>
  new ConfigError(
    `Cannot start, these environment variables are wrong or missing:\n${faults.map((fault) => `  ${fault}`).join('\n')}`,
  );
