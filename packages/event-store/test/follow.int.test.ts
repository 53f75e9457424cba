import { Client } from 'pg';
import { expect, test } from 'vitest';
import {
  follow,
  publishAgain,
  rebuild,
  relay,
  type OutgoingMessage,
  type Queries,
  type Store,
} from '@beltway/event-store';
import { plainMessage } from '@beltway/event-store/testing';
import { eventually } from '@beltway/kit/testing';
import { projectTakings, projectTotals } from './box.ts';
import { commandId, database, instance, later } from './support.ts';

const id = () => ({ commandId: commandId() });

function listen(store: Store, send: (messages: OutgoingMessage[]) => Promise<void>) {
  const follower = relay(store, {
    topic: 'box.events',
    publish: (events) => events.map((event) => plainMessage(event, `box.${event.type}`)),
    send,
  });
  later(() => follower.stop());
  return follower;
}

test('the relay sends every event once, in stream order, and with the same id when it is sent again', async () => {
  const { url } = await database();
  const { store, boxes } = instance(url);
  const sent: OutgoingMessage[] = [];
  let fail = true;
  listen(store, async (messages) => {
    sent.push(...messages);
    if (fail && sent.length > 5) {
      fail = false;
      throw new Error('the bus broke off after it took them');
    }
  });
  await boxes.handle(1, { type: 'Fill', size: 50 }, id());
  for (let n = 0; n < 20; n++) await boxes.handle(1, { type: 'Take', who: `w${n}`, count: 1 }, id());
  const distinct = await eventually(() => {
    const unique = new Map(sent.map((message) => [message.id, message]));
    return unique.size === 21 && unique;
  });
  expect([...distinct.values()].map(({ data }) => (data as { who?: string }).who)).toEqual([
    undefined,
    ...Array.from({ length: 20 }, (_, n) => `w${n}`),
  ]);
  await eventually(() => sent.length > 21);
});

test('under load, events are sent in batches, with a pause of 200 ms after each batch', async () => {
  const { url } = await database();
  const { store, boxes } = instance(url);
  const runs: number[] = [];
  const follower = listen(store, async (messages) => void runs.push(messages.length));
  await boxes.handle(1, { type: 'Fill', size: 200 }, id());
  const since = performance.now();
  for (let n = 0; n < 150; n++) await boxes.handle(1, { type: 'Take', who: `w${n}`, count: 1 }, id());
  await follower.caughtUp();
  const restsFitIn = (performance.now() - since) / 199; // a timer may be a millisecond early
  expect(runs.reduce((sum, count) => sum + count, 0)).toBe(151);
  expect(runs.length).toBeLessThanOrEqual(restsFitIn + 2);
});

test('a follower of chosen types gets each event of these types once, in order, and no other event', async () => {
  const { url } = await database();
  const { store, boxes } = instance(url);
  for (const box of ['a', 'b', 'c']) {
    await boxes.handle(box, { type: 'Fill', size: 10 }, id());
    for (const who of ['x', 'y', 'z']) await boxes.handle(box, { type: 'Take', who, count: 1 }, id());
  }
  for (const batchSize of [1, 2, 5, 12, 100]) {
    const runs: string[][] = [];
    const follower = follow(store, {
      name: `by ${batchSize}`,
      types: ['Filled', "O'Brien"],
      batchSize,
      handle: async (events) => void runs.push(events.map(({ stream, version }) => `${stream} ${version}`)),
    });
    later(() => follower.stop());
    await follower.caughtUp();
    expect(runs.flat()).toEqual(['box-a 1', 'box-b 1', 'box-c 1']);
    expect(runs.every(({ length }) => length > 0 && length <= batchSize)).toBe(true);
  }
});

test('the relay does not skip an event whose transaction was still open', async () => {
  const { url } = await database();
  const { store, boxes } = instance(url);
  const sent: string[] = [];
  listen(store, async (messages) => void sent.push(...messages.map(({ key }) => key)));
  const slow = new Client({ connectionString: url });
  await slow.connect();
  await slow.query('begin');
  // Takes a lower position than the next events but commits later.
  await slow.query(
    `insert into events (stream, version, type, data, correlation_id, causation_id, occurred_at) values ('box-slow', 1, 'Filled', '{"size":1}', 'c', 'c', now())`,
  );
  await boxes.handle('fast', { type: 'Fill', size: 1 }, id());
  await new Promise((resolve) => setTimeout(resolve, 1_300)); // longer than the follower's polling interval
  expect(sent).toEqual([]);
  await slow.query('commit');
  await slow.end();
  await eventually(() => sent.length === 2);
  expect(sent).toEqual(['box-slow', 'box-fast']);
});

test('one relay runs at a time; when its instance dies, another continues from the checkpoint', async () => {
  const { url, admin } = await database();
  const [one, two] = [instance(url), instance(url)];
  const sent: Array<[string, string]> = [];
  listen(
    one.store,
    async (messages) => void sent.push(...messages.map(({ id: message }) => ['one', message] as [string, string])),
  );
  await one.boxes.handle(1, { type: 'Fill', size: 100 }, id());
  await eventually(() => sent.length === 1);
  listen(
    two.store,
    async (messages) => void sent.push(...messages.map(({ id: message }) => ['two', message] as [string, string])),
  );
  for (let n = 0; n < 10; n++) await two.boxes.handle(1, { type: 'Take', who: `w${n}`, count: 1 }, id());
  await eventually(() => sent.length === 11);
  expect(new Set(sent.map(([who]) => who))).toEqual(new Set(['one']));
  // The leader holds the advisory lock. The query is limited to this database, because other test files have databases
  // on this server.
  await admin.query(
    `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and granted and pid <> pg_backend_pid()
      and database = (select oid from pg_database where datname = current_database())`,
  );
  for (let n = 10; n < 20; n++) await two.boxes.handle(1, { type: 'Take', who: `w${n}`, count: 1 }, id());
  await eventually(() => new Set(sent.map(([, message]) => message)).size === 21);
});

test('a log is published again while its relay runs: messages keep their ids, and no new event is lost', async () => {
  const { url } = await database();
  const [one, two] = [instance(url), instance(url)];
  const sent: string[] = [];
  const send = async (messages: OutgoingMessage[]) => void sent.push(...messages.map((message) => message.id));
  const leading = listen(one.store, send);
  await one.boxes.handle(1, { type: 'Fill', size: 100 }, id());
  for (let n = 0; n < 10; n++) await one.boxes.handle(1, { type: 'Take', who: `w${n}`, count: 1 }, id());
  await leading.caughtUp();
  listen(two.store, send);
  const first = [...sent];
  expect(await publishAgain(one.store.pool)).toBe(11);
  await two.boxes.handle(1, { type: 'Take', who: 'later', count: 1 }, id());
  await eventually(() => sent.length === 23);
  expect(sent.slice(11, 22)).toEqual(first);
  expect(new Set(sent).size).toBe(12);
});

test('caughtUp on a standby resolves when the leader has caught up', async () => {
  const { url } = await database();
  const [one, two] = [instance(url), instance(url)];
  const bus = Promise.withResolvers<void>();
  let sent = 0;
  const leading = listen(one.store, async ({ length }) => {
    await bus.promise;
    sent += length;
  });
  await one.boxes.handle(1, { type: 'Fill', size: 100 }, id());
  await eventually(async () => (await leading.lag()).seconds > 0);
  const standby = listen(two.store, async () => expect.unreachable('it does not lead'));
  let waited = false;
  const waiting = standby.caughtUp().then(() => (waited = true));
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(waited).toBe(false);
  bus.resolve();
  await waiting;
  expect(sent).toBe(1);
});

test('the lag of a follower is the same on the leader and on a standby', async () => {
  const { url } = await database();
  const [one, two] = [instance(url), instance(url)];
  let away = true;
  const send = async () => {
    if (away) throw new Error('the bus is away');
  };
  const both = [listen(one.store, send), listen(two.store, send)];
  for (const follower of both) expect(await follower.lag()).toEqual({ events: 0, seconds: 0 });
  await one.boxes.handle(1, { type: 'Fill', size: 100 }, id());
  for (const who of ['a', 'b']) await one.boxes.handle(1, { type: 'Take', who, count: 1 }, id());
  await new Promise((resolve) => setTimeout(resolve, 100));
  for (const follower of both) {
    const { events, seconds } = await follower.lag();
    expect(events).toBe(3);
    expect(seconds).toBeGreaterThan(0.09);
    expect(seconds).toBeLessThan(10);
  }
  away = false;
  await Promise.all(both.map((follower) => follower.caughtUp()));
  for (const follower of both) expect(await follower.lag()).toEqual({ events: 0, seconds: 0 });
});

test('a process that hangs within a transaction delays the relay by ten seconds at most', async () => {
  const { url } = await database();
  const [one, frozen] = [instance(url), instance(url)];
  const sent: string[] = [];
  listen(one.store, async (messages) => void sent.push(...messages.map(({ key }) => key)));
  const client = await frozen.store.writers.connect();
  await client.query('begin');
  await client.query(
    `insert into events (stream, version, type, data, correlation_id, causation_id, occurred_at) values ('box-frozen', 1, 'Filled', '{"size":1}', 'c', 'c', now())`,
  );
  const since = performance.now();
  await one.boxes.handle('free', { type: 'Fill', size: 1 }, id());
  await eventually(() => sent.length === 1, { what: 'the end of the hanging transaction' });
  const seconds = (performance.now() - since) / 1_000;
  expect(sent).toEqual(['box-free']);
  expect(seconds).toBeGreaterThan(8); // proves that the relay was delayed at all
  expect(seconds).toBeLessThan(30); // transactions of other test files may delay it longer
  await expect(client.query('commit')).rejects.toThrow();
  client.release(true);
});

test('a hanging session of a store is ended; the session of a hanging leader even while idle', async () => {
  const { url } = await database();
  const { store, boxes } = instance(url);
  const show = async (db: Queries) => {
    const { rows } = await db.query<{ name: string; setting: string }>(
      `select name, setting from pg_settings where name ~ '^tcp_|idle_' order by name`,
    );
    return Object.fromEntries(rows.map(({ name, setting }) => [name, setting]));
  };
  const leading = Promise.withResolvers<Record<string, string>>();
  const follower = follow(store, { name: 'looks', handle: async (_, db) => leading.resolve(await show(db)) });
  later(() => follower.stop());
  await boxes.handle(1, { type: 'Fill', size: 1 }, id());
  const all = { idle_in_transaction_session_timeout: '10000', tcp_keepalives_idle: '10', tcp_user_timeout: '25000' };
  for (const pool of [store.pool, store.writers]) expect(await show(pool)).toMatchObject(all);
  expect(await leading.promise).toMatchObject({ ...all, idle_session_timeout: '20000' });
});

test('an async projection that failed halfway sees each event once', async () => {
  const { url, rows } = await database();
  const { store, boxes } = instance(url, { projections: [] });
  let failures = 3;
  const follower = follow(store, {
    name: 'projection:all-taken',
    transactional: true,
    batchSize: 4,
    handle: async (events, db) => {
      for (const event of events)
        if (event.type === 'Taken')
          await db.query(
            `insert into totals as t values ('all', 1) on conflict (stream) do update set taken = t.taken + 1`,
          );
      if (failures-- > 0) throw new Error('broke off');
    },
  });
  later(() => follower.stop());
  await boxes.handle(1, { type: 'Fill', size: 30 }, id());
  for (let n = 0; n < 30; n++) await boxes.handle(1, { type: 'Take', who: `w${n}`, count: 1 }, id());
  await follower.caughtUp();
  expect(await rows('select taken from totals')).toEqual([{ taken: 30 }]);
});

test('a caller notified of handled log events sees the rows written from them', async () => {
  const { url, rows } = await database();
  const { store, boxes } = instance(url, { projections: [] });
  const seen: Array<Promise<unknown[]>> = [];
  const follower = follow(store, {
    name: 'projection:told',
    transactional: true,
    handle: async (events, db) => {
      for (const { stream } of events) await db.query(`insert into totals values ($1, 1)`, [stream]);
    },
    handled: () => void seen.push(rows('select from totals')),
  });
  later(() => follower.stop());
  for (let size = 1; size <= 3; size++) {
    await boxes.handle(size, { type: 'Fill', size }, id());
    await follower.caughtUp();
  }
  const counts = (await Promise.all(seen)).map(({ length }) => length);
  expect(counts.length).toBeGreaterThan(0);
  expect(counts.at(-1)).toBe(3);
  expect(counts.every((count, at) => count > at)).toBe(true);
});

const model = {
  category: 'box',
  projections: [projectTotals, projectTakings],
  tables: ['totals', 'takings'],
} as unknown as Parameters<typeof rebuild>[1][number];

test('read models rebuilt from the log equal the previous read models', async () => {
  const { url } = await database();
  const { store, boxes } = instance(url);
  for (const stream of [1, 2, 3]) {
    await boxes.handle(stream, { type: 'Fill', size: 30 }, id());
    await Promise.all(
      Array.from({ length: 20 }, (_, n) => boxes.handle(stream, { type: 'Take', who: `w${n}`, count: 1 }, id())),
    );
  }
  const { tables, events } = await rebuild(store.pool, [model], {});
  expect(events).toBe(63);
  expect(tables.map(({ table, rows }) => [table, rows])).toEqual([
    ['totals', 3],
    ['takings', 60],
  ]);
  for (const { before, after } of tables) expect(after).toBe(before);
});

test('a log of many pages is rebuilt completely, and a failed rebuild leaves the read models unchanged', async () => {
  const { url, rows } = await database();
  const { store } = instance(url);
  await rows(`insert into events (stream, version, type, data, correlation_id, causation_id, occurred_at)
    select 'box-' || s, v, case v when 1 then 'Filled' else 'Taken' end,
      case v when 1 then '{"size": 9999}' else json_build_object('who', 'w' || v, 'count', 1) end, 'c', 'c', now()
    from generate_series(1, 4001) v, generate_series(1, 3) s`);
  const { tables, events } = await rebuild(store.pool, [model], {});
  expect(events).toBe(12_003);
  expect(tables.map(({ table, rows }) => [table, rows])).toEqual([
    ['totals', 3],
    ['takings', 12_000],
  ]);
  expect(await rows('select distinct taken from totals')).toEqual([{ taken: 4_000 }]);

  await rows(`insert into events (stream, version, type, data, correlation_id, causation_id, occurred_at)
    values ('box-1', 4002, 'Taken', '{"who": "w2", "count": "not a number"}', 'c', 'c', now())`);
  await expect(rebuild(store.pool, [model], {})).rejects.toThrow();
  expect(await rows('select count(*)::int as n from takings')).toEqual([{ n: 12_000 }]);
});

test('the digest reveals a wrong read model, and the rebuild corrects it', async () => {
  const { url, rows } = await database();
  const { store, boxes } = instance(url);
  await boxes.handle(1, { type: 'Fill', size: 3 }, id());
  await boxes.handle(1, { type: 'Take', who: 'ann', count: 3 }, id());
  await rows('update totals set taken = 99');
  const [totals, takings] = (await rebuild(store.pool, [model], {})).tables;
  expect(totals?.after).not.toBe(totals?.before);
  expect(takings?.after).toBe(takings?.before);
  expect(await rows('select taken from totals')).toEqual([{ taken: 3 }]);
});
