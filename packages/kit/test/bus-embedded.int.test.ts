import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { PARTITIONS } from '../src/bus/bus.ts';
import { openEmbeddedBus } from '../src/bus/embedded/bus.ts';
import { busContract, counted, keys } from './bus-contract.ts';
import { eventually, testDatabase } from '../src/testing/testing.ts';

busContract('embedded', async () => {
  const database = await testDatabase([new URL('../migrations/bus', import.meta.url).pathname]);
  return {
    open: () => openEmbeddedBus({ url: database.url }),
    env: { BUS_DATABASE_URL: database.url, KAFKA_BROKERS: '' },
    close: () => database.drop(),
  };
});

test('a member whose handlers hang blocks only the partitions that it has taken', async () => {
  const database = await testDatabase([new URL('../migrations/bus', import.meta.url).pathname]);
  const [stuck, free] = [await openEmbeddedBus({ url: database.url }), await openEmbeddedBus({ url: database.url })];
  const goOn = Promise.withResolvers<void>();
  try {
    await stuck.ensureTopics(['test']);
    await stuck.publish(
      'test',
      keys(200).map((key, n) => counted(key, n)),
    );
    const [held, handled] = [new Set<number>(), new Set<number>()];
    await stuck.subscribe({
      ...{ group: 'shared', topics: ['test'] },
      handle: async ([first]) => {
        held.add(first!.partition);
        await goOn.promise;
      },
    });
    await eventually(() => held.size === 4);
    await free.subscribe({
      ...{ group: 'shared', topics: ['test'] },
      handle: async ([first]) => void handled.add(first!.partition),
    });
    await eventually(() => handled.size === PARTITIONS - held.size);
    expect(held.intersection(handled)).toEqual(new Set());
  } finally {
    goOn.resolve();
    await Promise.all([stuck.close(), free.close()]);
    await database.drop();
  }
});

test('a group that gathers gets the messages of its waiting time in one batch, and does not wait when it stops', async () => {
  const database = await testDatabase([new URL('../migrations/bus', import.meta.url).pathname]);
  const bus = await openEmbeddedBus({ url: database.url });
  try {
    await bus.ensureTopics(['test']);
    const batches: number[] = [];
    const group = await bus.subscribe({
      ...{ group: 'patient', topics: ['test'], gatherMs: 1_000 },
      handle: async (batch) => void batches.push(batch.length),
    });
    for (let n = 0; n < 5; n++) {
      await bus.publish('test', [counted('a', n)]);
      await pause(30);
    }
    await eventually(() => batches.reduce((sum, one) => sum + one, 0) === 5);
    // Without gathering there are five; on a slow machine the waiting time may end between two messages.
    expect(batches.length).toBeLessThanOrEqual(2);
    const { length } = batches;
    await bus.publish('test', [counted('a', 5)]);
    await group.stop();
    await pause(1_200);
    expect(batches).toHaveLength(length);
    expect(await bus.lag('patient', ['test'])).toEqual({ test: 1 });
  } finally {
    await bus.close();
    await database.drop();
  }
});
