import type { Bus, BusLog } from './bus.ts';
import { openEmbeddedBus } from './bus-embedded.ts';

/** The bus the configuration names. Rejects when it does not answer, or when none is named. */
export async function openBus(
  config: { BUS_DATABASE_URL?: string | undefined; KAFKA_BROKERS?: string | undefined },
  log?: BusLog,
): Promise<Bus> {
  if (config.KAFKA_BROKERS)
    throw new Error('KAFKA_BROKERS is set, but Beltway cannot speak to Kafka yet. Unset it to use the embedded bus.');
  if (!config.BUS_DATABASE_URL) throw new Error('The bus needs BUS_DATABASE_URL, the database of the embedded bus.');
  return openEmbeddedBus({ url: config.BUS_DATABASE_URL, ...(log && { log }) });
}
