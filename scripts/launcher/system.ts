import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from './engines/databases.ts';
import { buildFrontend, frontendDir } from './frontend.ts';
import { kitMigrations, sandboxMigrations, serviceMigrations } from './migrations.ts';
import type { Secrets } from './secrets.ts';
import { root, type Settings } from './settings.ts';

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };

/** The commit that is checked out here; nothing where there is no Git or no repository. */
function commit(): string | undefined {
  try {
    const git = ['rev-parse', '--short=12', 'HEAD'];
    return execFileSync('git', git, { cwd: root, encoding: 'utf8', timeout: 2_000, stdio: 'pipe' }).trim();
  } catch {
    return undefined;
  }
}

const found = process.env['BUILD_COMMIT'] || commit();

/** What every service is told of the build it runs. */
const build: Record<string, string> = {
  BUILD_VERSION: process.env['BUILD_VERSION'] || version,
  ...(found !== undefined && { BUILD_COMMIT: found }),
};

/** What the environment of a service is made of. */
export interface Surroundings {
  settings: Settings;
  secrets: Secrets;
  /** Where the instances of each service listen, by its name. */
  ports: Record<string, number[]>;
  /** Where the public door listens; several instances of it share this port, and have one of their own to be asked by. */
  doorPort: number;
  /** The address of a database, by its name. */
  databaseUrl: (name: string) => string;
  /** Apache Kafka; without it the bus is a database. */
  kafkaBrokers: string | undefined;
  redisUrl: string | undefined;
}

export interface ServiceSpec {
  name: string;
  entry: string;
  /** Databases that must be up to date before it starts. */
  databases: string[];
  /** Never more than one of it. */
  single?: true;
  ready: (url: string) => string;
  /** What the instance with this number, from 0, gets. */
  env: (around: Surroundings, index: number) => Record<string, string>;
}

export interface System {
  databases: Database[];
  /** Which of them is the bus; not made where Kafka is. */
  bus?: string;
  /** In this order they start; the last one is the public door: it is asked for readiness last and stopped first. */
  services: ServiceSpec[];
  /** Makes the page that the door serves. */
  page?: (say: (text: string) => void) => Promise<void>;
  /** The file with the demo data for a fresh folder. */
  seed?: string;
}

const at = (port: number | undefined) => `http://127.0.0.1:${port}`;

/** The addresses of all instances of a service, with commas. */
const allOf = (name: string, { ports }: Surroundings) => (ports[name] ?? []).map(at).join(',');

const several = (name: string, { ports }: Surroundings) => (ports[name]?.length ?? 0) > 1;

/** What an endpoint at the card provider should ask for. Of an intent's charges payments hears the same facts once more. */
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

/** How long a stopping instance still answers, so that whoever balances can see that it is not ready. */
const LAME_DUCK_MS = 1_000;

/** Variables that every service reads (docs/configuration.md). */
function common(name: string, around: Surroundings, index: number): Record<string, string> {
  const { settings, secrets, ports, databaseUrl, kafkaBrokers, redisUrl } = around;
  const own = ports[name]!;
  return {
    // This machine, with its mailbox and its card sandbox, whichever servers are behind it.
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
    // With Stripe itself there is none.
    ...(ports['sandbox'] && { SANDBOX_URL: allOf('sandbox', around) }),
  };
}

/** Real Stripe when its key is given from outside, else the sandbox with keys of our own making. */
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

/** Every database and the folders its tables come from. */
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
  // RTMP's own port, on this machine alone; where another has it, or no media server is installed, the studio says so.
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
    // One address, as with Stripe itself: of several instances the door knows who is there.
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
    // In development vite's server has the page.
    FRONTEND_DIR: around.settings.dev ? 'none' : frontendDir,
  }),
};

/** The services of Beltway. Identity comes first: the others ask it for its keys. */
export function beltway(): System {
  const names = ['identity', 'catalog', 'ticketing', 'payments', 'realtime', 'media'];
  const services = [...names.map(service), ...(process.env['STRIPE_SECRET_KEY'] ? [] : [sandbox]), gateway];
  return { databases, bus: 'bus', services, page: buildFrontend, seed: join(root, 'scripts', 'seed.ts') };
}
