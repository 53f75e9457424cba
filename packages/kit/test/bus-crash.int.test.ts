import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startPostgres, type Postgres } from '../../../scripts/launcher/engines/postgres.ts';
import type { Bus, Delivery } from '../src/bus/bus.ts';
import { openEmbeddedBus } from '../src/bus/embedded/bus.ts';
import { migrate } from '../src/postgres/migrate.ts';
import { eventually, eventuallyPasses } from '../src/testing/testing.ts';
import { counted, keys, type Counted } from './bus-contract.ts';

// The test has its own server, because it kills the server. Published messages must survive.

let folder: string;
let server: Postgres;
let bus: Bus;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'beltway-bus-'));
  chmodSync(folder, 0o711);
  server = await startPostgres({
    folder: join(folder, 'data'),
    logFile: join(folder, 'postgres.log'),
    password: 'bus',
    durable: true,
  });
  await migrate(server.url('postgres'), [new URL('../migrations/bus', import.meta.url).pathname]);
  bus = await openEmbeddedBus({ url: server.url('postgres') });
});
afterAll(async () => {
  await bus.close();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('survives a killed database: published messages are kept, and every member resumes automatically', async () => {
  const topic = 'test.events';
  await bus.ensureTopics([topic]);
  const published: string[] = [];
  const handled: string[][] = [];
  const heard: string[] = [];
  async function join(): Promise<void> {
    const ids: string[] = [];
    const group = `g${handled.push(ids)}`;
    const handle = async (batch: Delivery[]) => void ids.push(...batch.map(({ message }) => (message as Counted).id));
    await bus.subscribe({ group, topics: [topic], handle });
  }
  await join();
  await bus.tail([topic], (message) => void heard.push((message as Counted).id));

  for (let round = 0; round < 3; round++) {
    for (let n = 0; n < 40; n++) {
      const messages = keys(6).map((key) => counted(key, n));
      await bus.publish(topic, messages);
      published.push(...messages.map(({ id }) => id));
    }
    await join();
    const killed = server.pid()!;
    process.kill(killed, 'SIGKILL');
    // The launcher restarts the server. The publisher retries the same messages, as the relay does.
    await eventually(() => server.pid() !== killed);
    const messages = keys(6).map((key) => counted(key, round));
    await eventuallyPasses(() => bus.publish(topic, messages));
    published.push(...messages.map(({ id }) => id));
  }

  await eventuallyPasses(() => {
    for (const ids of handled) expect(new Set(ids)).toEqual(new Set(published));
    expect(heard.length).toBeGreaterThanOrEqual(published.length);
  });
  const kept: string[] = [];
  await bus.replay(topic, async (batch) => void kept.push(...batch.map(({ message }) => (message as Counted).id)));
  expect(new Set(kept)).toEqual(new Set(published));
  // A tail receives each message of the log once, despite the outages.
  expect(heard.toSorted()).toEqual(kept.toSorted());
});
