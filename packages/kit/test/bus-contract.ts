import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Message } from '@beltway/contracts/common/basics';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Bus, Delivery } from '../src/bus/bus.ts';
import { partitionOf } from '../src/bus/partition.ts';
import { eventuallyPasses } from '../src/testing/testing.ts';

export interface BusUnderTest {
  /** Opens a bus that shares nothing with earlier buses, as in another process. */
  open(): Promise<Bus>;
  /** Environment variables with which another process opens the same bus by `openBus`. */
  env: Record<string, string>;
  close(): Promise<void>;
}

/** Tests the guarantees of every bus adapter. `patienceMs`: maximum time of a takeover, on a busy machine. */
export function busContract(name: string, start: () => Promise<BusUnderTest>, patienceMs = 40_000): void {
  describe(`the ${name} bus`, { timeout: patienceMs * 3 }, () => {
    let under: BusUnderTest;
    const opened: Bus[] = [];
    const children: ChildProcess[] = [];

    beforeAll(async () => {
      under = await start();
    }, 120_000);
    afterEach(async () => {
      for (const child of children.splice(0)) child.kill('SIGKILL');
      await Promise.all(opened.splice(0).map((bus) => bus.close()));
    });
    afterAll(() => under.close());

    async function open(): Promise<Bus> {
      const bus = await under.open();
      opened.push(bus);
      return bus;
    }

    async function openWithTopic(): Promise<{ bus: Bus; topic: string; group: string }> {
      const bus = await open();
      const topic = `test-${randomUUID()}`;
      await bus.ensureTopics([topic]);
      return { bus, topic, group: `group-${randomUUID()}` };
    }

    const eventually = (check: () => void | Promise<void>) => eventuallyPasses(check, patienceMs);

    async function readAll(bus: Bus, topic: string): Promise<Delivery[]> {
      const all: Delivery[] = [];
      await bus.replay(topic, async (batch) => void all.push(...batch));
      return all;
    }

    test('keeps published messages even when every client has gone', async () => {
      const { bus, topic } = await openWithTopic();
      await bus.publish(topic, [counted('a', 1), counted('b', 2, 'é 日本 \u0000 \ud83c\udfab')]);
      await bus.close();
      opened.length = 0;
      const found = await readAll(await open(), topic);
      expect(found.map(textOf).sort()).toEqual(['', 'é 日本 \u0000 \ud83c\udfab']);
    });

    test('makes a message visible to all once publish has resolved', async () => {
      const { bus, topic } = await openWithTopic();
      const other = await open();
      for (let n = 1; n <= 20; n++) {
        await bus.publish(topic, [counted('a', n)]);
        expect(await readAll(other, topic)).toHaveLength(n);
      }
    });

    test('delivers the trace of a message to groups and to replays', async () => {
      const { bus, topic, group } = await openWithTopic();
      const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
      await bus.publish(topic, [counted('a', 1), { ...counted('a', 2), traceparent }, counted('b', 3)]);
      const heard: Delivery[] = [];
      await bus.subscribe({ group, topics: [topic], handle: async (batch) => void heard.push(...batch) });
      await eventually(() => expect(heard).toHaveLength(3));
      for (const all of [heard, await readAll(bus, topic)]) {
        const numbered = all.map((one) => [(one.message as Counted).data.n, one.traceparent] as const);
        expect(new Map(numbered)).toEqual(
          new Map([
            [1, undefined],
            [2, traceparent],
            [3, undefined],
          ]),
        );
        expect(all.filter(({ message }) => 'traceparent' in (message as object))).toEqual([]);
      }
    });

    test('refuses a message for a topic that does not exist', async () => {
      const bus = await open();
      await expect(bus.publish(`test-${randomUUID()}`, [counted('a', 1)])).rejects.toThrow();
    });

    test('if a message is too large, refuses all messages of the same call, and accepts later calls', async () => {
      const { bus, topic } = await openWithTopic();
      const large = (bytes: number) => counted('a', 2, 'x'.repeat(bytes));
      await expect(bus.publish(topic, [counted('a', 1), large(900_001), counted('a', 3)])).rejects.toMatchObject({
        unsendable: true,
      });
      await bus.publish(topic, [large(899_000), counted('a', 4)]);
      expect((await readAll(bus, topic)).map(({ message }) => (message as { n: number }).n)).toHaveLength(2);
    });

    test('a dead letter may be larger than the message in it', async () => {
      const bus = await open();
      const topic = `test-${randomUUID()}.dead-letters`;
      await bus.ensureTopics([topic]);
      await bus.publish(topic, [counted('a', 1, 'x'.repeat(950_000))]);
      expect(await readAll(bus, topic)).toHaveLength(1);
    });

    test('creates topics once, and lists them', async () => {
      const { bus, topic } = await openWithTopic();
      const others = await Promise.all([open(), open()]);
      const more = [`test-${randomUUID()}`, `test-${randomUUID()}`];
      await bus.publish(topic, [counted('a', 1)]);
      await Promise.all([
        bus.ensureTopics(more),
        ...others.map((other) => other.ensureTopics([...more, topic].reverse())),
      ]);
      expect(await bus.topics()).toEqual(expect.arrayContaining([topic, ...more]));
      expect(await readAll(bus, topic)).toHaveLength(1);
    });

    test('assigns each key to the partition of its hash, with offsets from 0 and no gaps', async () => {
      const { bus, topic } = await openWithTopic();
      await bus.publish(
        topic,
        keys(30).map((key, n) => counted(key, n)),
      );
      await bus.publish(
        topic,
        keys(30).map((key, n) => counted(key, n)),
      );
      const all = await readAll(bus, topic);
      expect(all).toHaveLength(60);
      for (const { partition, message } of all) expect(partition).toBe(partitionOf((message as Message).key));
      for (const offsets of byPartition(all, ({ offset }) => Number(offset)))
        expect(offsets).toEqual(offsets.map((_, n) => n));
    });

    test('keeps the order of each key with concurrent publishers, and a reader misses nothing', async () => {
      const { bus, topic, group } = await openWithTopic();
      const got: Delivery[] = [];
      await bus.subscribe({ group, topics: [topic], handle: async (batch) => void got.push(...batch), batchSize: 7 });
      const publishers = await Promise.all([open(), open(), open(), open()]);
      await Promise.all(
        publishers.map(async (publisher, who) => {
          // The publishers use different orders of keys, because two publishers for the same partitions must not
          // deadlock.
          const order = who % 2 ? keys(10) : keys(10).reverse();
          for (let n = 0; n < 40; n++) {
            await publisher.publish(
              topic,
              order.flatMap((key) => [counted(key, 2 * n, `by ${who}`), counted(key, 2 * n + 1, `by ${who}`)]),
            );
          }
        }),
      );
      await eventually(() => expect(got.length).toBeGreaterThanOrEqual(4 * 40 * 20));
      expect(got).toHaveLength(4 * 40 * 20);
      const seen = new Map<string, number>();
      for (const delivery of got) {
        const line = `${keyOf(delivery)} ${textOf(delivery)}`;
        expect(numberOf(delivery)).toBe((seen.get(line) ?? -1) + 1);
        seen.set(line, numberOf(delivery));
      }
      for (const offsets of byPartition(got, ({ offset }) => Number(offset)))
        expect(offsets).toEqual(offsets.map((_, n) => n));
    });

    test('a new group starts with the oldest message, and resumes after its last commit', async () => {
      const { bus, topic, group } = await openWithTopic();
      await bus.publish(
        topic,
        keys(20).map((key) => counted(key, 1)),
      );
      const first: Delivery[] = [];
      const member = await bus.subscribe({
        group,
        topics: [topic],
        handle: async (batch) => void first.push(...batch),
      });
      await eventually(() => expect(first).toHaveLength(20));
      await member.stop();
      await bus.publish(
        topic,
        keys(20).map((key) => counted(key, 2)),
      );

      const second: Delivery[] = [];
      await (await open()).subscribe({ group, topics: [topic], handle: async (batch) => void second.push(...batch) });
      await eventually(() => expect(second).toHaveLength(20));
      expect(second.map(numberOf)).toEqual(second.map(() => 2));
      expect(first).toHaveLength(20);
    });

    test('finishes and commits the current batch when a member stops', async () => {
      const { bus, topic, group } = await openWithTopic();
      await bus.publish(topic, [counted('a', 1), counted('a', 2)]);
      const got: number[] = [];
      const gate = Promise.withResolvers<void>();
      const member = await bus.subscribe({
        group,
        topics: [topic],
        handle: async (batch) => {
          got.push(...batch.map(numberOf));
          await gate.promise;
        },
      });
      await eventually(() => expect(got).toEqual([1, 2]));
      let left = false;
      const stopped = member.stop().then(() => (left = true));
      expect(await bus.lag(group, [topic])).toEqual({ [topic]: 2 });
      expect(left).toBe(false);
      gate.resolve();
      await stopped;
      expect(await bus.lag(group, [topic])).toEqual({ [topic]: 0 });
      await bus.publish(topic, [counted('a', 3)]);
      await bus.subscribe({ group, topics: [topic], handle: async (batch) => void got.push(...batch.map(numberOf)) });
      await eventually(() => expect(got).toEqual([1, 2, 3]));
    });

    test('a batch has messages of one partition and is no longer than requested', async () => {
      const { bus, topic, group } = await openWithTopic();
      await bus.publish(
        topic,
        keys(5).flatMap((key) => [1, 2, 3, 4, 5, 6, 7].map((n) => counted(key, n))),
      );
      const batches: Delivery[][] = [];
      await bus.subscribe({ group, topics: [topic], batchSize: 3, handle: async (batch) => void batches.push(batch) });
      await eventually(() => expect(batches.flat()).toHaveLength(35));
      for (const batch of batches) {
        expect(batch.length).toBeLessThanOrEqual(3);
        expect(new Set(batch.map(({ partition }) => partition)).size).toBe(1);
      }
    });

    test('delivers every message to every group', async () => {
      const { bus, topic } = await openWithTopic();
      const other = await open();
      const one: string[] = [];
      const two: string[] = [];
      await bus.subscribe({
        group: `one-${topic}`,
        topics: [topic],
        handle: async (batch) => void one.push(...batch.map(keyOf)),
      });
      await other.subscribe({
        group: `two-${topic}`,
        topics: [topic],
        handle: async (batch) => void two.push(...batch.map(keyOf)),
      });
      await bus.publish(
        topic,
        keys(30).map((key) => counted(key, 1)),
      );
      await eventually(() => expect([one.length, two.length]).toEqual([30, 30]));
      expect(new Set(one)).toEqual(new Set(keys(30)));
      expect(new Set(two)).toEqual(new Set(keys(30)));
    });

    test('members of a group share the partitions, and take over the partitions of a member that leaves', async () => {
      const { bus, topic, group } = await openWithTopic();
      const others = [bus, await open()];
      const got: Delivery[][] = [[], []];
      const busy = new Set<number>();
      const clashes: number[] = [];
      const members = await Promise.all(
        others.map((member, who) =>
          member.subscribe({
            group,
            topics: [topic],
            batchSize: 2,
            handle: async (batch) => {
              const { partition } = batch[0]!;
              if (busy.has(partition)) clashes.push(partition);
              busy.add(partition);
              await new Promise((resolve) => setTimeout(resolve, 5));
              busy.delete(partition);
              got[who]!.push(...batch);
            },
          }),
        ),
      );
      // Repeats until both members have partitions, because the assignment takes time.
      let sent = 0;
      await eventually(async () => {
        await bus.publish(
          topic,
          keys(24).map((key) => counted(key, sent)),
        );
        sent++;
        expect(got[0]!.length).toBeGreaterThan(0);
        expect(got[1]!.length).toBeGreaterThan(0);
      });
      await eventually(() => expect(got.flat()).toHaveLength(sent * 24));
      await members[0]!.stop();
      const before = got[0]!.length;
      await bus.publish(
        topic,
        keys(24).map((key) => counted(key, sent)),
      );
      await eventually(() => expect(got.flat()).toHaveLength((sent + 1) * 24));
      expect(got[0]).toHaveLength(before);
      expect(clashes).toEqual([]);
      for (const who of got)
        for (const [key, numbers] of groupBy(who, keyOf))
          expect(numbers.map(numberOf), key).toEqual(numbers.map(numberOf).toSorted((a, b) => a - b));
      expect(new Set(got.flat().map((delivery) => `${keyOf(delivery)} ${numberOf(delivery)}`)).size).toBe(
        (sent + 1) * 24,
      );
    });

    test('no message is lost if a member is killed during a batch: another member gets the batch', async () => {
      const { bus, topic, group } = await openWithTopic();
      await bus.publish(
        topic,
        keys(24).flatMap((key) => [counted(key, 1), counted(key, 2)]),
      );
      const child = spawn(process.execPath, [fileURLToPath(new URL('bus-member.ts', import.meta.url)), group, topic], {
        env: { ...process.env, ...under.env },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      children.push(child);
      // The member commits its first batch and hangs in the next.
      const lines = createInterface({ input: child.stdout });
      const committed: string[] = [];
      let stuck: string[] = [];
      lines.on('line', (line) => {
        const [what, ...ids] = line.split(' ');
        if (what === 'handled') committed.push(...ids);
        if (what === 'stuck') stuck = ids;
      });
      await eventually(() => expect(stuck).not.toEqual([]));

      const got: Delivery[] = [];
      await bus.subscribe({ group, topics: [topic], handle: async (batch) => void got.push(...batch) });
      const dead = once(child, 'exit');
      child.kill('SIGKILL');
      await dead;
      await eventually(async () => expect(await bus.lag(group, [topic])).toEqual({ [topic]: 0 }));
      const ids = got.map(({ message }) => (message as Message).id);
      expect(ids).toEqual(expect.arrayContaining(stuck));
      expect(new Set([...ids, ...committed]).size).toBe(48);
    });

    test('a slow member buffers a bounded part of the backlog; the rest waits in the log', async () => {
      const { bus, topic, group } = await openWithTopic();
      const slow = fileURLToPath(new URL('slow-member.ts', import.meta.url));
      const child = spawn(process.execPath, ['--expose-gc', slow, group, topic], {
        env: { ...process.env, ...under.env },
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      children.push(child);
      const reports: { held: number; sizes: number[] }[] = [];
      createInterface({ input: child.stdout }).on('line', (line) => reports.push(JSON.parse(line)));
      const text = 'x'.repeat(100_000);
      for (let n = 0; n < 20; n++)
        await bus.publish(
          topic,
          keys(24).map((key) => counted(key, n, text)),
        );
      await eventually(() => expect(reports.length).toBeGreaterThan(0));
      // The bus now has all 48 MB for the member, and no message is committed.
      expect(await bus.lag(group, [topic])).toEqual({ [topic]: 480 });
      child.stdin.write('held?\n');
      await eventually(() => expect(reports.some(({ held }) => held > 0)).toBe(true));
      child.stdin.write('go\n');
      await eventually(async () => expect(await bus.lag(group, [topic])).toEqual({ [topic]: 0 }));
      expect(reports.flatMap(({ sizes }) => sizes)).toHaveLength(480);
      for (const { held } of reports) expect(held).toBeLessThan(20_000_000);
      for (const { sizes } of reports) expect(sizes.reduce((sum, one) => sum + one, 0)).toBeLessThan(1_500_000);
    });

    test('replays a topic from its start to its current end, in order per key, and moves no group', async () => {
      const { bus, topic, group } = await openWithTopic();
      for (let n = 0; n < 120; n++)
        await bus.publish(
          topic,
          keys(6).map((key) => counted(key, n)),
        );
      for (const _ of [1, 2]) {
        const all = await readAll(bus, topic);
        expect(all).toHaveLength(720);
        for (const [, ofKey] of groupBy(all, keyOf)) expect(ofKey.map(numberOf)).toEqual(ofKey.map((_, n) => n));
      }
      expect(await bus.lag(group, [topic])).toEqual({ [topic]: 720 });
    });

    test('replays only the newest messages of each partition, in order per key', async () => {
      const { bus, topic } = await openWithTopic();
      await bus.publish(
        topic,
        Array.from({ length: 30 }, (_, n) => counted('a', n)),
      );
      await bus.publish(topic, [counted('b', 0)]);
      const read = async (newest: number) => {
        const all: Delivery[] = [];
        await bus.replay(topic, async (batch) => void all.push(...batch), { newest });
        const of = (key: string) => all.filter((one) => keyOf(one) === key).map(numberOf);
        return [of('a'), of('b')];
      };
      expect(partitionOf('a')).not.toBe(partitionOf('b'));
      expect(await read(3)).toEqual([[27, 28, 29], [0]]);
      expect(await read(1_000)).toEqual([Array.from({ length: 30 }, (_, n) => n), [0]]);
    });

    test('ends a replay although new messages keep coming', async () => {
      const { bus, topic } = await openWithTopic();
      await bus.publish(topic, [counted('a', 0)]);
      let calls = 0;
      await bus.replay(topic, async () => {
        calls++;
        await bus.publish(topic, [counted('a', calls)]);
      });
      expect(calls).toBe(1);
    });

    test('rejects a replay whose handler throws', async () => {
      const { bus, topic } = await openWithTopic();
      await bus.publish(topic, [counted('a', 0)]);
      await expect(bus.replay(topic, () => Promise.reject(new Error('no room')))).rejects.toThrow('no room');
    });

    test('a tail gets every message from now on, in each instance', async () => {
      const { bus, topic } = await openWithTopic();
      const other = await open();
      await bus.publish(
        topic,
        keys(40).map((key) => counted(key, 0)),
      );
      const one: number[] = [];
      const two: number[] = [];
      const tail = await bus.tail([topic], (message) => {
        one.push((message as Counted).data.n);
        throw new Error('a failing listener must not lose messages');
      });
      await other.tail([topic], (message) => void two.push((message as Counted).data.n));
      // A tail delivers messages published from the moment it has resolved.
      await bus.publish(
        topic,
        keys(40).map((key) => counted(key, 1)),
      );
      await eventually(() => expect([one.length, two.length]).toEqual([40, 40]));
      await tail.stop();
      await bus.publish(
        topic,
        keys(300).map((key) => counted(key, 2)),
      );
      await eventually(() => expect(two).toHaveLength(340));
      expect(one).toEqual(one.map(() => 1));
      expect(one).toHaveLength(40);
      expect(two).not.toContain(0);
    });

    test('a batch whose handler throws is redelivered, and blocks only its own partition', async () => {
      const { bus, topic, group } = await openWithTopic();
      const [bad] = keys(1);
      const others = keys(40).filter((key) => partitionOf(key) !== partitionOf(bad!));
      await bus.publish(
        topic,
        [1, 2, 3].map((n) => counted(bad!, n)),
      );
      const tries: { at: number; batch: number[] }[] = [];
      const got: string[] = [];
      let well = false;
      await bus.subscribe({
        group,
        topics: [topic],
        handle: async (batch) => {
          if (keyOf(batch[0]!) === bad) {
            tries.push({ at: performance.now(), batch: batch.map(numberOf) });
            // This kind of error permanently ends a kafkajs consumer.
            if (!well) throw new TypeError('cannot read properties of undefined');
          } else got.push(...batch.map(keyOf));
        },
      });
      await eventually(() => expect(tries.length).toBeGreaterThanOrEqual(6));
      expect(tries[3]!.at - tries[0]!.at).toBeGreaterThan(300);
      // The other partitions do not wait for this one: within one of its pauses, which take seconds by now, all their
      // messages are handled. A pause may end just after they were published, so there are several rounds.
      let round = 0;
      for (let triesBefore = -1; triesBefore !== tries.length;) {
        expect(++round, 'each round waited for the failing partition').toBeLessThanOrEqual(5);
        triesBefore = tries.length;
        await bus.publish(
          topic,
          others.map((key) => counted(key, round)),
        );
        await eventually(() => expect(got.length).toBe(others.length * round));
      }
      // Handled messages are committed a moment later.
      await eventually(async () => expect(await bus.lag(group, [topic])).toEqual({ [topic]: 3 }));
      well = true;
      await eventually(async () => expect(await bus.lag(group, [topic])).toEqual({ [topic]: 0 }));
      for (const { batch } of tries) expect(batch.slice(0, 3)).toEqual([1, 2, 3]);
    });

    test('reports the lag of a group', async () => {
      const { bus, topic, group } = await openWithTopic();
      const empty = `test-${randomUUID()}`;
      await bus.ensureTopics([empty]);
      await bus.publish(
        topic,
        keys(20).map((key) => counted(key, 1)),
      );
      expect(await bus.lag(group, [topic, empty])).toEqual({ [topic]: 20, [empty]: 0 });
      const member = await bus.subscribe({ group, topics: [topic, empty], handle: async () => {} });
      await eventually(async () => expect(await bus.lag(group, [topic, empty])).toEqual({ [topic]: 0, [empty]: 0 }));
      await member.stop();
      await bus.publish(
        topic,
        keys(5).map((key) => counted(key, 2)),
      );
      expect(await bus.lag(group, [topic])).toEqual({ [topic]: 5 });
    });

    test('reports that it is healthy', async () => {
      expect(await (await open()).healthy()).toBe(true);
    });
  });
}

export type Counted = Message & { data: { n: number; text: string } };

export const counted = (key: string, n: number, text = ''): Counted => ({
  id: randomUUID(),
  type: 'test.counted',
  version: 1,
  key,
  occurredAt: new Date().toISOString(),
  correlationId: 'test',
  causationId: 'test',
  data: { n, text },
});

export const keys = (count: number): string[] => Array.from({ length: count }, (_, n) => `key-${n}`);
const keyOf = ({ message }: Delivery): string => (message as Counted).key;
const textOf = ({ message }: Delivery): string => (message as Counted).data.text;
export const numberOf = ({ message }: Delivery): number => (message as Counted).data.n;

function groupBy<T>(all: T[], by: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) groups.set(by(one), [...(groups.get(by(one)) ?? []), one]);
  return groups;
}

const byPartition = <T>(all: Delivery[], what: (one: Delivery) => T): T[][] =>
  [...groupBy(all, ({ partition }) => String(partition)).values()].map((group) => group.map(what));
