import { setTimeout as pause } from 'node:timers/promises';
import { backoff } from '../backoff.ts';
import { runtime } from '../service/runtime.ts';
import type { KafkaSecurityConfig } from './kafka/security.ts';
import { BusUnavailable, silent, type Bus, type BusLog } from './bus.ts';

interface BusConfig extends KafkaSecurityConfig {
  /** The database of the embedded bus. */
  BUS_DATABASE_URL?: string | undefined;
  /** `host:port`, separated by commas. Goes before the embedded bus. */
  KAFKA_BROKERS?: string | undefined;
  KAFKA_REPLICATION?: number | string | undefined;
  KAFKA_PREFIX?: string | undefined;
}

interface OpenOptions {
  /** Rejects with `BusUnavailable` after the first failed attempt: for a script that a person waits for. */
  once?: boolean;
}

const pauseAfter = backoff(100, 2_000);
/** How often a start that waits for the bus logs so. */
const WARN_EVERY_MS = 10_000;

/**
 * The bus the configuration names; rejects when it names none. While the bus is away this waits for it and says so: a service
 * that ended instead would be started again and again, and stand still longer for it. What else a start asks of the bus
 * (topics, subscriptions) waits in the same way: a broker that has just begun answers many services late.
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

/** Does this work with the bus as soon as it answers; a start waits for it. */
export async function untilItAnswers<T>(log: BusLog, work: () => Promise<T>): Promise<T> {
  const since = performance.now();
  let warnAt = 0;
  for (let failures = 1; ; failures++) {
    try {
      const done = await work();
      if (failures > 1) log.info({ seconds: secondsSince(since) }, 'bus: it answers, going on with the start');
      return done;
    } catch (error) {
      // Whoever started us is gone: nobody would ever end this waiting.
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

async function attempt(config: BusConfig, log: BusLog): Promise<Bus> {
  if (config.KAFKA_BROKERS) {
    // Each adapter brings its client with it, so only the one that is meant is loaded.
    const { openKafkaBus } = await import('./kafka/bus.ts');
    const { kafkaSecurity } = await import('./kafka/security.ts');
    return openKafkaBus({
      brokers: config.KAFKA_BROKERS,
      security: kafkaSecurity(config),
      replication: Number(config.KAFKA_REPLICATION || 1),
      prefix: config.KAFKA_PREFIX ?? '',
      log,
    });
  }
  if (!config.BUS_DATABASE_URL)
    throw new Error('The bus needs KAFKA_BROKERS, or BUS_DATABASE_URL, the database of the embedded bus.');
  const { openEmbeddedBus } = await import('./embedded/bus.ts');
  return openEmbeddedBus({ url: config.BUS_DATABASE_URL, log });
}
