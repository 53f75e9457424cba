import { setTimeout as pause } from 'node:timers/promises';
import { backoff } from '../backoff.ts';
import type { BusLog } from '../bus/bus.ts';
import type { KafkaSecurityConfig } from '../bus/kafka/security.ts';
import { wrongVariables } from '../config.ts';
import type { ObjectsConfig } from '../objects/settings.ts';
import { runtime } from '../service/runtime.ts';
import type { Finding } from './finding.ts';

/** The engine settings of a service. Engines without settings are not checked. */
export interface EnginesConfig extends KafkaSecurityConfig, ObjectsConfig {
  DATABASE_URL?: string | undefined;
  BUS_DATABASE_URL?: string | undefined;
  KAFKA_BROKERS?: string | undefined;
  REDIS_URL?: string | undefined;
  REDIS_CA_FILE?: string | undefined;
}

interface Engine {
  name: string;
  /** True if the service cannot work without the engine, so that its start must wait. */
  isNeeded: boolean;
  attempt(): Promise<Finding>;
}

/** How long a finding may be doubtful before it counts as refused, in ms. */
const DOUBT_MS = 30_000;
/** How often a waiting start logs a warning, in ms. */
const WARN_EVERY_MS = 10_000;
const pauseAfter = backoff(100, 2_000);

/**
 * Resolves when every configured engine has accepted this process. Waits and logs while an engine does not respond,
 * except for Redis. Throws a `ConfigError` that names the variables if an engine rejects the connection or stays
 * doubtful (`Finding`) for `doubtMs`.
 */
export async function reachEngines(
  config: EnginesConfig,
  log: Pick<BusLog, 'info' | 'warn'>,
  { doubtMs = DOUBT_MS }: { doubtMs?: number } = {},
): Promise<void> {
  const since = performance.now();
  const doubtfulSince = new Map<Engine, number>();
  let waitedFor: Engine[] = [];
  let missing = enginesOf(config);
  let warnAt = 0;

  for (let round = 1; missing.length > 0; round++) {
    const findings = await Promise.all(missing.map(async (engine) => ({ engine, finding: await engine.attempt() })));
    const now = performance.now();
    const faults = findings.flatMap(({ engine, finding }) => {
      if (finding.state !== 'doubtful') doubtfulSince.delete(engine);
      else if (!doubtfulSince.has(engine)) doubtfulSince.set(engine, now);
      const isLong = finding.state === 'doubtful' && now - doubtfulSince.get(engine)! >= doubtMs;
      return finding.state === 'refused' || isLong ? [`${finding.variable}: ${finding.why}`] : [];
    });
    if (faults.length > 0) throw wrongVariables(faults);

    const waiting = findings.filter(
      ({ engine, finding: { state } }) => state === 'doubtful' || (state === 'away' && engine.isNeeded),
    );
    missing = waiting.map(({ engine }) => engine);
    if (missing.length > 0) waitedFor = missing;
    if (missing.length > 0 && now >= warnAt && round > 1) {
      warnAt = now + WARN_EVERY_MS;
      for (const { engine, finding } of waiting) {
        const { state: _, ...said } = finding;
        log.warn({ ...said, seconds: seconds(since) }, `${engine.name} does not answer, the start waits for it`);
      }
    }
    // If the launcher is gone, no process would end this wait, so the wait ends here.
    if (runtime.isLauncherGone()) throw new Error(`${missing.map(({ name }) => name).join()} did not answer`);
    if (missing.length > 0) await pause(pauseAfter(round));
  }
  if (waitedFor.length > 0)
    log.info(
      { seconds: seconds(since) },
      `${waitedFor.map(({ name }) => name).join()} answers, going on with the start`,
    );
}

const seconds = (since: number): number => Math.round((performance.now() - since) / 1_000);

/** Loads the client library of an engine only if the engine is used. */
function enginesOf(config: EnginesConfig): Engine[] {
  const { DATABASE_URL, BUS_DATABASE_URL, KAFKA_BROKERS, REDIS_URL, S3_URL } = config;
  const engines: Engine[] = [];
  const database = (variable: string, url: string | undefined, name: string) => {
    if (!url) return;
    const attempt = async () => (await import('./postgres.ts')).tryPostgres(variable, url);
    engines.push({ name, isNeeded: true, attempt });
  };
  database('DATABASE_URL', DATABASE_URL, 'PostgreSQL');
  if (KAFKA_BROKERS)
    engines.push({
      name: 'Kafka',
      isNeeded: true,
      attempt: async () => (await import('./kafka.ts')).tryKafka({ ...config, KAFKA_BROKERS }),
    });
  else database('BUS_DATABASE_URL', BUS_DATABASE_URL, 'the bus database');
  if (REDIS_URL)
    engines.push({
      name: 'Redis',
      isNeeded: false,
      attempt: async () => (await import('./redis.ts')).tryRedis(REDIS_URL, config.REDIS_CA_FILE),
    });
  if (S3_URL)
    engines.push({ name: 'S3', isNeeded: true, attempt: async () => (await import('./s3.ts')).tryS3(config) });
  return engines;
}
