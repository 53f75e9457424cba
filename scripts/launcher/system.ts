import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from './engines/databases.ts';
import { buildFrontend, frontendDir } from './frontend.ts';
import { kitMigrations, sandboxMigrations, serviceMigrations } from './migrations.ts';
import type { Secrets } from './secrets.ts';
import { root, type Settings } from './settings.ts';

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };

/** The commit that is checked out; undefined without Git or a repository. */
function commit(): string | undefined {
  try {
    const git = ['rev-parse', '--short=12', 'HEAD'];
    return execFileSync('git', git, { cwd: root, encoding: 'utf8', timeout: 2_000, stdio: 'pipe' }).trim();
  } catch {
    return undefined;
  }
}

const found = process.env['BUILD_COMMIT'] || commit();

/** Build information for every service. */
const build: Record<string, string> = {
  BUILD_VERSION: process.env['BUILD_VERSION'] || version,
  ...(found !== undefined && { BUILD_COMMIT: found }),
};

/** Inputs for the environment of a service. */
export interface Surroundings {
  settings: Settings;
  secrets: Secrets;
  /** Ports of the instances of each service, by its name. */
  ports: Record<string, number[]>;
  /** Port of the public door; its instances share this port, and each has its own port for health checks. */
  doorPort: number;
  /** The URL of a database, by the database's name. */
  databaseUrl: (name: string) => string;
  /** The brokers of Apache Kafka. If undefined, the bus is a database. */
  kafkaBrokers: string | undefined;
  redisUrl: string | undefined;
}

export interface ServiceSpec {
  name: string;
  entry: string;
  /** Databases that must be migrated before the service starts. */
  databases: string[];
  /** At most one instance. */
  single?: true;
  ready: (url: string) => string;
  /** Environment of the instance with this number, from 0. */
  env: (around: Surroundings, index: number) => Record<string, string>;
}

export interface System {
  databases: Database[];
  /** The database that is the bus. It is not created if Kafka is used. */
  bus?: string;
  /**
   * The services in the order of their start. The last service is the public door: its readiness is checked last, and
   * it stops first.
   */
  services: ServiceSpec[];
  /** Builds the page that the door serves. */
  page?: (say: (text: string) => void) => Promise<void>;
  /** The file with the demo data for a new folder. */
  seed?: string;
}

const at = (port: number | undefined) => `http://127.0.0.1:${port}`;

/** The URLs of all instances of a service, separated by commas. */
const allOf = (name: string, { ports }: Surroundings) => (ports[name] ?? []).map(at).join(',');

const several = (name: string, { ports }: Surroundings) => (ports[name]?.length ?? 0) > 1;

/**
 * Event types for a webhook endpoint at the card provider. Charge events of an intent would only repeat the same facts.
 */
const WEBHOOK_EVENTS = [
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  'payment_intent.processing',
  'payment_intent.canceled',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.closed',
  'charge.dispute.funds_reinstated',
  'account.updated',
  'payout.paid',
  'payout.failed',
];

/** How long a stopping instance keeps serving, so that load balancers notice that the instance is no longer ready. */
const LAME_DUCK_MS = 1_000;

/** Variables that every service reads (docs/configuration.md). */
function common(name: string, around: Surroundings, index: number): Record<string, string> {
  const { settings, secrets, ports, databaseUrl, kafkaBrokers, redisUrl } = around;
  const own = ports[name]!;
  return {
    // Always uses this machine's mailbox and card sandbox, even if servers are external.
    BELTWAY_MODE: 'embedded',
    BELTWAY_DEMO: settings.demo ? '1' : '0',
    BELTWAY_RATE_LIMITS: settings.rateLimits ? 'on' : 'off',
    HOST: '127.0.0.1',
    SERVICE_PORT: String(own[index]),
    ...(several(name, around) && { LAME_DUCK_MS: String(LAME_DUCK_MS) }),
    ...build,
    DATA_DIR: settings.dataDir,
    SECURITY_LOG_DIR: join(settings.dataDir, 'security'),
    SUPPORT_EMAIL: process.env['SUPPORT_EMAIL'] || 'support@beltway.test',
    PUBLIC_URL: process.env['PUBLIC_URL'] || `http://localhost:${settings.port}`,
    ...(kafkaBrokers ? { KAFKA_BROKERS: kafkaBrokers } : { BUS_DATABASE_URL: databaseUrl('bus') }),
    ...(redisUrl && { REDIS_URL: redisUrl }),
    INTERNAL_TOKEN: secrets.INTERNAL_TOKEN,
    IDENTITY_URL: allOf('identity', around),
    CATALOG_URL: allOf('catalog', around),
    TICKETING_URL: allOf('ticketing', around),
    PAYMENTS_URL: allOf('payments', around),
    MEDIA_URL: allOf('media', around),
    REALTIME_URL: allOf('realtime', around),
    // If the system uses Stripe, there is no sandbox.
    ...(ports['sandbox'] && { SANDBOX_URL: allOf('sandbox', around) }),
  };
}

/** Uses real Stripe if its key is set in the environment, otherwise the sandbox with generated keys. */
function stripe(around: Surroundings): Record<string, string> {
  if (process.env['STRIPE_SECRET_KEY']) return {};
  const { secrets } = around;
  return {
    STRIPE_SECRET_KEY: secrets.STRIPE_SECRET_KEY,
    STRIPE_PUBLISHABLE_KEY: secrets.STRIPE_PUBLISHABLE_KEY,
    STRIPE_WEBHOOK_SECRET: secrets.STRIPE_WEBHOOK_SECRET,
    STRIPE_API_BASE: allOf('sandbox', around),
  };
}

/** Every database and the folders of its migrations. */
export const databases: Database[] = [
  { name: 'bus', migrations: [kitMigrations('bus')] },
  ...['identity', 'catalog', 'ticketing', 'payments', 'media', 'realtime'].map((name) => ({
    name,
    migrations: serviceMigrations(name),
  })),
  { name: 'sandbox', migrations: [sandboxMigrations()] },
];

const own: Record<string, (around: Surroundings) => Record<string, string>> = {
  identity: ({ secrets }) => ({ KEY_ENCRYPTION_SECRET: secrets.KEY_ENCRYPTION_SECRET }),
  ticketing: ({ secrets }) => ({ TICKET_SECRET: secrets.TICKET_SECRET }),
  payments: stripe,
  realtime: ({ secrets }) => ({ VAPID_PRIVATE_KEY: secrets.VAPID_PRIVATE_KEY }),
  // RTMP's standard port, on loopback only. If another program uses it or no media server is installed, the studio
  // reports that.
  media: () => ({ INGEST_ADDRESS: process.env['INGEST_ADDRESS'] || '127.0.0.1:1935' }),
};

const service = (name: string): ServiceSpec => ({
  name,
  entry: join(root, 'services', name, 'src', 'main.ts'),
  databases: ['bus', name],
  ready: (url) => `${url}/health/ready`,
  env: (around, index) => ({
    ...common(name, around, index),
    DATABASE_URL: around.databaseUrl(name),
    ...own[name]?.(around),
  }),
});

const sandbox: ServiceSpec = {
  ...service('sandbox'),
  entry: join(root, 'packages', 'card-sandbox', 'src', 'main.ts'),
  databases: ['sandbox'],
  single: true,
  env: (around, index) => ({
    ...common('sandbox', around, index),
    ...stripe(around),
    DATABASE_URL: around.databaseUrl('sandbox'),
    // One URL, as with Stripe. With several instances it is the door's URL, because the door knows the running
    // instances.
    WEBHOOK_EVENTS: WEBHOOK_EVENTS.join(),
    WEBHOOK_URL: `${at(several('payments', around) ? around.doorPort : around.ports['payments']![0])}/api/stripe/webhook`,
  }),
};

const gateway: ServiceSpec = {
  name: 'gateway',
  entry: join(root, 'services', 'gateway', 'src', 'main.ts'),
  databases: ['bus'],
  ready: (url) => `${url}/api/health/ready`,
  env: (around, index) => ({
    ...common('gateway', around, index),
    ...(process.env['STRIPE_SECRET_KEY'] ? {} : { STRIPE_PUBLISHABLE_KEY: around.secrets.STRIPE_PUBLISHABLE_KEY }),
    PORT: String(around.doorPort),
    SERVICE_PORT: String(around.ports['gateway']![index]),
    ...(several('gateway', around) && { SHARE_PORT: '1' }),
    HOST: around.settings.host,
    // In development vite's server serves the page.
    FRONTEND_DIR: around.settings.dev ? 'none' : frontendDir,
  }),
};

/** The services of Beltway. Identity comes first, because the other services request identity's keys. */
export function beltway(): System {
  const names = ['identity', 'catalog', 'ticketing', 'payments', 'realtime', 'media'];
  const services = [...names.map(service), ...(process.env['STRIPE_SECRET_KEY'] ? [] : [sandbox]), gateway];
  return { databases, bus: 'bus', services, page: buildFrontend, seed: join(root, 'scripts', 'seed.ts') };
}
