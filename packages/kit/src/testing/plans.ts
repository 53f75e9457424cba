import type { Pool, QueryConfig } from 'pg';

/**
 * Session settings for tests that ask whether every table of a statement is read by an index: the small tables of a test would be read
 * whole, which is cheapest, and says nothing about those of a service.
 */
export const BY_INDEX = '-c enable_seqscan=off';

/**
 * Runs statements that fill large tables, all or none, then gathers the planner's statistics. Indexes that no constraint needs are
 * dropped before and made again after them: row by row they take several times as long. For a database that nobody else uses meanwhile.
 */
export async function fillTables(pool: Pool, statements: string): Promise<void> {
  const { rows } = await pool.query<{ name: string; definition: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
     from pg_index i join pg_class c on c.oid = i.indexrelid
     where c.relnamespace = 'public'::regnamespace and not exists (select from pg_constraint where conindid = i.indexrelid)`,
  );
  const dropped = rows.map(({ name }) => `drop index ${name};`).join('\n');
  const made = rows.map(({ definition }) => `${definition};`).join('\n');
  // Sent as one, they are one transaction.
  await pool.query(`${dropped}\n${statements};\n${made}`);
  await pool.query('vacuum analyze');
}

/** A node of a plan that was run, as far as tests look at it. */
interface Node {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Node[];
}

/** How PostgreSQL ran a statement. */
export interface RanPlan {
  text: string;
  /** Rows that were read of tables and indexes, those that a filter took away too. */
  read: number;
  /** Tables that were read from their beginning. */
  scanned: string[];
  /** Rows that went into the largest sort. */
  sorted: number;
  /** Milliseconds of the server. */
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
  // What was never executed reads nothing.
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

/** The plans of all statements that `work` asks of the pool it is given, beside what it answers. */
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
