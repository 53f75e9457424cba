import { setTimeout as pause } from 'node:timers/promises';
import { escapeIdentifier, type Pool, type PoolClient } from 'pg';
import { sendBatch, type Statement } from '../pg/pipeline.ts';
import { nameOf } from '../pg/prepared.ts';
import type { Projection, Recorded, Upcasts } from '../types.ts';
import { categoryOf } from './upcast.ts';
import { wholeLog, type RowPage } from './whole-log.ts';

/**
 * The read models of one category: its projections and the tables they write. Projections may find rows only by primary
 * key, because a replay drops all other indexes.
 */
export interface ReadModel {
  category: string;
  // `never`, because categories have different event types; here the events are only passed on.
  projections: Projection<never>[];
  tables: string[];
}

export interface Rebuilt {
  table: string;
  rows: number;
  before: string;
  after: string;
}

/** Plan types to disable during a replay. The planner still assumes an empty table and would choose these plans. */
const PLANS_FOR_FEW_ROWS = ['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin'];

/** A digest of all rows, independent of their order. Equal digests mean equal content. */
export async function tableDigest(client: PoolClient, table: string): Promise<{ digest: string; rows: number }> {
  const { rows } = await client.query<{ digest: string; rows: string }>(
    `select coalesce(md5(string_agg(md5(t::text), '' order by md5(t::text))), 'empty') as digest, count(*) as rows from ${escapeIdentifier(table)} t`,
  );
  return { digest: rows[0]?.digest ?? 'empty', rows: Number(rows[0]?.rows ?? 0) };
}

/**
 * Truncates the tables and replays the log through the projections in one transaction. Appends and readers of these
 * tables wait until the transaction ends. Uses two connections of the pool. Returns each table's digest before and
 * after, and the duration of truncating and replaying, in ms, excluding the computation of the digests.
 */
export async function rebuild(
  pool: Pool,
  models: ReadModel[],
  upcasts: Upcasts = {},
): Promise<{ tables: Rebuilt[]; events: number; replayMs: number }> {
  const client = await pool.connect();
  let reader: PoolClient | undefined;
  let broken = false;
  try {
    reader = await pool.connect();
    const tables = models.flatMap((model) => model.tables);
    await beginLocked(client, tables);
    await client.query(`set local statement_timeout = 0; set local idle_in_transaction_session_timeout = '60s'`);
    const before = new Map<string, string>();
    for (const table of tables) before.set(table, (await tableDigest(client, table)).digest);
    const started = performance.now();
    if (tables.length > 0) await client.query(`truncate ${tables.map((table) => escapeIdentifier(table)).join(', ')}`);

    const restore = await dropIndexes(client, tables);
    const events = await replay(client, reader, models, upcasts);
    await restore();
    const replayMs = performance.now() - started;
    const rebuilt: Rebuilt[] = [];
    for (const table of tables) {
      const { digest: after, rows } = await tableDigest(client, table);
      rebuilt.push({ table, rows, before: before.get(table) ?? '', after });
    }
    await client.query('commit');
    return { tables: rebuilt, events, replayMs };
  } catch (error) {
    broken = true;
    await client.query('rollback').catch(() => undefined);
    throw error;
  } finally {
    client.release();
    reader?.release(broken); // after an error, the reader's COPY may still be in progress
  }
}

const LOCK_ATTEMPTS = 40;
const LOCK_PAUSE_MS = 50;

/**
 * Begins a transaction that locks the log and these tables. Another transaction may have locked one of the tables and
 * wait for a second table. Waiting for that transaction while holding locks would be a deadlock, which PostgreSQL might
 * resolve by aborting a buyer's transaction. So each wait ends before PostgreSQL checks for deadlocks
 * (`deadlock_timeout`, one second); then this function releases all locks and starts over.
 */
async function beginLocked(client: PoolClient, tables: string[]): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    await client.query('begin');
    try {
      await client.query(`set local lock_timeout = '500ms'`);
      await client.query('lock table events in share row exclusive mode');
      if (tables.length > 0)
        await client.query(
          `lock table ${tables.map((table) => escapeIdentifier(table)).join(', ')} in access exclusive mode`,
        );
      return void (await client.query('set local lock_timeout = 0'));
    } catch (error) {
      await client.query('rollback');
      if ((error as { code?: string }).code !== '55P03' || attempt === LOCK_ATTEMPTS) throw error;
      await pause(LOCK_PAUSE_MS * Math.min(attempt, 10));
    }
  }
}

/**
 * Drops every index except the primary keys, because creating an index with one sort is cheaper than updating it for
 * every row. Returns a function that creates the indexes again, which also checks the unique indexes.
 */
async function dropIndexes(client: PoolClient, tables: string[]): Promise<() => Promise<void>> {
  const { rows } = await client.query<{ drop: string; make: string }>(
    `select case when c.conname is null then format('drop index %s', i.indexrelid::regclass)
         else format('alter table %s drop constraint %I', i.indrelid::regclass, c.conname) end as drop,
       case when c.conname is null then pg_get_indexdef(i.indexrelid)
         else format('alter table %s add constraint %I %s', i.indrelid::regclass, c.conname, pg_get_constraintdef(c.oid)) end as make
     from pg_index i left join pg_constraint c on c.conindid = i.indexrelid and c.contype = 'u'
     where i.indrelid = any($1::regclass[]) and not i.indisprimary and not i.indisexclusion`,
    [tables.map((table) => escapeIdentifier(table))],
  );
  for (const { drop } of rows) await client.query(drop);
  return async () => {
    await client.query(`set local maintenance_work_mem = '128MB'`);
    for (const { make } of rows) await client.query(make);
  };
}

/**
 * Replays page by page. `reader` reads ahead while a page is written. The log is locked against appends, so both
 * connections see the same events.
 */
async function replay(client: PoolClient, reader: PoolClient, models: ReadModel[], upcasts: Upcasts): Promise<number> {
  // The planner collects no statistics during the transaction, so a plan made for the empty table would scan the
  // growing table every time.
  for (const plan of PLANS_FOR_FEW_ROWS) await client.query(`set local ${plan} = off`);
  let events = 0;
  let writing: Promise<void> = Promise.resolve();
  for await (const page of wholeLog(reader, upcasts)) {
    const statements = statementsOf(models, page);
    events += page.size;
    await writing;
    writing = sendBatch(client, statements);
    writing.catch(() => undefined); // awaited in the next iteration
  }
  await writing;
  for (const plan of PLANS_FOR_FEW_ROWS) await client.query(`reset ${plan}`);
  return events;
}

/** Projections receive the events of one stream at a time, as during an append. */
function statementsOf(models: ReadModel[], page: RowPage): Statement[] {
  const statements: Statement[] = [];
  const query = (text: string, values: unknown[] = []) => void statements.push({ name: nameOf(text), text, values });
  for (const stream of page.streams)
    for (const { category, projections } of models) {
      if (categoryOf(stream) !== category) continue;
      const group = page.eventsOf(stream);
      for (const projection of projections) projection({ query }, group as Recorded<never>[]);
    }
  return statements;
}
