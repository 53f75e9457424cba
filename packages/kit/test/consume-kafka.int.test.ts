import { openBus } from '../src/bus/open.ts';
import { testKafka } from '../src/testing-kafka.ts';
import { consumeContract } from './consume-contract.ts';

consumeContract(
  'Kafka',
  async () => {
    const { env, stop } = await testKafka();
    const bus = await openBus(env);
    return {
      bus,
      env,
      async close() {
        await bus.close();
        await stop();
      },
    };
  },
  20_000,
);
