import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { BusUnavailable, silent, type Bus, type BusLog, type Delivery } from '../src/bus/bus.ts';
import { openEmbeddedBus } from '../src/bus/embedded/bus.ts';
import { partitionOf } from '../src/bus/partition.ts';
import { openBus } from '../src/bus/open.ts';
import { counted, keys, numberOf, type Counted } from './bus-contract.ts';
import { eventuallyPasses as eventually, testDatabase } from '../src/testing/testing.ts';
import { proxyTo, type Proxy } from './proxy.ts';

// Tests guarantees of the embedded bus only: it survives every fault of its database.

let database: Awaited<ReturnType<typeof testDatabase>>;
let proxy: Proxy;
let bus: Bus;
let direct: Bus;
let topic: string;

beforeAll(async () => {
  database = await testDatabase([new URL('../migrations/bus', import.meta.url).pathname]);
  proxy = await proxyTo(database.url);
}, 60_000);
beforeEach(async () => {
  bus = await openEmbeddedBus({ url: proxy.url });
  direct = await openEmbeddedBus({ url: database.url });
  topic = `test-${randomUUID()}`;
  await bus.ensureTopics([topic]);
});
afterEach(async () => {
  await proxy.mend();
  await Promise.all([bus.close(), direct.close()]);
});
afterAll(async () => {
  proxy.close();
  await database.drop();
});

/** Returns how long a refusal took, in ms. */
async function refusal(): Promise<number> {
  const begin = performance.now();
  await expect(bus.publish(topic, [counted('a', -1)])).rejects.toThrow(BusUnavailable);
  return performance.now() - begin;
}

test.each(['cut', 'freeze'] as const)(
  'recovers automatically after its database was away (%s): groups, tails and publishers',
  { timeout: 240_000 },
  async (fault) => {
    await bus.close();
    bus = await openEmbeddedBus({ url: proxy.url, waitMs: 1_000 });
    const got: number[] = [];
    const heard: number[] = [];
    await bus.subscribe({
      group: 'g',
      topics: [topic],
      handle: async (batch) => void got.push(...batch.map(numberOf)),
    });
    await bus.tail([topic], (message) => void heard.push((message as Counted).data.n));
    await bus.publish(topic, [counted('a', 0)]);
    await eventually(() => expect([got.length, heard.length]).toEqual([1, 1]));

    proxy[fault]();
    // Other processes can still publish. Their messages must arrive after the fault.
    for (let n = 1; n <= 10; n++)
      await direct.publish(
        topic,
        keys(25).map((key) => counted(key, n)),
      );
    const took = [await refusal()];
    expect(await bus.healthy()).toBe(false);
    took.push(await refusal(), await refusal());
    // A busy machine delays some.
    expect(Math.min(...took)).toBeLessThan(4_500);

    await proxy.mend();
    await eventually(() => bus.publish(topic, [counted('a', 11)]));
    // On a busy machine a response may be late again, and the pause after it may be long.
    await eventually(async () => expect(await direct.lag('g', [topic])).toEqual({ [topic]: 0 }));
    await eventually(() => expect(heard.length).toBeGreaterThanOrEqual(252));
    // The tail receives each message once. Messages whose publishing failed (-1) may still be in the log, so they are
    // not counted.
    expect(heard.filter((n) => n > 0 && n <= 10)).toHaveLength(250);
    expect(new Set(got)).toEqual(new Set([...heard]));
    await eventually(async () => expect(await bus.healthy()).toBe(true));
  },
);

test('if a member is cut off, another member gets its batch, and the late commit has no effect', async () => {
  await direct.publish(
    topic,
    [1, 2, 3].map((n) => counted('a', n)),
  );
  const gate = Promise.withResolvers<void>();
  const mine: number[] = [];
  const theirs: Delivery[] = [];
  await bus.subscribe({
    group: 'g',
    topics: [topic],
    handle: async (batch) => {
      mine.push(...batch.map(numberOf));
      await gate.promise;
    },
  });
  await eventually(() => expect(mine).toEqual([1, 2, 3]));
  const theirMember = await direct.subscribe({
    group: 'g',
    topics: [topic],
    handle: async (batch) => void theirs.push(...batch),
  });
  // While the member handles a batch, no other member gets the partition.
  await new Promise((resolve) => setTimeout(resolve, 1_200));
  expect(theirs).toEqual([]);

  proxy.cut();
  await eventually(() => expect(theirs.map(numberOf)).toEqual([1, 2, 3]));
  await direct.publish(topic, [counted('a', 4)]);
  await eventually(() => expect(theirs.map(numberOf)).toEqual([1, 2, 3, 4]));
  await theirMember.stop();
  await proxy.mend();
  await eventually(async () => expect(await bus.healthy()).toBe(true));
  gate.resolve();
  await bus.close();
  expect(await direct.lag('g', [topic])).toEqual({ [topic]: 0 });
});

test('a running handler keeps no transaction open, which would delay the relays of every service', async () => {
  const other = new pg.Client(database.url);
  await other.connect();
  // Checks only this database, because other test files hold transactions open in other databases of the server.
  const held = async () => {
    const { rows } = await other.query<{ state: string; query: string }>(
      `select state, query from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()
         and (state like 'idle in transaction%' or backend_xid is not null or backend_xmin is not null)`,
    );
    return rows;
  };
  const gate = Promise.withResolvers<void>();
  let working = false;
  await bus.publish(topic, [counted('a', 1)]);
  await bus.subscribe({
    group: 'g',
    topics: [topic],
    handle: async () => {
      working = true;
      await gate.promise;
    },
  });
  await eventually(() => expect(working).toBe(true));
  try {
    // The bus polls with short statements, but a transaction that is held open would still exist at the next check.
    await eventually(async () => expect(await held()).toEqual([]));
  } finally {
    gate.resolve();
    await other.end();
  }
});

test('hanging handlers block neither other groups nor publishers nor queries of their process', async () => {
  const gate = Promise.withResolvers<void>();
  let hanging = 0;
  await bus.publish(
    topic,
    keys(60).map((key) => counted(key, 1)),
  );
  for (const group of ['g1', 'g2', 'g3']) {
    await bus.subscribe({
      group,
      topics: [topic],
      handle: async () => {
        hanging++;
        await gate.promise;
      },
    });
  }
  await eventually(() => expect(hanging).toBe(12));
  const got: number[] = [];
  await bus.subscribe({
    group: 'g4',
    topics: [topic],
    handle: async (batch) => {
      // A handler may use the bus itself; dead letters are published this way.
      await bus.publish(topic, [counted('b', 2)].slice(0, batch.some((one) => numberOf(one) === 2) ? 0 : 1));
      got.push(...batch.map(numberOf));
    },
  });
  await eventually(async () => expect(await bus.lag('g4', [topic])).toEqual({ [topic]: 0 }));
  expect(got.filter((n) => n === 1)).toHaveLength(60);
  gate.resolve();
});

test('two members of a group in one process never share a partition', async () => {
  const busy = new Set<number>();
  const clashes: number[] = [];
  let handled = 0;
  const handle = async (batch: Delivery[]): Promise<void> => {
    const { partition } = batch[0]!;
    if (busy.has(partition)) clashes.push(partition);
    busy.add(partition);
    await new Promise((resolve) => setTimeout(resolve, 3));
    busy.delete(partition);
    handled += batch.length;
  };
  await bus.publish(
    topic,
    keys(24).flatMap((key) => [1, 2, 3, 4].map((n) => counted(key, n))),
  );
  for (const _ of [1, 2]) await bus.subscribe({ group: 'g', topics: [topic], batchSize: 1, handle });
  await eventually(() => expect(handled).toBe(96));
  expect(clashes).toEqual([]);
});

test('two members of a group in one process share no partition while another process holds some', async () => {
  const goOn = Promise.withResolvers<void>();
  const other = await openEmbeddedBus({ url: database.url });
  const held = new Set<number>();
  const [busy, clashes] = [new Set<number>(), new Set<number>()];
  let handled = 0;
  try {
    await bus.publish(
      topic,
      keys(1_200).map((key) => counted(key, 0)),
    );
    await other.subscribe({
      ...{ group: 'g', topics: [topic], batchSize: 1 },
      handle: async ([first]) => {
        held.add(first!.partition);
        await goOn.promise;
      },
    });
    await eventually(() => expect(held.size).toBe(4));
    const handle = async ([first]: Delivery[]): Promise<void> => {
      const { partition } = first!;
      if (busy.has(partition)) clashes.add(partition);
      busy.add(partition);
      await new Promise((resolve) => setTimeout(resolve, 5));
      busy.delete(partition);
      handled++;
    };
    for (const _ of [1, 2]) await bus.subscribe({ group: 'g', topics: [topic], batchSize: 1, handle });
    await eventually(() => expect(handled).toBeGreaterThan(600));
    expect([...clashes]).toEqual([]);
  } finally {
    goOn.resolve();
    await other.close();
  }
});

test('a busy partition does not starve a quiet partition', async () => {
  const at = (partition: number): string => keys(200).find((key) => partitionOf(key) === partition)!;
  const [busy, quiet] = [at(0), at(11)];
  await bus.publish(
    topic,
    Array.from({ length: 300 }, (_, n) => counted(busy, n)),
  );
  await bus.publish(topic, [counted(quiet, 0)]);
  const order: string[] = [];
  const one = await openEmbeddedBus({ url: database.url, concurrency: 1 });
  try {
    const handle = async ([first]: Delivery[]) => void order.push((first!.message as Counted).key);
    await one.subscribe({ group: 'g', topics: [topic], batchSize: 1, handle });
    await eventually(() => expect(order).toContain(quiet));
    expect(order.indexOf(quiet)).toBeLessThan(3);
  } finally {
    await one.close();
  }
});

test('an announced message is delivered without waiting for the slow poll', async () => {
  const handled: number[] = [];
  const heard: number[] = [];
  await bus.subscribe({
    group: 'g',
    topics: [topic],
    handle: async (batch) => void handled.push(...batch.map(numberOf)),
  });
  await bus.tail([topic], (message) => void heard.push((message as Counted).data.n));
  const begin = performance.now();
  for (let n = 1; n <= 16; n++) {
    await direct.publish(topic, [counted('a', n)]);
    await eventually(() => expect([handled.length, heard.length]).toEqual([n, n]));
  }
  await direct.publish(
    topic,
    Array.from({ length: 3_200 }, (_, n) => counted('a', n)),
  );
  await eventually(() => expect([handled.length, heard.length]).toEqual([3_216, 3_216]));
  // With polling alone, each of the sixteen groups and each page of the burst would wait up to two seconds.
  expect(performance.now() - begin).toBeLessThan(20_000);
});

test('the slow poll finds messages that were not announced', async () => {
  const handled: number[] = [];
  const heard: number[] = [];
  await bus.subscribe({
    group: 'g',
    topics: [topic],
    handle: async (batch) => void handled.push(...batch.map(numberOf)),
  });
  await bus.tail([topic], (message) => void heard.push((message as Counted).data.n));
  const quiet = new pg.Client(database.url);
  await quiet.connect();
  await quiet.query(
    `with moved as (update bus_partitions set next_offset = 1 where topic = $1 and partition = 0)
     insert into bus_messages values ($1, 0, 0, 'a', $2)`,
    [topic, JSON.stringify(counted('a', 7))],
  );
  await quiet.end();
  await eventually(() => expect([handled, heard]).toEqual([[7], [7]]));
});

test('an idle process polls with one statement for all groups', async () => {
  const idle = await openEmbeddedBus({ url: database.url });
  try {
    for (const group of ['a', 'b', 'c', 'd']) await idle.subscribe({ group, topics: [topic], handle: async () => {} });
    // Each health check completes after the groups' earlier polls, and then after the resulting work.
    for (let n = 0; n < 2; n++) expect(await idle.healthy()).toBe(true);
    const asked = vi.spyOn(pg.Client.prototype, 'query');
    const looks = () =>
      asked.mock.calls
        .map(([query]) => query as unknown as pg.QueryConfig)
        .filter(({ text, values }) => text.includes('from bus_offsets') && JSON.stringify(values).includes('"d"'));
    await eventually(() => expect(looks().length).toBeGreaterThan(1));
    expect(looks().map(({ values }) => values)).toEqual(looks().map(() => [['a', 'b', 'c', 'd']]));
  } finally {
    vi.restoreAllMocks();
    await idle.close();
  }
});

test('closes in bounded time while the database hangs', async () => {
  const took: number[] = [];
  for (const group of ['g', 'h', 'i']) {
    const idle = await openEmbeddedBus({ url: proxy.url, waitMs: 1_000 });
    await idle.subscribe({ group, topics: [topic], handle: async () => {} });
    proxy.freeze();
    const begin = performance.now();
    await idle.close();
    took.push(performance.now() - begin);
    await proxy.mend();
  }
  // A busy machine delays some.
  expect(Math.min(...took)).toBeLessThan(4_500);
});

test('if the database is down, opening rejects in bounded time, whereas a start waits and logs this', async () => {
  proxy.cut();
  const env = { BUS_DATABASE_URL: proxy.url };
  const words: string[] = [];
  const log: BusLog = { ...silent, warn: (_, text) => void words.push(text), info: (_, text) => void words.push(text) };
  await expect(openBus(env, log, { once: true })).rejects.toThrow(BusUnavailable);
  await expect(openBus({}, log)).rejects.toThrow('The bus needs');
  const opening = openBus(env, log);
  await eventually(() => expect(words).toEqual(['bus: it does not answer, the start waits for it']));
  await proxy.mend();
  const late = await opening;
  expect(words).toContain('bus: it answers, going on with the start');
  await late.publish(topic, [counted('a', 1)]);
  await late.close();
});

test('bus calls during a start wait for a bus that is down again', async () => {
  const started = await openBus({ BUS_DATABASE_URL: proxy.url });
  proxy.cut();
  const asked = [
    started.ensureTopics(['late.events']),
    started.subscribe({ group: 'late', topics: ['late.events'], handle: async () => {} }),
    started.tail(['late.events'], () => {}),
  ];
  const early = await Promise.race([Promise.allSettled(asked), pause(1_000)]);
  expect(early).toBeUndefined();
  await proxy.mend();
  await Promise.all(asked);
  expect(await started.topics()).toContain('late.events');
  await started.close();
});

test('a message that is not JSON does not block its partition', async () => {
  const stranger = new pg.Client(database.url);
  await stranger.connect();
  await stranger.query(
    `with moved as (update bus_partitions set next_offset = 1 where topic = $1 and partition = 0)
     insert into bus_messages values ($1, 0, 0, 'a', 'no json')`,
    [topic],
  );
  await stranger.end();
  const got: unknown[] = [];
  await bus.subscribe({
    group: 'g',
    topics: [topic],
    handle: async (batch) => void got.push(...batch.map(({ message }) => message)),
  });
  await eventually(() => expect(got).toEqual(['no json']));
  await bus.replay(topic, async (batch) => expect(batch.map(({ message }) => message)).toEqual(['no json']));
});
