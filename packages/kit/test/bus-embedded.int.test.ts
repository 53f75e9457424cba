import { openEmbeddedBus } from '../src/bus/embedded/bus.ts';
import { busContract } from './bus-contract.ts';
import { testDatabase } from '../src/testing/testing.ts';

busContract('embedded', async () => {
  const database = await testDatabase([new URL('../migrations/bus', import.meta.url).pathname]);
  return {
    open: () => openEmbeddedBus({ url: database.url }),
    env: { BUS_DATABASE_URL: database.url, KAFKA_BROKERS: '' },
    close: () => database.drop(),
  };
});
