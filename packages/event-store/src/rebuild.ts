import { escapeIdentifier, type Pool, type PoolClient } from 'pg';
import { readLog, START, type Cursor, type Logged } from './follow.ts';
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

/** A digest over all rows in an order of their own: equal digests, equal content. */
async function digest(client: PoolClient, table: string): Promise<{ digest: string; rows: number }> {
  const { rows } = await client.query<{ digest: string; rows: string }>(
    `select coalesce(md5(string_agg(md5(t::text), '' order by md5(t::text))), 'empty') as digest, count(*) as rows from ${escapeIdentifier(table)} t`,
  );
  return { digest: rows[0]?.digest ?? 'empty', rows: Number(rows[0]?.rows ?? 0) };
}

/**
 * Truncates the tables and replays the log through the projections, in one transaction: it happens whole or not at all, and
 * appends and readers of these tables wait meanwhile. Answers each table's digest before and after.
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

    let at: Cursor = START;
    let events = 0;
    for (;;) {
      const page = await readLog(client, at, PAGE, true);
      const last = page.at(-1);
      if (!last) break;
      for (const model of models) await project(client, model, page);
      at = last;
      events += page.length;
    }

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

/** Projections get the events of one stream at a time, as they do when these are appended. */
async function project(client: PoolClient, model: ReadModel, page: Logged[]): Promise<void> {
  const { category, projections, upcast = (stored) => stored } = model;
  const byStream = new Map<string, Logged[]>();
  for (const event of page) {
    if (event.stream.slice(0, event.stream.indexOf('-')) !== category) continue;
    const list = byStream.get(event.stream);
    const upcasted = { ...event, ...upcast(event) };
    if (list) list.push(upcasted);
    else byStream.set(event.stream, [upcasted]);
  }
  for (const group of byStream.values()) {
    for (const projection of projections) {
      const statements: Array<{ text: string; values: unknown[] }> = [];
      projection({ query: (text, values = []) => statements.push({ text, values }) }, group as Recorded<never>[]);
      for (const { text, values } of statements) await client.query(text, values);
    }
  }
}
