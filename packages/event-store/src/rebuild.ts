import { escapeIdentifier, type Pool, type PoolClient } from 'pg';
import { nameOf } from './append.ts';
import { sendBatch, type Statement } from './batch.ts';
import { readLog, START, type Logged } from './follow.ts';
import type { Fact, Projection, Recorded } from './types.ts';

/** The read models of one category: what `streams` was given, and the tables its projections write. */
export interface ReadModel {
  category: string;
  // Each category has its own events; here they only pass through.
  projections: Projection<never>[];
  upcast?: (stored: { type: string; data: unknown }) => Fact;
  tables: string[];
}

export interface Rebuilt {
  table: string;
  rows: number;
  before: string;
  after: string;
}

const PAGE = 5_000;

const WAYS_FOR_FEW_ROWS = ['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin'];

/** A digest over all rows in an order of their own: equal digests, equal content. */
async function digest(client: PoolClient, table: string): Promise<{ digest: string; rows: number }> {
  const { rows } = await client.query<{ digest: string; rows: string }>(
    `select coalesce(md5(string_agg(md5(t::text), '' order by md5(t::text))), 'empty') as digest, count(*) as rows from ${escapeIdentifier(table)} t`,
  );
  return { digest: rows[0]?.digest ?? 'empty', rows: Number(rows[0]?.rows ?? 0) };
}

/**
 * Truncates the tables and replays the log through the projections, in one transaction: it happens whole or not at all, and
 * appends and readers of these tables wait meanwhile. Answers each table's digest before and after, and how long emptying and
 * filling took without them, in milliseconds.
 */
export async function rebuild(
  pool: Pool,
  models: ReadModel[],
): Promise<{ tables: Rebuilt[]; events: number; replayMs: number }> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query('set local statement_timeout = 0');
    await client.query('lock table events in share row exclusive mode');
    const tables = models.flatMap((model) => model.tables);
    const before = new Map<string, string>();
    for (const table of tables) before.set(table, (await digest(client, table)).digest);
    const started = performance.now();
    if (tables.length > 0) await client.query(`truncate ${tables.map((table) => escapeIdentifier(table)).join(', ')}`);

    const events = await replay(client, models);
    const replayMs = performance.now() - started;
    const rebuilt: Rebuilt[] = [];
    for (const table of tables) {
      const { digest: after, rows } = await digest(client, table);
      rebuilt.push({ table, rows, before: before.get(table) ?? '', after });
    }
    await client.query('commit');
    return { tables: rebuilt, events, replayMs };
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
}

/**
 * Writes page by page. The next page is asked for before one is written: while the database writes, this process gets the next
 * one ready.
 */
async function replay(client: PoolClient, models: ReadModel[]): Promise<number> {
  // The tables begin empty and nobody counts their rows meanwhile: a plan made for few rows would read them whole, time and again.
  for (const way of WAYS_FOR_FEW_ROWS) await client.query(`set local ${way} = off`);
  let events = 0;
  let page = await readLog(client, START, PAGE, true);
  while (page.length > 0) {
    const statements = models.flatMap((model) => statementsOf(model, page));
    const following = readLog(client, page.at(-1)!, PAGE, true);
    const writing = sendBatch(client, statements);
    events += page.length;
    [page] = await Promise.all([following, writing.then(() => undefined)]);
  }
  for (const way of WAYS_FOR_FEW_ROWS) await client.query(`reset ${way}`);
  return events;
}

/** Projections get the events of one stream at a time, as they do when these are appended. */
function statementsOf({ category, projections, upcast = (stored) => stored }: ReadModel, page: Logged[]): Statement[] {
  const byStream = new Map<string, Logged[]>();
  for (const event of page) {
    if (event.stream.slice(0, event.stream.indexOf('-')) !== category) continue;
    const list = byStream.get(event.stream);
    const upcasted = { ...event, ...upcast(event) };
    if (list) list.push(upcasted);
    else byStream.set(event.stream, [upcasted]);
  }
  const statements: Statement[] = [];
  const query = (text: string, values: unknown[] = []) => void statements.push({ name: nameOf(text), text, values });
  for (const group of byStream.values())
    for (const projection of projections) projection({ query }, group as Recorded<never>[]);
  return statements;
}
