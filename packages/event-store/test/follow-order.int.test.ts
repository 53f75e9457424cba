import { Client } from 'pg';
import { expect, test } from 'vitest';
import { follow, relay } from '@beltway/event-store';
import { plainMessage } from '@beltway/event-store/testing';
import { eventually } from '@beltway/kit/testing';
import { database, instance, later } from './support.ts';

async function writer(url: string) {
  const client = new Client({ connectionString: url });
  await client.connect();
  later(() => client.end().catch(() => undefined));
  const append = (stream: string, version: number) =>
    client.query(
      `insert into events (stream, version, type, data, correlation_id, causation_id, occurred_at)
       values ($1, $2, 'Filled', '{"size":1}', 'c', 'c', now())`,
      [stream, version],
    );
  return { client, append };
}

/** Two concurrent appends take interleaved positions; the append that began first commits first. */
test('an event is not skipped if its position lies between positions of an append that committed earlier', async () => {
  const { url } = await database();
  const { store } = instance(url);
  const sent: string[] = [];
  const follower = relay(store, {
    topic: 'box.events',
    publish: (events) => events.map((of) => plainMessage(of, 'box.Filled')),
    send: async (messages) => void sent.push(...messages.map(({ key }) => key)),
  });
  later(() => follower.stop());
  const [early, late] = [await writer(url), await writer(url)];
  await early.client.query('begin');
  await late.client.query('begin');
  await early.append('box-early', 1);
  await late.append('box-late', 1);
  await early.append('box-early', 2);
  await early.client.query('commit');
  await eventually(() => sent.length === 2);
  await late.client.query('commit');
  await eventually(() => sent.length === 3);
  expect(sent).toEqual(['box-early', 'box-early', 'box-late']);
  await follower.caughtUp();
});

test('an event is not skipped if its position was taken before its transaction had a number', async () => {
  const { url } = await database();
  const { store } = instance(url);
  const sent: string[] = [];
  const follower = relay(store, {
    topic: 'box.events',
    publish: (events) => events.map((of) => plainMessage(of, 'box.Filled')),
    send: async (messages) => void sent.push(...messages.map(({ key }) => key)),
  });
  later(() => follower.stop());
  const [slow, quick] = [await writer(url), await writer(url)];
  await quick.append('box-quick', 1);
  // The first step of an insert, separated from the next step, as the scheduler may do at any time. The first sequence
  // value after a checkpoint is WAL-logged, which also assigns the transaction number; later values are not. The new
  // database of any test may cause a checkpoint.
  const position = async (): Promise<string> => {
    await slow.client.query('begin');
    const { rows } = await slow.client.query<{ position: string; isNumbered: boolean }>(
      `with taken as materialized (select nextval(pg_get_serial_sequence('events', 'position')) as position)
       select position, pg_current_xact_id_if_assigned() is not null as "isNumbered" from taken`,
    );
    if (!rows[0]!.isNumbered) return rows[0]!.position;
    await slow.client.query('rollback');
    return position();
  };
  const taken = await position();
  await quick.append('box-quick', 2);
  await eventually(() => sent.length === 2);
  await slow.client.query(
    `insert into events (position, stream, version, type, data, correlation_id, causation_id, occurred_at)
     overriding system value values ($1, 'box-slow', 1, 'Filled', '{"size":1}', 'c', 'c', now())`,
    [taken],
  );
  await slow.client.query('commit');
  await eventually(() => sent.length === 3);
  expect(sent).toEqual(['box-quick', 'box-quick', 'box-slow']);
});

test('a log restored from a dump of another server is published from its first unsent event on', async () => {
  const { url, rows } = await database();
  // Transaction numbers are specific to a server, so a dump contains the numbers of the old server.
  await rows(`insert into events (stream, version, type, data, correlation_id, causation_id, occurred_at, tx) values
    ('box-told', 1, 'Filled', '{"size":1}', 'c', 'c', now(), '7000000000'), ('box-not-told', 1, 'Filled', '{"size":1}', 'c', 'c', now(), '7000000001')`);
  await rows(`insert into checkpoints (name, tx, position) values ('relay', '7000000000', 1)`);
  const { store, boxes } = instance(url);
  const sent: string[] = [];
  const follower = relay(store, {
    topic: 'box.events',
    publish: (events) => events.map((of) => plainMessage(of, 'box.Filled')),
    send: async (messages) => void sent.push(...messages.map(({ key }) => key)),
  });
  later(() => follower.stop());
  await boxes.handle('new', { type: 'Fill', size: 1 }, { commandId: 'new' });
  await eventually(() => sent.length === 2);
  expect(sent).toEqual(['box-not-told', 'box-new']);
});

test('two followers that start on a restored log together miss no event that is appended at that time', async () => {
  const { url, rows } = await database();
  await rows(`insert into events (stream, version, type, data, correlation_id, causation_id, occurred_at, tx) values
    ('box-old', 1, 'Filled', '{"size":1}', 'c', 'c', now(), '7000000000')`);
  const waitingFor = (count: number) =>
    eventually(
      async () =>
        (await rows(`select 1 from pg_locks where relation = 'events'::regclass and not granted`)).length === count,
    );
  const { store } = instance(url);
  const sent: Record<'first' | 'second', string[]> = { first: [], second: [] };
  const middle = Promise.withResolvers<void>();
  const reads = (name: 'first' | 'second') => {
    const follower = follow(store, {
      name,
      handle: async (events) => {
        sent[name].push(...events.map(({ stream }) => stream));
        // The follower has read this far, but its checkpoint is not written yet.
        if (name === 'first' && sent[name].includes('box-between')) await middle.promise;
      },
    });
    later(() => follower.stop());
    return follower;
  };
  // Both followers have detected a foreign log and wait for its lock, the second behind a writer that appends twice.
  const [gate, appends, between] = [await writer(url), await writer(url), await writer(url)];
  await gate.client.query('begin; lock table events in row exclusive mode');
  const first = reads('first');
  await waitingFor(1);
  const inserted = between.append('box-between', 1);
  await waitingFor(2);
  const appending = appends.client.query('begin; lock table events in row exclusive mode');
  await waitingFor(3);
  const second = reads('second');
  await waitingFor(4);
  await gate.client.query('rollback');
  await Promise.all([inserted, appending]);
  await eventually(() => sent.first.includes('box-between'));
  await appends.append('box-late', 1);
  await appends.client.query('commit');
  await eventually(() => sent.second.includes('box-late'));
  middle.resolve();
  await Promise.all([first.caughtUp(), second.caughtUp()]);
  expect(sent).toEqual({
    first: ['box-old', 'box-between', 'box-late'],
    second: ['box-old', 'box-between', 'box-late'],
  });
});
