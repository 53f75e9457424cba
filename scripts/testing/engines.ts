import { prepareKafka } from '@beltway/test-engines/kafka';
import { redisBinary } from '@beltway/test-engines/redis-binary';

/** Has ready what the whole system on Kafka and Redis is started from, before tests wait for it. Says why that cannot be. */
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
