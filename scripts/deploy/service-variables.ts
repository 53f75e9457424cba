import { z, type ZodRawShape } from 'zod';
import { variables as sandbox } from '../../packages/card-sandbox/src/config.ts';
import { variables as catalog } from '../../services/catalog/src/config.ts';
import { variables as gateway } from '../../services/gateway/src/config.ts';
import { variables as identity } from '../../services/identity/src/config.ts';
import { variables as media } from '../../services/media/src/config.ts';
import { variables as payments } from '../../services/payments/src/config.ts';
import { variables as realtime } from '../../services/realtime/src/config.ts';
import { variables as ticketing } from '../../services/ticketing/src/config.ts';
import { variables as demo } from '../demo/fill.ts';

/** What each service reads from its environment, by its name. */
export const serviceVariables: Record<string, ZodRawShape> = {
  ...{ gateway, identity, catalog, ticketing, payments, media, realtime },
};

/** The same of what `docker compose --profile sandbox` adds. */
const sandboxVariables: Record<string, ZodRawShape> = { sandbox, demo };

/**
 * Variables that a deployment on servers leaves at their default, and why. Every other variable of a service must be named by
 * docker-compose.yml and by the manifests.
 */
const LEFT_OUT: Record<string, string> = {
  BELTWAY_MODE: 'engines, the default, is the one for servers',
  BELTWAY_DEMO: 'embedded mode only',
  BELTWAY_RATE_LIMITS: 'embedded mode only',
  BELTWAY_SALE_ROUTING: 'for measuring',
  BUS_DATABASE_URL: 'the bus is Kafka',
  BUILD_VERSION: 'in the image',
  BUILD_COMMIT: 'in the image',
  KAFKA_PREFIX: 'the cluster is ours',
  KAFKA_TLS: 'the broker is on a network of its own',
  KAFKA_CA_FILE: 'the broker is on a network of its own',
  KAFKA_SASL: 'the broker is on a network of its own',
  KAFKA_USERNAME: 'the broker is on a network of its own',
  KAFKA_PASSWORD: 'the broker is on a network of its own',
  REDIS_CA_FILE: 'Redis is on a network of its own',
  S3_CA_FILE: 'the S3 server is on a network of its own',
  KAFKA_REPLICATION: 'one broker',
  STRIPE_API_BASE: 'the card sandbox is for one’s own machine',
  SANDBOX_URL: 'the card sandbox is for one’s own machine',
  WEBHOOK_EVENTS: 'all of them',
  FRONTEND_DIR: 'the folder of the image',
  HASHES_RUNNING: 'measured for two cores',
  HASHES_WAITING: 'measured for two cores',
  HASHES_WAITING_EACH: 'measured for two cores',
  MEDIA_WORKERS: 'measured for two cores',
  HOLD_MINUTES: 'a rule of the product',
  CHANGE_MAIL_MINUTES: 'a rule of the product',
  MAX_OPEN_HOLDS: 'a rule of the product',
  MAX_HELD_TICKETS: 'a rule of the product',
  MAX_HELD_PER_ADDRESS: 'a rule of the product',
  MAX_REQUESTS_PER_ADDRESS: 'a rule of the product',
  MAX_CONNECTIONS_PER_ADDRESS: 'a rule of the product',
};

/** The same for one service alone. */
const LEFT_OUT_BY: Record<string, Record<string, string>> = {
  gateway: {
    SERVICE_PORT: 'nobody asks it by itself',
    LIVE_URL: 'one media takes live streams in and answers all else',
  },
  identity: { DATA_DIR: 'mails go to SMTP_URL' },
  catalog: { REDIS_URL: 'not used' },
  ticketing: { DATA_DIR: 'mails go to SMTP_URL', REDIS_URL: 'not used' },
  payments: { DATA_DIR: 'mails go to SMTP_URL', REDIS_URL: 'not used' },
  media: { REDIS_URL: 'not used' },
  realtime: { DATA_DIR: 'mails go to SMTP_URL' },
};

export interface Comparison {
  /** Variables of the service that the environment says nothing of, though they are not left out on purpose. */
  missing: string[];
  /** Variables of the environment that the service does not read. */
  unknown: string[];
  /** Left out on purpose, and set all the same. */
  setAnyway: string[];
  /** Of values that the service refuses, each with its variable. */
  refused: string[];
}

/** Compares the environment that a deployment gives a service with what the service reads. */
export function compare(service: string, environment: Record<string, string>): Comparison {
  const shape = (serviceVariables[service] ?? sandboxVariables[service])!;
  const names = Object.keys(shape);
  const leftOut = { ...LEFT_OUT, ...LEFT_OUT_BY[service] };
  const isSet = (name: string) => Object.hasOwn(environment, name);
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const { error } = z.object(shape).safeParse(given);
  return {
    missing: names.filter((name) => !isSet(name) && !Object.hasOwn(leftOut, name)),
    unknown: Object.keys(environment).filter((name) => !names.includes(name)),
    setAnyway: names.filter((name) => isSet(name) && Object.hasOwn(leftOut, name)),
    refused: (error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`),
  };
}

/** Variables that are left out on purpose, and that no service reads (any more). */
export const leftOutInVain = (): string[] => {
  const shapes = [...Object.values(serviceVariables), ...Object.values(sandboxVariables)];
  const known = new Set(shapes.flatMap((shape) => Object.keys(shape)));
  return [
    ...Object.keys(LEFT_OUT).filter((name) => !known.has(name)),
    ...Object.entries(LEFT_OUT_BY).flatMap(([service, names]) =>
      Object.keys(names).filter((name) => !Object.hasOwn(serviceVariables[service]!, name)),
    ),
  ];
};
