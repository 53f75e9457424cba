import { Pool } from 'pg';
import { expect, test } from 'vitest';
import { append, statementsOf, type EventRow } from '../src/log/append.ts';
import { int2s, int4s, int8s, jsonbs, jsons, texts, times, uuids } from '../src/pg/arrays.ts';
import { sendBatch } from '../src/pg/pipeline.ts';
import { database, later } from './support.ts';

async function connectionTo(url: string) {
  const pool = new Pool({ connectionString: url, max: 1 });
  // As in the store, a terminated connection must not terminate the process.
  pool.on('error', () => undefined);
  later(() => pool.end());
  const client = await pool.connect();
  client.on('error', () => undefined);
  later(async () => client.release());
  return client;
}

async function connection() {
  const { url, rows } = await database();
  const client = await connectionTo(url);
  await client.query('create table things (id int primary key, name text)');
  return { client, rows };
}

const add = (id: number) => ({
  name: 'add',
  text: 'insert into things (id, name) values ($1, $2)',
  values: [id, `thing ${id}`],
});
const rename = (id: number, name: string | null) => ({
  name: 'rename',
  text: 'update things set name = $2 where id = $1',
  values: [id, name],
});

test('arrays are stored unchanged: every kind, with nulls, at the ends of its range, and empty', async () => {
  const { client } = await connection();
  const id = '018f6b2e-7f3a-7c11-9a5e-0123456789ab';
  const lists = [
    { type: 'int2', sent: int2s([1, null, -32_768, 32_767]), is: [1, null, -32_768, 32_767] },
    {
      type: 'int4',
      sent: int4s([0, undefined, -2_147_483_648, 2_147_483_647]),
      is: [0, null, -2_147_483_648, 2_147_483_647],
    },
    { type: 'int8', sent: int8s([1, null, Number.MAX_SAFE_INTEGER]), is: ['1', null, String(Number.MAX_SAFE_INTEGER)] },
    {
      type: 'text',
      sent: texts(['', 'a "b", {c} \\ NULL', null, 'naïve 🎷']),
      is: ['', 'a "b", {c} \\ NULL', null, 'naïve 🎷'],
    },
    { type: 'uuid', sent: uuids([id, null, id.toUpperCase()]), is: [id, null, id] },
    { type: 'jsonb', sent: jsonbs(['{"a":[1,"\\""]}', null, '"naïve 🎷"']), is: [{ a: [1, '"'] }, null, 'naïve 🎷'] },
    { type: 'json', sent: jsons(['{"a":[1,"\\""]}', '"x"', 'null']), is: [{ a: [1, '"'] }, 'x', null] },
    {
      type: 'timestamptz',
      sent: times(['1999-12-31T23:59:59.999Z', null, new Date('2026-11-21T12:00:00.123Z')]),
      is: [new Date('1999-12-31T23:59:59.999Z'), null, new Date('2026-11-21T12:00:00.123Z')],
    },
    { type: 'text', sent: texts([]), is: [] },
  ];
  for (const { type, sent, is } of lists) {
    const { rows } = await client.query<{ list: unknown }>(`select $1::${type}[] as list`, [sent]);
    expect(rows[0]?.list).toEqual(is);
  }
});

test('an invalid UUID, time or number is refused before it is sent', () => {
  expect(() => uuids(['018f6b2e'])).toThrow('not a UUID');
  expect(() => uuids(['zz8f6b2e-7f3a-7c11-9a5e-0123456789ab'])).toThrow('not a UUID');
  expect(() => uuids(['018f6b2e-7f3a-7c11-9a5e-0123456789aé'])).toThrow('not a UUID');
  expect(() => uuids(['018f6b2e7-f3a-7c11-9a5e-0123456789ab'])).toThrow('not a UUID');
  expect(() => uuids(['018f6b2e-7f3a-7c11-9a5e-0123456789abc'])).toThrow('not a UUID');
  expect(() => times(['soon'])).toThrow('not a time');
  expect(() => int2s([32_768])).toThrow(RangeError);
  expect(() => int8s([1.5])).toThrow(RangeError);
});

test('a batch is one transaction: all of it, or nothing and the first error', async () => {
  const { client, rows } = await connection();
  await sendBatch(client, [add(1), add(2), rename(1, 'first')]);
  expect(await rows('select * from things order by id')).toEqual([
    { id: 1, name: 'first' },
    { id: 2, name: 'thing 2' },
  ]);
  await expect(sendBatch(client, [rename(1, 'lost'), add(2), add(3)])).rejects.toMatchObject({ code: '23505' });
  expect(await rows('select name from things where id = 1')).toEqual([{ name: 'first' }]);
  expect(await rows('select count(*)::int as n from things')).toEqual([{ n: 2 }]);
});

test('a violation that is detected only at commit rejects the batch', async () => {
  const { client, rows } = await connection();
  await client.query('alter table things add constraint named unique (name) deferrable initially deferred');
  await expect(sendBatch(client, [add(1), add(2), rename(2, 'thing 1')])).rejects.toMatchObject({ code: '23505' });
  expect(await rows('select * from things')).toEqual([]);
});

test('after an error the connection still works, even for statements of the failed batch', async () => {
  const { client, rows } = await connection();
  const wrong = { name: 'wrong', text: 'select 1 / $1::int', values: [0] };
  await expect(sendBatch(client, [add(1), wrong, rename(1, 'x')])).rejects.toMatchObject({ code: '22012' });
  await sendBatch(client, [add(1), rename(1, 'kept')]);
  await sendBatch(client, [rename(1, null), { ...wrong, values: [1] }]);
  expect(await rows('select * from things')).toEqual([{ id: 1, name: null }]);
  expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
});

test("a batch inside a caller's transaction commits with that transaction", async () => {
  const { client, rows } = await connection();
  await client.query('begin');
  await sendBatch(client, [add(1)]);
  expect(await rows('select * from things')).toEqual([]);
  await sendBatch(client, [add(2), { name: 'commit', text: 'commit', values: [] }]);
  expect(await rows('select count(*)::int as n from things')).toEqual([{ n: 2 }]);
});

test('a batch sent behind another batch succeeds or fails independently', async () => {
  const { client, rows } = await connection();
  const wrong = { name: 'wrong', text: 'select 1 / $1::int', values: [0] };
  await sendBatch(client, [add(1)]);
  const failing = expect(sendBatch(client, [add(2), wrong])).rejects.toMatchObject({ code: '22012' });
  const behind = sendBatch(client, [add(3), rename(1, 'first')], true);
  await Promise.all([failing, behind]);
  expect(await rows('select id, name from things order by id')).toEqual([
    { id: 1, name: 'first' },
    { id: 3, name: 'thing 3' },
  ]);

  // Each batch prepares a statement that is new on this connection, and fails before or after this statement.
  const remove = (id: number) => ({ name: 'remove', text: 'delete from things where id = $1', values: [id] });
  for (const statements of [
    [wrong, remove(9)],
    [remove(9), wrong],
  ]) {
    const good = sendBatch(client, [remove(1)]);
    const bad = expect(sendBatch(client, statements, true)).rejects.toMatchObject({ code: '22012' });
    await Promise.all([good, bad]);
    await sendBatch(client, [remove(3)]);
  }
  expect(await rows('select id from things')).toEqual([]);
});

test('a pipelined group is written only if the group directly before it was written', async () => {
  const { url, rows } = await database();
  const client = await connectionTo(url);
  const other = await connectionTo(url);
  const row = (version: number): EventRow => ({
    stream: 'box-1',
    id: '1',
    version,
    type: 'Taken',
    data: {},
    json: '{}',
    occurredAt: new Date(),
    userId: null,
    correlationId: 'c',
    causationId: 'c',
  });
  const statements = (...versions: number[]) => statementsOf(versions.map(row), () => undefined);
  const conflict = { code: '23505', constraint: 'events_fence' };
  const orphan = { code: '23502' };
  const written = async () => (await rows('select version::int from events order by version')).map((r) => r['version']);

  await append(client, statements(1));
  await Promise.all([
    append(client, statements(2), { group: 'a' }),
    append(client, statements(3), { group: 'b', after: 'a' }),
  ]);
  expect(await written()).toEqual([1, 2, 3]);

  // Another instance writes as many events as the first group. So an event exists at the version before the second
  // group's, but the first group did not write it.
  await append(other, statements(4, 5));
  await Promise.all([
    expect(append(client, statements(4, 5), { group: 'c' })).rejects.toMatchObject(conflict),
    expect(append(client, statements(6), { group: 'd', after: 'c' })).rejects.toMatchObject(orphan),
  ]);
  // A third group does not mistake the last written group for its predecessor either.
  await expect(append(client, statements(6), { group: 'e', after: 'd' })).rejects.toMatchObject(orphan);
  expect(await written()).toEqual([1, 2, 3, 4, 5]);

  // If a group fails at its commit instead of its insert, its name is rolled back too.
  await client.query('create table named (name text, constraint once unique (name) deferrable initially deferred)');
  const twice = [1, 2].map((n) => ({ name: `named-${n}`, text: `insert into named values ('same')`, values: [] }));
  await Promise.all([
    expect(append(client, [...statements(6), ...twice], { group: 'f' })).rejects.toMatchObject({ constraint: 'once' }),
    expect(append(client, statements(7), { group: 'g', after: 'f' })).rejects.toMatchObject(orphan),
  ]);
  // The connection still works afterwards.
  await append(client, statements(6), { group: 'h' });
  await append(client, statements(7), { group: 'i', after: 'h' });
  expect(await written()).toEqual([1, 2, 3, 4, 5, 6, 7]);
});

test('a batch rejects if its connection ends', async () => {
  const { client } = await connection();
  // The rejection is expected from the start, because it may come before the response to the terminating query.
  const rejected = expect(
    sendBatch(client, [{ name: 'sleep', text: 'select pg_sleep(20)', values: [] }]),
  ).rejects.toThrow();
  const pid = (client as unknown as { processID: number }).processID;
  const { rows } = await database();
  await rows('select pg_terminate_backend($1)', [pid]);
  await rejected;
});
