import { openEmbeddedBus } from '../src/bus/embedded/bus.ts';
import { testDatabase } from '../src/testing/testing.ts';
import { consumeContract } from './consume-contract.ts';

consumeContract('embedded', async () => {
  const database = await testDatabase([new URL('../migrations/bus', import.meta.url).pathname]);
  const bus = await openEmbeddedBus({ url: database.url });
  return {
    bus,
    env: { BUS_DATABASE_URL: database.url, KAFKA_BROKERS: '' },
    async close() {
      await bus.close();
      await database.drop();
    },
  };
});
