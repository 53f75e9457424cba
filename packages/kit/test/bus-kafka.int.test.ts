import { openBus } from '../src/open-bus.ts';
import { testKafka } from '../src/testing-kafka.ts';
import { busContract } from './bus-contract.ts';

busContract(
  'Kafka',
  async () => {
    const { env, stop } = await testKafka();
    return { open: () => openBus(env), env, close: stop };
  },
  // A member that was killed is missed after its session of six seconds.
  20_000,
);
