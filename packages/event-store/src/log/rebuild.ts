import { setTimeout as pause } from 'node:timers/promises';
import { escapeIdentifier, type Pool, type PoolClient } from 'pg';
import { sendBatch, type Statement } from '../pg/pipeline.ts';
import { nameOf } from '../pg/prepared.ts';
import type { Projection, Recorded, Upcasts } from '../types.ts';
import { categoryOf } from './upcast.ts';
import { wholeLog, type RowPage } from './whole-log.ts';

/**
 * The read models of one category: what `streams` was given, and the tables its projections write. Projections find rows by their
 * primary keys alone: a replay has no other index.
 */
export interface ReadModel {
  category: string;
  // Each category has its own events; here they only pass through.
  projections: Projection<never>[];
  tables: string[];
}

export interface Rebuilt {
  table: string;
  rows: number;
  before: string;
  after: string;
}

/** Plans that are cheapest for the empty table that planning still sees. */
const PLANS_FOR_FEW_ROWS = ['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin'];

/** A digest over all rows in an order of their own: equal digests, equal content. */
export async function tableDigest(client: PoolClient, table: string): Promise<{ digest: string; rows: number }> {
  const { rows } = await client.query<{ digest: string; rows: string }>(
    `select coalesce(md5(string_agg(md5(t::text), '' order by md5(t::text))), 'empty') as digest, count(*) as rows from ${escapeIdentifier(table)} t`,
  );
  return { digest: rows[0]?.digest ?? 'empty', rows: Number(rows[0]?.rows ?? 0) };
}

/**
 * Truncates the tables and replays the log through the projections, in one transaction: it happens whole or not at all, and
 * appends and readers of these tables wait meanwhile. Takes two connections of the pool. Answers each table's digest before and
 * after, and how long emptying and filling took without them, in milliseconds.
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
    reader?.release(broken); // it may be in the middle of the log
  }
}

const LOCK_ATTEMPTS = 40;
const LOCK_PAUSE_MS = 50;

/**
 * Begins a transaction that has locked the log and these tables. A transaction that holds one of the tables can want another one: waiting
 * for it with locks in hand would be a deadlock, and its victim might be a buyer's. So each wait ends before PostgreSQL looks for deadlocks
 * (`deadlock_timeout`, one second), gives all locks back, and begins again.
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
 * Drops every index but the primary keys. Returns what creates them again, each by one sort: maintained row by row they cost more
 * than the rows. Unique ones are checked then.
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
 * Writes page by page. `reader` reads the pages that follow while one is written: the log is locked against appends, so both
 * connections see the same.
 */
async function replay(client: PoolClient, reader: PoolClient, models: ReadModel[], upcasts: Upcasts): Promise<number> {
  // No statistics are collected meanwhile: a plan made for the empty table would read the growing one from end to end each time.
  for (const plan of PLANS_FOR_FEW_ROWS) await client.query(`set local ${plan} = off`);
  let events = 0;
  let writing: Promise<void> = Promise.resolve();
  for await (const page of wholeLog(reader, upcasts)) {
    const statements = statementsOf(models, page);
    events += page.size;
    await writing;
    writing = sendBatch(client, statements);
    writing.catch(() => undefined); // looked at in the next turn
  }
  await writing;
  for (const plan of PLANS_FOR_FEW_ROWS) await client.query(`reset ${plan}`);
  return events;
}

/** Projections get the events of one stream at a time, as they do when these are appended. */
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
