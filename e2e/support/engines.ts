import { kafkaJars } from '@beltway/test-engines/kafka-jars';
import { testKafka } from '@beltway/test-engines/kafka';

export interface GivenEngines {
  /** For `startBeltway`: what is not in it, the launcher starts itself. */
  env: Record<string, string>;
  /** The servers that the launcher starts, and that a story may kill. */
  own: Array<'kafka' | 'redis'>;
  stop(): Promise<void>;
}

/** Kafka where the launcher cannot start it (no Java, so a container) or must not (`KAFKA_BROKERS` is set); Redis where `REDIS_URL` names it. */
export async function givenEngines(): Promise<GivenEngines> {
  const redis = process.env['REDIS_URL'] ? [] : (['redis'] as const);
  const startable = !process.env['KAFKA_BROKERS'] && (await kafkaJars().then(Boolean, () => false));
  if (startable) return { env: {}, own: ['kafka', ...redis], stop: async () => undefined };
  const { env, stop } = await testKafka();
  return { env, own: [...redis], stop };
}
