import type { Bus, BusLog } from './bus.ts';

interface BusConfig {
  /** The database of the embedded bus. */
  BUS_DATABASE_URL?: string | undefined;
  /** `host:port`, separated by commas. Goes before the embedded bus. */
  KAFKA_BROKERS?: string | undefined;
  KAFKA_REPLICATION?: number | string | undefined;
  KAFKA_PREFIX?: string | undefined;
}

/** The bus the configuration names. Rejects when it does not answer, or when none is named. */
export async function openBus(config: BusConfig, log?: BusLog): Promise<Bus> {
  if (config.KAFKA_BROKERS) {
    const { openKafkaBus } = await import('./bus-kafka.ts');
    return openKafkaBus({
      brokers: config.KAFKA_BROKERS,
      replication: Number(config.KAFKA_REPLICATION || 1),
      prefix: config.KAFKA_PREFIX ?? '',
      ...(log && { log }),
    });
  }
  if (!config.BUS_DATABASE_URL)
    throw new Error('The bus needs KAFKA_BROKERS, or BUS_DATABASE_URL, the database of the embedded bus.');
  const { openEmbeddedBus } = await import('./bus-embedded.ts');
  return openEmbeddedBus({ url: config.BUS_DATABASE_URL, ...(log && { log }) });
}
