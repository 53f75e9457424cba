import type { Pool, QueryConfig } from 'pg';

/**
 * Session settings for tests that check whether a statement reads every table through an index. Otherwise PostgreSQL
 * would scan the small tables of a test, which are smaller than the tables of a service.
 */
export const BY_INDEX = '-c enable_seqscan=off';

/**
 * Runs statements that fill large tables, atomically, then collects planner statistics. Drops indexes without
 * constraints first and creates them afterwards, because updating them for every row takes several times as long. Only
 * for a database without other users.
 */
export async function fillTables(pool: Pool, statements: string): Promise<void> {
  const { rows } = await pool.query<{ name: string; definition: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
     from pg_index i join pg_class c on c.oid = i.indexrelid
     where c.relnamespace = 'public'::regnamespace and not exists (select from pg_constraint where conindid = i.indexrelid)`,
  );
  for (const { name } of rows) await pool.query(`drop index ${name}`);
  for (const statement of statements.split(/;\s*$/m)) if (statement.trim() !== '') await pool.query(statement);
  for (const { definition } of rows) await pool.query(definition);
  await pool.query('vacuum analyze');
}

/** The part of an executed plan's node that tests use. */
interface Node {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Node[];
}

/** The plan with which PostgreSQL executed a statement. */
export interface RanPlan {
  text: string;
  /** Number of rows read from tables and indexes, including rows that were filtered out. */
  read: number;
  /** Tables with a sequential scan. */
  scanned: string[];
  /** Number of rows in the largest sort. */
  sorted: number;
  /** Execution time on the server, in ms. */
  ms: number;
}

const nodesOf = (plan: Node): Node[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
const rowsOf = (node: Node): number => node['Actual Rows'] * node['Actual Loops'];
const largest = (numbers: number[]): number => numbers.reduce((most, one) => Math.max(most, one), 0);

/** Runs a statement under `explain`. */
export async function ranPlan(pool: Pool, text: string, values: unknown[] = []): Promise<RanPlan> {
  const { rows } = await pool.query<{ 'QUERY PLAN': [{ Plan: Node; 'Execution Time': number }] }>(
    `explain (analyze, format json) ${text}`,
    values,
  );
  const [{ Plan: plan, 'Execution Time': ms }] = rows[0]!['QUERY PLAN'];
  // Nodes that were never executed read no rows.
  const nodes = nodesOf(plan).filter((node) => node['Actual Loops'] > 0);
  const read = nodes
    .filter((node) => node['Relation Name'] !== undefined)
    .map((node) => rowsOf(node) + (node['Rows Removed by Filter'] ?? 0) * node['Actual Loops']);
  const sorts = nodes.filter((node) => /^(Incremental )?Sort$/.test(node['Node Type']));
  return {
    text,
    ms,
    read: read.reduce((sum, one) => sum + one, 0),
    scanned: nodes.flatMap((node) => (node['Node Type'] === 'Seq Scan' ? [node['Relation Name'] ?? ''] : [])),
    sorted: largest(sorts.flatMap((node) => (node.Plans ?? []).map(rowsOf))),
  };
}

/** Returns the plans of all statements that `work` runs on the given pool, and the result of `work`. */
export async function plansOf<T>(
  pool: Pool,
  work: (pool: Pool) => Promise<T>,
): Promise<{ answer: T; plans: RanPlan[] }> {
  const plans: RanPlan[] = [];
  const explaining = {
    query: async (query: string | QueryConfig, given?: unknown[]) => {
      const { text, values = [] } = typeof query === 'string' ? { text: query, values: given } : query;
      plans.push(await ranPlan(pool, text, values));
      return pool.query(text, values);
    },
  };
  const answer = await work(explaining as unknown as Pool);
  return { answer, plans };
}
