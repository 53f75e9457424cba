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

/** The environment variables of each service, by its name. */
export const serviceVariables: Record<string, ZodRawShape> = {
  ...{ gateway, identity, catalog, ticketing, payments, media, realtime },
};

/** The environment variables of the services of `docker compose --profile sandbox`. */
const sandboxVariables: Record<string, ZodRawShape> = { sandbox, demo };

/**
 * Variables that a deployment on servers leaves at their default, each with the reason. Every other variable of a
 * service must be in docker-compose.yml and in the manifests.
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
  SERVICE_CERT_FILE: 'docker-compose.tls.yml and components/tls set it',
  SERVICE_KEY_FILE: 'docker-compose.tls.yml and components/tls set it',
  SERVICE_CA_FILE: 'docker-compose.tls.yml and components/tls set it',
  KAFKA_TLS: 'docker-compose.tls.yml sets it',
  KAFKA_CA_FILE: 'docker-compose.tls.yml sets it',
  KAFKA_SASL: 'the broker is on a network of its own',
  KAFKA_USERNAME: 'the broker is on a network of its own',
  KAFKA_PASSWORD: 'the broker is on a network of its own',
  REDIS_CA_FILE: 'docker-compose.tls.yml sets it',
  S3_CA_FILE: 'docker-compose.tls.yml sets it',
  KAFKA_REPLICATION: 'one broker',
  KAFKA_RETENTION_DAYS: 'a rule of operation',
  MIGRATE_AT_START: 'Kubernetes migrates by Jobs, before a rollout',
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

/** Variables that a deployment on servers leaves at their default for one service only, each with the reason. */
const LEFT_OUT_BY: Record<string, Record<string, string>> = {
  gateway: {
    PORT_TLS: 'the proxy is on the same machine; components/tls sets it',
    SERVICE_PORT: 'readiness is checked on PORT',
    LIVE_URL: 'one media service ingests live streams and serves the rest',
  },
  identity: { DATA_DIR: 'mails go to SMTP_URL' },
  catalog: { REDIS_URL: 'not used' },
  ticketing: { DATA_DIR: 'mails go to SMTP_URL', REDIS_URL: 'not used' },
  payments: { DATA_DIR: 'mails go to SMTP_URL', REDIS_URL: 'not used' },
  media: { REDIS_URL: 'not used' },
  realtime: { DATA_DIR: 'mails go to SMTP_URL' },
};

export interface Comparison {
  /** Variables of the service that are not in the environment and not left out on purpose. */
  missing: string[];
  /** Variables of the environment that the service does not read. */
  unknown: string[];
  /** Variables that are left out on purpose, but set anyway. */
  setAnyway: string[];
  /** Invalid values, each with its variable. */
  refused: string[];
}

/** Compares the environment of a service in a deployment with the variables that it reads. */
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

/** Entries of the lists above that are obsolete, because no service reads them. */
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
