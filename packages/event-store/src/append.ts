import type { PoolClient } from 'pg';
import { int2s, int4s, int8s, jsons, texts, times, uuids } from './arrays.ts';
import { sendBatch, type Statement } from './batch.ts';
import { nameOf } from './prepared.ts';
import type { Place, Statements } from './types.ts';

/** An event about to be appended. `command` stands on the first event of its command. */
export interface Row extends Place {
  type: string;
  data: unknown;
  command?: { id: string; size: number; fingerprint: string | null };
}

const COLUMNS =
  'stream, version, type, data, command_id, command_size, fingerprint, user_id, correlation_id, causation_id, occurred_at';

// `unnest` for each column in the list of columns: in `from` the rows would be made once more, to be kept aside (docs/decisions/0017).
const EACH = ['bigint', 'text', 'json', 'uuid', 'smallint', 'text', 'int', 'text', 'text']
  .map((type, index) => `unnest($${index + 3}::${type}[])`)
  .join(', ');

const INSERT = `insert into events (${COLUMNS}) select $1, ${EACH}, $2`;
/** The same behind an event that may not be there: then there is no stream to write to, which the table does not take (23502). */
const INSERT_BEHIND = `insert into events (${COLUMNS}) select (select stream from events where stream = $1 and version = $12), ${EACH}, $2`;
const INSERT_SEVERAL = `insert into events (${COLUMNS}) select unnest($1::text[]), ${EACH}, unnest($2::timestamptz[])`;

/** The statements that append `rows`, those of a stream in its order, and write their projections. */
export function statementsOf(rows: Row[], project: (sql: Statements) => void): Statement[] {
  const [first] = rows;
  if (!first) return [];
  const statements: Statement[] = [];
  const add = (text: string, values: unknown[]) => void statements.push({ name: nameOf(text), text, values });
  const oneStream = rows.every(({ stream }) => stream === first.stream);
  add(oneStream ? INSERT : INSERT_SEVERAL, [
    oneStream ? first.stream : texts(rows.map((row) => row.stream)),
    oneStream ? first.occurredAt : times(rows.map((row) => row.occurredAt)),
    int8s(rows.map((row) => row.version)),
    texts(rows.map((row) => row.type)),
    jsons(rows.map((row) => row.data)),
    uuids(rows.map((row) => row.command?.id)),
    int2s(rows.map((row) => row.command?.size)),
    texts(rows.map((row) => row.command?.fingerprint)),
    int4s(rows.map((row) => row.userId)),
    texts(rows.map((row) => row.correlationId)),
    texts(rows.map((row) => row.causationId)),
  ]);
  project({ query: (text, values = []) => add(text, values) });
  return statements;
}

const COMMIT: Statement = { name: 'es_commit', text: 'commit', values: [] };

/** An insert of `statementsOf` for one stream, which fails when the event before its first one is not there. */
const behindOf = ({ values }: Statement, { version }: Row): Statement => ({
  name: nameOf(INSERT_BEHIND),
  text: INSERT_BEHIND,
  values: [...values, version - 1],
});

export interface Appending {
  /** The caller has opened the transaction on this client before; it is committed. */
  begun?: boolean;
  /** The first event of a group that is sent behind another one, whose answer is not known yet: it must not leave a gap. */
  behind?: Row | undefined;
}

/** Sends them in one round trip: all or nothing. The primary key fences a stale writer. */
export function append(client: PoolClient, statements: Statement[], { begun, behind }: Appending = {}): Promise<void> {
  const [insert, ...rest] = statements;
  if (behind && insert) return sendBatch(client, [behindOf(insert, behind), ...rest], true);
  return sendBatch(client, begun ? [...statements, COMMIT] : statements);
}
