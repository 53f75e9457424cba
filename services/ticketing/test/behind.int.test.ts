import { randomUUID } from 'node:crypto';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import type { Bus } from '@beltway/kit/bus';
import { versionsAhead } from '@beltway/kit/bus/versions-ahead';
import { openPool } from '@beltway/kit/postgres';
import { eventually } from '@beltway/kit/testing';
import { backup, catchUpLater, heard } from './restored.ts';
import {
  call,
  guestKey,
  onSale,
  pay,
  SECRET,
  startCheckout,
  startTicketing,
  stockOf,
  TOKEN,
  type Ticketing,
} from './support.ts';

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const children: ChildProcess[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
});

/** Starts an instance with the deployed configuration on these databases. */
function start({ databaseUrl, busUrl, identity, dataDir }: Ticketing) {
  const child = spawn(process.execPath, [MAIN], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      SERVICE_PORT: '0',
      BELTWAY_MODE: 'embedded',
      DATABASE_URL: databaseUrl,
      BUS_DATABASE_URL: busUrl,
      INTERNAL_TOKEN: TOKEN,
      IDENTITY_URL: identity.url,
      PAYMENTS_URL: 'http://127.0.0.1:1',
      PUBLIC_URL: 'http://localhost:3000',
      TICKET_SECRET: SECRET,
      DATA_DIR: dataDir,
    },
  });
  children.push(child);
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += String(chunk)));
  child.stderr.on('data', (chunk: Buffer) => (output += String(chunk)));
  return {
    /** Waits until the instance exits with an error; returns its output. */
    refused: async () => {
      const [code] = (await once(child, 'close')) as [number | null];
      expect(code, output).toBe(1);
      return output;
    },
    /** Waits until the instance is ready; returns its URL. */
    ready: async () => {
      const port = await eventually(() => /"port":(\d+)[^\n]*"listening"/.exec(output)?.[1], { what: 'a start' });
      return { url: `http://127.0.0.1:${port}` };
    },
    stop: async () => {
      child.kill('SIGTERM');
      await once(child, 'close');
    },
  };
}

const hold = (url: string, quantity: number) =>
  call(url, 'POST', '/api/holds', {
    body: { eventId: 42, quantity },
    headers: { 'idempotency-key': guestKey(randomUUID()) },
  });

async function sell(ticketing: Ticketing, quantity: number) {
  const { body } = await startCheckout(ticketing, { quantity });
  expect((await pay(ticketing, body.paymentIntentId)).body.status).toBe('fulfilled');
  const { orderId } = body as { orderId: string };
  const isSaid = ({ type, data }: { type: string; data: unknown }) =>
    type === 'ticketing.ticket-purchased' && (data as { orderId: string }).orderId === orderId;
  await eventually(async () => (await heard(ticketing)).some(isSaid));
  return orderId;
}

const aheadOf = async ({ databaseUrl, bus }: Ticketing) => {
  const pool = openPool(databaseUrl, { connectionTimeoutMillis: 30_000 });
  try {
    return await versionsAhead(bus, pool, 'ticketing.events');
  } finally {
    await pool.end();
  }
};

test('if its log is behind its published messages, no instance of ticketing starts until the log has caught up', async () => {
  const ticketing = await onSale(4);
  await sell(ticketing, 1);
  const restore = await backup(ticketing);
  await sell(ticketing, 3);
  await ticketing.stop();
  await restore();

  const texts = await Promise.all([start(ticketing), start(ticketing)].map((instance) => instance.refused()));
  for (const text of texts) {
    expect(text).toMatch(/sale-42 was at version \d+ there and is at \d+ here/);
    expect(text).toContain('catch-up.ts');
    expect(text).not.toMatch(/^\s+at /m);
    for (const secret of [SECRET, TOKEN]) expect(text).not.toContain(secret);
  }
  // Instances that failed to start do not count as a running ticketing.
  expect((await catchUpLater(ticketing)).soldAgain).toHaveLength(1);
  const again = start(ticketing);
  const { url } = await again.ready();
  expect(await stockOf({ url })).toEqual({ capacity: 4, sold: 4, held: 0 });
  expect((await hold(url, 1)).body.code).toBe('sold-out');
});

test('a first start is allowed, and so is a start with an older or empty bus', async () => {
  const fresh = await startTicketing();
  await fresh.stop();
  const first = start(fresh);
  await first.ready();
  await first.stop();

  const ticketing = await onSale(4);
  await sell(ticketing, 1);
  const busPool = openPool(ticketing.busUrl, { connectionTimeoutMillis: 30_000 });
  await busPool.query('create schema kept');
  const tables = ['bus_partitions', 'bus_offsets', 'bus_messages'];
  for (const table of tables) await busPool.query(`create table kept.${table} as table ${table}`);
  await sell(ticketing, 1);
  await ticketing.stop();
  const older = tables.map(
    (table) => `delete from ${table}; insert into ${table} overriding system value table kept.${table};`,
  );
  await busPool.query(older.join(' '));
  const withOlder = start(ticketing);
  const { url } = await withOlder.ready();
  expect(await stockOf({ url })).toEqual({ capacity: 4, sold: 2, held: 0 });
  await withOlder.stop();
  await busPool.query('delete from bus_messages; delete from bus_offsets; update bus_partitions set next_offset = 0');
  await busPool.end();
  const { url: last } = await start(ticketing).ready();
  expect((await hold(last, 2)).status).toBe(201);
  expect((await hold(last, 1)).body.code).toBe('all-held');
});

test('missing log events without a purchase are found, too: a hold, and an unknown sale', async () => {
  const ticketing = await onSale(4);
  const said = () => eventually(async () => (await stockSaid(ticketing)) === (await head(ticketing)));
  await said();
  const restore = await backup(ticketing);
  expect((await hold(ticketing.url, 1)).status).toBe(201);
  await said();
  expect(await aheadOf(ticketing)).toEqual([]);
  await ticketing.stop();
  await restore();
  expect(await aheadOf(ticketing)).toEqual([{ stream: 'sale-42', said: 2, known: 1 }]);
  await ticketing.rows('delete from events');
  expect(await aheadOf(ticketing)).toEqual([{ stream: 'sale-42', said: 2, known: 0 }]);
});

const head = async ({ rows }: Ticketing) => Number((await rows('select max(version) as head from events'))[0]!['head']);
const stockSaid = async (ticketing: Ticketing) =>
  Math.max(
    0,
    ...(await heard(ticketing))
      .filter(({ type }) => type === 'ticketing.stock-changed')
      .map(({ data }) => (data as { version: number }).version),
  );

test('while other instances sell and publish, a starting instance never considers the log behind', async () => {
  const ticketing = await onSale(1_000);
  let goesOn = true;
  const crowd = Array.from({ length: 4 }, async () => {
    while (goesOn) expect((await hold(ticketing.url, 1)).status).toBe(201);
  });
  try {
    for (let n = 0; n < 20; n++) expect(await aheadOf(ticketing)).toEqual([]);
    expect(await stockSaid(ticketing)).toBeGreaterThan(1);
  } finally {
    goesOn = false;
    await Promise.all(crowd);
  }
});

test('after an interrupted catch-up.ts no instance starts until it has finished, days after the copy was made', async () => {
  const ticketing = await onSale(3);
  const restore = await backup(ticketing);
  const lost = await sell(ticketing, 3);
  await ticketing.stop();
  await restore();
  // Dates events and messages back by several days.
  await ticketing.rows(`update events set occurred_at = occurred_at - interval '5 days'`);
  const busPool = openPool(ticketing.busUrl, { connectionTimeoutMillis: 30_000 });
  await busPool.query(
    `update bus_messages set message = regexp_replace(message, '"occurredAt":"[^"]*"', '"occurredAt":"' ||
       to_char(now() at time zone 'UTC' - interval '4 days', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"')`,
  );
  await busPool.end();

  // This run passes the published versions but sells nothing again, so the topic no longer shows a difference.
  const cutOff: Bus = {
    ...ticketing.bus,
    replay: (topic, ...rest) =>
      topic === 'ticketing.events'
        ? ticketing.bus.replay(topic, ...rest)
        : Promise.reject(new Error('the plug was pulled')),
  };
  await expect(catchUpLater(ticketing, cutOff)).rejects.toThrow('the plug was pulled');
  expect(await aheadOf(ticketing)).toEqual([]);
  expect(await start(ticketing).refused()).toMatch(/catch-up\.ts began at \S+Z on this database and has not ended/);
  expect((await catchUpLater(ticketing)).soldAgain).toEqual([lost]);
  const { url } = await start(ticketing).ready();
  expect(await stockOf({ url })).toEqual({ capacity: 3, sold: 3, held: 0 });
});

test('during a run no instance starts, and no second run', async () => {
  const ticketing = await onSale(3);
  await ticketing.stop();
  const [begun, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const slow: Bus = {
    ...ticketing.bus,
    replay: async (topic, ...rest) => {
      begun.resolve();
      await goOn.promise;
      await ticketing.bus.replay(topic, ...rest);
    },
  };
  const first = catchUpLater(ticketing, slow);
  await begun.promise;
  await expect(catchUpLater(ticketing)).rejects.toThrow(/Another catch-up/);
  expect(await start(ticketing).refused()).toContain('has not ended');
  goOn.resolve();
  await first;
  await start(ticketing).ready();
});
