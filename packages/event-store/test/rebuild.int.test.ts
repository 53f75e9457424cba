import { Pool } from 'pg';
import { expect, test } from 'vitest';
import { rebuild, type Projection } from '@beltway/event-store';
import { eventually } from '@beltway/kit/testing';
import { projectTakings, projectTotals, type BoxEvent } from './box.ts';
import { database, later } from './support.ts';

const model = (projections: Projection<BoxEvent>[], tables: string[]) =>
  ({ category: 'box', projections, tables }) as unknown as Parameters<typeof rebuild>[1][number];
const takings = model([projectTotals, projectTakings], ['totals', 'takings']);

/** A pool with two connections, like the pool of `npm run rebuild`. */
function twoConnections(url: string, options = {}) {
  const pool = new Pool({ connectionString: url, max: 2, ...options });
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  later(() => pool.end());
  return pool;
}

test('an empty log leaves empty tables', async () => {
  const { url } = await database();
  const { tables, events } = await rebuild(twoConnections(url), [takings], {});
  expect(events).toBe(0);
  expect(tables.map(({ rows, before, after }) => [rows, before, after])).toEqual([
    [0, 'empty', 'empty'],
    [0, 'empty', 'empty'],
  ]);
});

test('a transaction that has locked one table and waits for another causes no deadlock with a rebuild', async () => {
  const { url } = await database();
  const pool = twoConnections(url);
  const other = await pool.connect();
  await other.query('begin');
  await other.query('lock table takings in row exclusive mode');
  const rebuilding = rebuild(twoConnections(url), [takings], {});
  const waits = `select from pg_locks where not granted and relation = 'takings'::regclass`;
  await eventually(async () => (await pool.query(waits)).rowCount === 1);
  await other.query('select count(*) from totals');
  await other.query('commit');
  other.release();
  expect((await rebuilding).events).toBe(0);
});

test('a replay returns the log events unchanged: each field, with nulls and non-ASCII text', async () => {
  const { url, rows } = await database();
  await rows(`insert into events (stream, version, type, data, user_id, correlation_id, causation_id, occurred_at) values
    ('box-naïve-1', 5000000000, 'Taken', '{"who": "🎷 \\u00e9 \\"", "count": 3}', -7, 'why', 'whence', '1999-12-31T23:59:59.999Z'),
    ('other-1', 1, 'Taken', '{}', 1, 'c', 'c', now()),
    ('box-naïve-1', 5000000001, 'Filled', '{"size": 5}', null, '', 'c', '2026-11-21T12:00:00.123456Z')`);
  const seen: unknown[] = [];
  await rebuild(twoConnections(url), [model([(_, group) => void seen.push(group)], ['totals'])], {});
  const place = { stream: 'box-naïve-1', id: 'naïve-1' };
  expect(seen).toEqual([
    [
      {
        ...place,
        version: 5_000_000_000,
        type: 'Taken',
        data: { who: '🎷 é "', count: 3 },
        userId: -7,
        correlationId: 'why',
        causationId: 'whence',
        occurredAt: new Date('1999-12-31T23:59:59.999Z'),
      },
      {
        ...place,
        version: 5_000_000_001,
        type: 'Filled',
        data: { size: 5 },
        userId: null,
        correlationId: '',
        causationId: 'c',
        occurredAt: new Date('2026-11-21T12:00:00.123Z'),
      },
    ],
  ]);
});

test('many pages and an oversized event are read completely, even slowly and after a failure', async () => {
  const { url, rows } = await database();
  await rows(`insert into events (stream, version, type, data, correlation_id, causation_id, occurred_at)
    select 'box-' || s, 1, 'Filled', json_build_object('size', s, 'text', repeat('x', case s when 50 then 9000000 else 500000 end)), 'c', 'c', now()
    from generate_series(1, 100) s`);
  const pool = twoConnections(url, { statement_timeout: 1_000 });
  const breaks: Projection<BoxEvent> = () => {
    throw new TypeError('a bug in a projection');
  };
  for (let turn = 1; turn <= 3; turn++)
    await expect(rebuild(pool, [model([breaks], ['totals'])], {})).rejects.toThrow('a bug in a projection');

  const seen: unknown[] = [];
  const projectSlowly: Projection<BoxEvent> = (sql, [first]) => {
    if (first?.type === 'Filled') seen.push(first.data.size);
    sql.query('select pg_sleep(0.03)');
  };
  const { events } = await rebuild(
    pool,
    [model([projectTotals, projectTakings, projectSlowly], ['totals', 'takings'])],
    {},
  );
  expect(events).toBe(100);
  expect(seen).toEqual(Array.from({ length: 100 }, (_, at) => at + 1));
});
