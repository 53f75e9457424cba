import { expect, test } from 'vitest';
import { follow, openStore } from '@beltway/event-store';
import { eventStoreMigrations } from '@beltway/event-store/migrations';
import '../src/bus/lags.ts';
import { metricsText } from '../src/observe/metrics.ts';
import { eventually, testDatabase } from '../src/testing/testing.ts';

test('the metrics show the lag of each follower of the log, in events and seconds, until it stops', async () => {
  const database = await testDatabase([eventStoreMigrations]);
  const store = openStore({ url: database.url, toMessages: () => [] });
  let away = true;
  const follower = follow(store, {
    name: 'relay-of-the-test',
    handle: async () => {
      if (away) throw new Error('the bus is away');
    },
  });
  const shown = async (what: string) => {
    const line = (await metricsText())
      .split('\n')
      .find((one) => one.startsWith(`log_follower_${what}{follower="relay-of-the-test"}`));
    return line && Number(line.split(' ').at(-1));
  };
  expect([await shown('events'), await shown('seconds')]).toEqual([0, 0]);
  await store.pool.query(
    `insert into events (stream, version, type, data, correlation_id, causation_id, occurred_at)
     values ('box-1', 1, 'Filled', '{}', 'c', 'c', now() - interval '1 minute'), ('box-1', 2, 'Filled', '{}', 'c', 'c', now())`,
  );
  expect(await shown('events')).toBe(2);
  expect(await shown('seconds')).toBeGreaterThanOrEqual(60);
  away = false;
  await follower.caughtUp();
  await eventually(async () => (await shown('events')) === 0);
  expect(await shown('seconds')).toBe(0);
  await follower.stop();
  expect(await shown('events')).toBeUndefined();
  await store.close();
  await database.drop();
});
