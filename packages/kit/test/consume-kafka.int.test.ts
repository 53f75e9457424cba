import { openBus } from '../src/bus/open.ts';
import { testKafka } from '@beltway/test-engines/kafka';
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
  60_000,
);
