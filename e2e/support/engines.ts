import { kafkaJars } from '@beltway/test-engines/kafka-jars';
import { testKafka } from '@beltway/test-engines/kafka';

export interface GivenEngines {
  /** Variables for `startBeltway`. The launcher starts every engine that they do not name. */
  env: Record<string, string>;
  /** The engines started by the launcher, which a story may kill. */
  own: Array<'kafka' | 'redis'>;
  stop(): Promise<void>;
}

/** External engines: Kafka in a container without Java, or from `KAFKA_BROKERS`; Redis from `REDIS_URL`. */
export async function givenEngines(): Promise<GivenEngines> {
  const redis = process.env['REDIS_URL'] ? [] : (['redis'] as const);
  const startable = !process.env['KAFKA_BROKERS'] && (await kafkaJars().then(Boolean, () => false));
  if (startable) return { env: {}, own: ['kafka', ...redis], stop: async () => undefined };
  const { env, stop } = await testKafka();
  return { env, own: [...redis], stop };
}
