import { randomUUID } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import { openStore, type Logged, type Outgoing } from '@beltway/event-store';
import { eventStoreMigrations } from '@beltway/event-store/migrations';
import { plainMessage } from '@beltway/event-store/testing';
import { silent, type Bus, type BusLog } from '../src/bus/bus.ts';
import { openEmbeddedBus } from '../src/bus/embedded/bus.ts';
import { listDeadLetters, replayDeadLetter } from '../src/bus/dead-letters.ts';
import { metricsText } from '../src/observe/metrics.ts';
import { openPool } from '../src/postgres/pool.ts';
import { startRelay } from '../src/bus/relay.ts';
import { eventually, testDatabase } from '../src/testing/testing.ts';

const closing: Array<() => unknown> = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const folder = (name: string) => new URL(`../migrations/${name}`, import.meta.url).pathname;
const tell = (of: Logged) => plainMessage(of, 'box.said');

/** A log of one stream with an event per word, its relay, and the messages received on the bus. */
async function relayOf(
  words: unknown[],
  publish: (events: Logged[]) => Outgoing[],
  around: (bus: Bus) => Bus = (bus) => bus,
) {
  const [database, busDatabase] = await Promise.all([
    testDatabase([eventStoreMigrations, folder('inbox')]),
    testDatabase([folder('bus')]),
  ]);
  closing.push(database.drop, busDatabase.drop);
  const bus = await openEmbeddedBus({ url: busDatabase.url });
  closing.push(() => bus.close());
  const topic = `box-${randomUUID()}.events`;
  await bus.ensureTopics([topic]);
  const pool = openPool(database.url);
  const store = openStore({ url: database.url, toMessages: () => [] });
  closing.push(() => Promise.all([store.close(), pool.end()]));
  await pool.query(
    `insert into events (stream, version, type, data, correlation_id, causation_id, occurred_at)
     select 'box-1', n, 'Said', word, 'c', 'c', now() from json_array_elements($1) with ordinality words (word, n)`,
    [JSON.stringify(words)],
  );
  const errors: string[] = [];
  const log: BusLog = { ...silent, error: (_, text) => void errors.push(text) };
  const relay = await startRelay({ store, bus: around(bus), pool, log, topic, publish });
  closing.push(() => relay.stop());
  const heard = async () => {
    const all: unknown[] = [];
    await bus.replay(
      topic,
      async (batch) => void all.push(...batch.map(({ message }) => (message as { data: unknown }).data)),
    );
    return all;
  };
  return { bus, relay, heard, errors, group: topic.replace('.events', '.relay') };
}

test('an event that cannot be mapped is parked, and published after a fix; other events continue', async () => {
  let mended = false;
  const { bus, relay, heard, errors, group } = await relayOf([1, 2, 'bad', 4, 'bad', 6], (events) =>
    events.map((event) => {
      if (event.data === 'bad' && !mended) throw new TypeError('no such word');
      return tell(event);
    }),
  );
  await relay.caughtUp();
  expect(await heard()).toEqual([1, 2, 4, 6]);
  expect(errors).toEqual(['parked a dead letter', 'parked a dead letter']);
  expect(await metricsText()).toContain(`dead_letters_total{group="${group}",type="kit.event-to-relay"} 2`);
  const letters = await listDeadLetters(bus);
  expect(letters.map(({ group, error }) => [group, error.message])).toEqual(
    [3, 5].map((version) => [group, `Said, ${version} of box-1, cannot be published: TypeError: no such word`]),
  );

  // The fault is not fixed yet, so the message becomes a dead letter again.
  await replayDeadLetter(bus, letters[0]!.id);
  await eventually(async () => (await listDeadLetters(bus)).length === 3);
  mended = true;
  for (const { id, replayedAt } of await listDeadLetters(bus)) if (!replayedAt) await replayDeadLetter(bus, id);
  await eventually(async () => (await heard()).length === 6);
  expect(await heard()).toEqual([1, 2, 4, 6, 'bad', 'bad']);
});

test('an event too large for the bus is parked as a reference to its position', async () => {
  const large = 'x'.repeat(1_500_000);
  const { bus, relay, heard } = await relayOf([1, large, 3], (events) => events.map(tell));
  await relay.caughtUp();
  expect(await heard()).toEqual([1, 3]);
  const [letter] = await listDeadLetters(bus);
  expect(letter?.error.message).toContain('2 of box-1');
  expect(letter?.original).toMatchObject({ data: { stream: 'box-1', version: 2 } });
});

test('while the bus or the database is down nothing is parked: the relay waits', async () => {
  let tries = 0;
  const away = (bus: Bus): Bus => ({
    ...bus,
    async publish(topic, messages) {
      // The bus is down, then its topic is deleted. Neither is the fault of an event.
      if (topic.endsWith('.events') && ++tries <= 2)
        throw tries === 1 ? Object.assign(new Error('away'), { transient: true }) : new Error('no topic');
      await bus.publish(topic, messages);
    },
  });
  let reads = 0;
  const { bus, relay, heard } = await relayOf(
    [1, 2],
    (events) => {
      if (++reads === 1) throw Object.assign(new Error('relation "x" does not exist'), { code: '42P01' });
      return events.map(tell);
    },
    away,
  );
  await relay.caughtUp();
  expect(await heard()).toEqual([1, 2]);
  expect([reads, tries]).toEqual([4, 3]);
  expect(await listDeadLetters(bus)).toEqual([]);
});

test('an event that could not be parked is not skipped', async () => {
  let refusals = 0;
  const lame = (bus: Bus): Bus => ({
    ...bus,
    async publish(topic, messages) {
      if (topic.endsWith('.dead-letters') && ++refusals <= 2)
        throw Object.assign(new Error('away'), { transient: true });
      await bus.publish(topic, messages);
    },
  });
  const { bus, relay, heard } = await relayOf(
    ['bad', 2],
    (events) =>
      events.map((event) => {
        if (event.data === 'bad') throw new TypeError('no such word');
        return tell(event);
      }),
    lame,
  );
  await relay.caughtUp();
  expect(refusals).toBe(3);
  expect(await heard()).toEqual([2]);
  expect(await listDeadLetters(bus)).toHaveLength(1);
});
