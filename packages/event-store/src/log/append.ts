import type { Pool, PoolClient } from 'pg';
import { isTracing } from '@beltway/tracing';
import { int2s, int4s, int8s, jsons, texts, times, uuids } from '../pg/arrays.ts';
import { isTransient } from '../pg/faults.ts';
import { sendBatch, type Statement } from '../pg/pipeline.ts';
import { nameOf } from '../pg/prepared.ts';
import type { Place, Statements } from '../types.ts';

/** An event about to be appended. `command` stands on the first event of its command. */
export interface EventRow extends Place {
  type: string;
  /** For projections. */
  data: unknown;
  /** What is written, made when it was decided: what happens to objects of `data` later does not change it. */
  json: string;
  command?: { id: string; size: number; fingerprint: string | null };
}

const COLUMNS =
  'stream, version, type, data, command_id, command_size, fingerprint, user_id, correlation_id, causation_id, occurred_at';

// `unnest` per column in the select list: in `from`, PostgreSQL would materialize the rows once more (docs/decisions/0017).
const EACH = ['bigint', 'text', 'json', 'uuid', 'smallint', 'text', 'int', 'text', 'text']
  .map((type, index) => `unnest($${index + 3}::${type}[])`)
  .join(', ');

/** The inserts of a group of events. `traced`: some of them have a `traceparent`. All others are spared the column. */
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
 * By the insert of a group, the same with the write fence of a group pipelined after another one. When that other group was rolled
 * back, so was the setting with its name: the stream is then null, which the table refuses (23502). Asking whether an event stands at the version before ours would prove
 * nothing: another instance may have written as many events as that group has (docs/decisions/0001).
 */
const PIPELINED: Record<string, string> = {
  [INSERTS.oneStream]: INSERTS.oneStreamAfter,
  [TRACED_INSERTS.oneStream]: TRACED_INSERTS.oneStreamAfter,
};

/** The statements that append `rows`, those of a stream in its order, and write their projections. */
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

/** A session setting that is kept if the group commits, and rolled back with it. */
const NAME_GROUP = `select set_config('log.group', $1, false)`;

export interface Appending {
  /** The caller has opened the transaction on this client before; it is committed. */
  begun?: boolean;
  /** What a group pipelined after this one will call it: a name that no other group of this connection has. */
  group?: string;
  /** The group that was sent just before on this connection and is not yet answered: unless it commits, this one is not written. */
  after?: string | undefined;
}

/** Sends the statements in one round trip: all or nothing. The unique index on stream and version refuses a stale writer. */
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

/** One append on a connection of its own. */
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
