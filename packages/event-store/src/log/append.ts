import type { Pool, PoolClient } from 'pg';
import { isTracing } from '@beltway/tracing';
import { int2s, int4s, int8s, jsons, texts, times, uuids } from '../pg/arrays.ts';
import { isTransient } from '../pg/faults.ts';
import { sendBatch, type Statement } from '../pg/pipeline.ts';
import { nameOf } from '../pg/prepared.ts';
import type { Place, Statements } from '../types.ts';

/** An event about to be appended. Only the first event of a command has `command`. */
export interface EventRow extends Place {
  type: string;
  /** The object that projections receive. */
  data: unknown;
  /** The data as JSON text, created at the decision, so that later changes of `data` do not affect the log. */
  json: string;
  command?: { id: string; size: number; fingerprint: string | null };
}

const COLUMNS =
  'stream, version, type, data, command_id, command_size, fingerprint, user_id, correlation_id, causation_id, occurred_at';

// One `unnest` per column in the select list. In the `from` clause, PostgreSQL would materialize the rows again
// (docs/decisions/0017).
const EACH = ['bigint', 'text', 'json', 'uuid', 'smallint', 'text', 'int', 'text', 'text']
  .map((type, index) => `unnest($${index + 3}::${type}[])`)
  .join(', ');

/** The inserts of a group of events. `traced`: some events have a `traceparent`; otherwise the column is omitted. */
const inserts = (traced: boolean) => {
  const into = `insert into events (${COLUMNS}${traced ? ', traceparent' : ''})`;
  const trace = traced ? ', unnest($12::text[])' : '';
  const after = `$${traced ? 13 : 12}`;
  return {
    oneStream: `${into} select $1, ${EACH}, $2${trace}`,
    oneStreamAfter: `${into} select case when current_setting('log.group', true) = ${after} then $1 end, ${EACH}, $2${trace}`,
    severalStreams: `${into} select unnest($1::text[]), ${EACH}, unnest($2::timestamptz[])${trace}`,
  };
};
const INSERTS = inserts(false);
const TRACED_INSERTS = inserts(true);
/**
 * Pipelined variants of the inserts, fenced by the previous group. If the previous group was rolled back, the session
 * setting with its name was rolled back too. Then the inserted stream is null, which the table rejects (23502).
 * Checking that an event exists at the previous version would prove nothing, because another instance may have written
 * the same number of events (docs/decisions/0001).
 */
const PIPELINED: Record<string, string> = {
  [INSERTS.oneStream]: INSERTS.oneStreamAfter,
  [TRACED_INSERTS.oneStream]: TRACED_INSERTS.oneStreamAfter,
};

/** The statements that append `rows` and write their projections. The rows of a stream must be in order. */
export function statementsOf(rows: EventRow[], project: (sql: Statements) => void): Statement[] {
  const [first] = rows;
  if (!first) return [];
  const statements: Statement[] = [];
  const add = (text: string, values: unknown[]) => void statements.push({ name: nameOf(text), text, values });
  const oneStream = rows.every(({ stream }) => stream === first.stream);
  const isTraced = isTracing() && rows.some(({ traceparent }) => traceparent !== undefined);
  const insert = isTraced ? TRACED_INSERTS : INSERTS;
  add(oneStream ? insert.oneStream : insert.severalStreams, [
    oneStream ? first.stream : texts(rows.map((row) => row.stream)),
    oneStream ? first.occurredAt : times(rows.map((row) => row.occurredAt)),
    int8s(rows.map((row) => row.version)),
    texts(rows.map((row) => row.type)),
    jsons(rows.map((row) => row.json)),
    uuids(rows.map((row) => row.command?.id)),
    int2s(rows.map((row) => row.command?.size)),
    texts(rows.map((row) => row.command?.fingerprint)),
    int4s(rows.map((row) => row.userId)),
    texts(rows.map((row) => row.correlationId)),
    texts(rows.map((row) => row.causationId)),
    ...(isTraced ? [texts(rows.map((row) => row.traceparent))] : []),
  ]);
  project({ query: (text, values = []) => add(text, values) });
  return statements;
}

const COMMIT: Statement = { name: 'es_commit', text: 'commit', values: [] };

/** A session setting that commits or rolls back with the group. */
const NAME_GROUP = `select set_config('log.group', $1, false)`;

export interface Appending {
  /** The caller has already begun the transaction on this client; `append` commits it. */
  begun?: boolean;
  /** The group's name, unique per connection. The next pipelined group refers to this name. */
  group?: string;
  /**
   * The name of the group that was sent just before on this connection and has no response yet. This group is written
   * only if the earlier group commits.
   */
  after?: string | undefined;
}

/**
 * Sends the statements in one round trip, atomically. The unique index on stream and version rejects a stale writer.
 */
export function append(
  client: PoolClient,
  statements: Statement[],
  { begun, group, after }: Appending = {},
): Promise<void> {
  const [insert, ...rest] = statements;
  if (!insert) return Promise.resolve();
  const batch = [after === undefined ? insert : pipelined(insert, after), ...rest];
  if (group !== undefined) batch.push({ name: nameOf(NAME_GROUP), text: NAME_GROUP, values: [group] });
  if (begun) batch.push(COMMIT);
  return sendBatch(client, batch, after !== undefined);
}

/** Only groups of one stream are pipelined. */
function pipelined({ text: plain, values }: Statement, after: string): Statement {
  const text = PIPELINED[plain]!;
  return { name: nameOf(text), text, values: [...values, after] };
}

/** Appends once, on a separate connection. */
export async function appendOnce(writers: Pool, statements: Statement[]): Promise<void> {
  const writer = await writers.connect();
  let failed: Error | undefined;
  try {
    await append(writer, statements);
  } catch (error) {
    failed = error as Error;
    throw error;
  } finally {
    writer.release(failed && isTransient(failed) ? failed : undefined);
  }
}
