import { startBroker } from '@beltway/test-engines/kafka';

/**
 * vitest's global setup of the project `kafka`: one broker for all files that do it no harm, gone with the run however it
 * ends. With KAFKA_BROKERS they use that cluster. Fails, with all that was tried, where no broker can be had.
 */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env['KAFKA_BROKERS']) return undefined;
  const broker = await startBroker();
  // Test files run in child processes, which inherit it. A name of its own: no service may take it for its configuration.
  process.env['TEST_KAFKA_BROKERS'] = broker.brokers;
  return async () => {
    delete process.env['TEST_KAFKA_BROKERS'];
    await broker.stop();
  };
}
