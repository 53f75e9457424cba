import { setTimeout as pause } from 'node:timers/promises';
import { backoff } from '../backoff.ts';
import { runtime } from '../service/runtime.ts';
import type { KafkaSecurityConfig } from './kafka/security.ts';
import { BusUnavailable, silent, type Bus, type BusLog } from './bus.ts';

interface BusConfig extends KafkaSecurityConfig {
  /** The database URL of the embedded bus. */
  BUS_DATABASE_URL?: string | undefined;
  /** Kafka brokers as `host:port`, separated by commas. Takes precedence over the embedded bus. */
  KAFKA_BROKERS?: string | undefined;
  KAFKA_REPLICATION?: number | string | undefined;
  KAFKA_RETENTION_DAYS?: number | string | undefined;
  KAFKA_PREFIX?: string | undefined;
}

interface OpenOptions {
  /** True to reject with `BusUnavailable` after the first failed attempt, for interactive scripts. */
  once?: boolean;
}

const pauseAfter = backoff(100, 2_000);
/** How often a waiting start logs a warning, in ms. */
const WARN_EVERY_MS = 10_000;

/**
 * Opens the configured bus; rejects if none is configured. Waits and logs while the bus is down, because a service that
 * exited instead would be restarted repeatedly and be down longer. Other bus calls during the start (topics,
 * subscriptions) wait in the same way, because a broker that has just started responds slowly while many services
 * connect.
 */
export async function openBus(
  config: BusConfig,
  log: BusLog = silent,
  { once = false }: OpenOptions = {},
): Promise<Bus> {
  if (once) return attempt(config, log);
  const bus = await untilItAnswers(log, () => attempt(config, log));
  return {
    ...bus,
    ensureTopics: (topics) => untilItAnswers(log, () => bus.ensureTopics(topics)),
    subscribe: (group) => untilItAnswers(log, () => bus.subscribe(group)),
    tail: (topics, hear) => untilItAnswers(log, () => bus.tail(topics, hear)),
  };
}

/** Retries `work` until the bus responds. A starting service waits for this. */
export async function untilItAnswers<T>(log: BusLog, work: () => Promise<T>): Promise<T> {
  const since = performance.now();
  let warnAt = 0;
  for (let failures = 1; ; failures++) {
    try {
      const done = await work();
      if (failures > 1) log.info({ seconds: secondsSince(since) }, 'bus: it answers, going on with the start');
      return done;
    } catch (error) {
      // If the launcher is gone, no process would end this wait, so the wait ends here.
      if (!(error instanceof BusUnavailable) || runtime.isLauncherGone()) throw error;
      if (performance.now() >= warnAt) {
        warnAt = performance.now() + WARN_EVERY_MS;
        log.warn({ err: error, seconds: secondsSince(since) }, 'bus: it does not answer, the start waits for it');
      }
    }
    await pause(pauseAfter(failures));
  }
}

const secondsSince = (since: number): number => Math.round((performance.now() - since) / 1_000);

/** Scripts pass their environment, in which an empty variable counts as not set. */
const isSet = (value: unknown): boolean => value !== undefined && value !== '';

async function attempt(config: BusConfig, log: BusLog): Promise<Bus> {
  if (config.KAFKA_BROKERS) {
    // Loads only the configured adapter, because each adapter loads a client library.
    const { openKafkaBus } = await import('./kafka/bus.ts');
    const { kafkaSecurity } = await import('./kafka/security.ts');
    return openKafkaBus({
      brokers: config.KAFKA_BROKERS,
      security: kafkaSecurity(config),
      replication: Number(config.KAFKA_REPLICATION || 1),
      ...(isSet(config.KAFKA_RETENTION_DAYS) && { retentionDays: Number(config.KAFKA_RETENTION_DAYS) }),
      prefix: config.KAFKA_PREFIX ?? '',
      log,
    });
  }
  if (!config.BUS_DATABASE_URL)
    throw new Error('The bus needs KAFKA_BROKERS, or BUS_DATABASE_URL, the database of the embedded bus.');
  const { openEmbeddedBus } = await import('./embedded/bus.ts');
  return openEmbeddedBus({ url: config.BUS_DATABASE_URL, log });
}
