import type { Message } from '@beltway/contracts/common/basics';
import { expect } from 'vitest';
import { BusUnavailable, type Bus } from '../src/bus/bus.ts';
import { openKafkaBus } from '../src/bus/kafka/bus.ts';
import { openBus } from '../src/bus/open.ts';
import { eventually } from '../src/testing/testing.ts';
import { counted, keys, type Counted } from './bus-contract.ts';

/** Time limits for tests of the Kafka bus. All are shorter than usual, and shorter than the faults. */
export const times = { wait: 3_000, request: 3_500, session: 4_000, rebalance: 5_000, still: 7_000 };

/**
 * Opens a bus on a broker that may have just started. Resolves once the broker has accepted a message, so that startup
 * does not affect the test.
 */
export async function openWarm(brokers: string): Promise<Bus> {
  const bus = await openBus({ KAFKA_BROKERS: brokers });
  await eventually(async () => {
    await bus.ensureTopics(['warm-up']);
    await bus.publish('warm-up', [counted('a', 0)]);
    return true;
  });
  await bus.close();
  const warm = await openKafkaBus({ brokers, times });
  await eventually(() => warm.publish('warm-up', [counted('a', 0)]).then(() => true));
  return warm;
}

/** Reads all messages of the topic. */
export async function logged(bus: Bus, topic: string): Promise<Message[]> {
  const all: Message[] = [];
  await bus.replay(topic, async (batch) => void all.push(...batch.map(({ message }) => message as Message)));
  return all;
}

/**
 * Publishes with several concurrent publishers until stopped, as services do. Each batch is repeated until it is
 * accepted, as the relay does.
 */
export function publishing(
  bus: Bus,
  topic: string,
  publishers = 3,
): {
  stop(): Promise<void>;
  published: string[];
  refusals: () => number;
  slowest: () => number;
} {
  const published: string[] = [];
  let [on, refusals, slowest] = [true, 0, 0];
  const publishNext = async (who: number) => {
    for (let n = 0; on; n++) {
      const messages = keys(6).map((key) => counted(key, n, `by ${who}`));
      for (;;) {
        const began = performance.now();
        try {
          await bus.publish(topic, messages);
          break;
        } catch (error) {
          expect(error).toBeInstanceOf(BusUnavailable);
          refusals++;
        } finally {
          slowest = Math.max(slowest, performance.now() - began);
        }
      }
      published.push(...messages.map(({ id }) => id));
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  const running = Promise.all(Array.from({ length: publishers }, (_, who) => publishNext(who)));
  return {
    published,
    refusals: () => refusals,
    slowest: () => slowest,
    async stop() {
      on = false;
      await running;
    },
  };
}

/** Checks that the first occurrences of numbers are in order without gaps, for each key and publisher. */
export function expectOrder(messages: Message[]): void {
  const next = new Map<string, number>();
  for (const { key, data } of messages as Counted[]) {
    const line = `${key} ${data.text}`;
    const due = next.get(line) ?? 0;
    expect(data.n, line).toBeLessThanOrEqual(due);
    next.set(line, Math.max(due, data.n + 1));
  }
}
