import { prepareKafka } from '@beltway/test-engines/kafka';
import { redisBinary } from '@beltway/test-engines/redis-binary';

/**
 * Prepares everything to start the whole system on Kafka and Redis, before tests wait for it. Returns the reason if the
 * preparation is impossible.
 */
export async function prepareEngines(): Promise<string | undefined> {
  const redis = process.env['REDIS_URL']
    ? undefined
    : redisBinary().then(
        () => undefined,
        (error: Error) => error.message,
      );
  const missing = [await prepareKafka(), await redis].filter((why) => why !== undefined);
  return missing.length === 0 ? undefined : missing.join('; ');
}
