import { startBroker } from '@beltway/test-engines/kafka';

/**
 * vitest's global setup of the project `kafka`: starts one broker for all test files that do not disturb it. The broker
 * ends with the run in any case. With KAFKA_BROKERS the tests use that cluster. If no broker can be started, the error
 * lists all attempts.
 */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env['KAFKA_BROKERS']) return undefined;
  const broker = await startBroker();
  // Test files run in child processes, which inherit this variable. The variable has a special name, so that no service
  // reads it as configuration.
  process.env['TEST_KAFKA_BROKERS'] = broker.brokers;
  return async () => {
    delete process.env['TEST_KAFKA_BROKERS'];
    await broker.stop();
  };
}
