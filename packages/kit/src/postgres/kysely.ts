import {
  CamelCasePlugin,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
  type DatabaseConnection,
  type Dialect,
  type AnyColumn,
  type Compilable,
  type Expression,
  type ExpressionBuilder,
  type InsertObject,
} from 'kysely';
import { prepared, type Queries } from '@beltway/event-store';
import type { Statement, TablesOf } from './columns.ts';

/** How often each text ran in this process, for at most as many texts as a connection may keep prepared. */
const runs = new Map<string, number>();
const MAX_PREPARED = 500;
const PREPARED_FROM = 3;

/**
 * True if a text should be prepared. A frequent text saves planning; a text that runs once or twice would only use
 * server memory.
 */
function isPrepared(text: string): boolean {
  const count = (runs.get(text) ?? 0) + 1;
  if (count > 1 || runs.size < MAX_PREPARED) runs.set(text, count);
  return count >= PREPARED_FROM;
}

/** Runs built queries on a pool or in an existing transaction. */
function connectionTo(db: Pick<Queries, 'query'>): DatabaseConnection {
  return {
    async executeQuery<Row>({ sql: text, parameters }: { sql: string; parameters: readonly unknown[] }) {
      const values = [...parameters];
      const { rows, rowCount } = await (isPrepared(text)
        ? db.query<Row & object>(prepared(text, values))
        : db.query<Row & object>(text, values));
      return { rows: rows as Row[], numAffectedRows: BigInt(rowCount ?? 0) };
    },
    streamQuery: () => {
      throw new Error('read pages by a cursor instead of streaming');
    },
  };
}

const refuse = () => Promise.reject(new Error('begin transactions with transaction() of @beltway/kit/postgres'));

function dialectOf(db: Pick<Queries, 'query'>): Dialect {
  const connection = connectionTo(db);
  const nothing = () => Promise.resolve();
  return {
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (kysely) => new PostgresIntrospector(kysely),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createDriver: () => ({
      ...{ init: nothing, destroy: nothing, releaseConnection: nothing },
      ...{ beginTransaction: refuse, commitTransaction: refuse, rollbackTransaction: refuse },
      acquireConnection: () => Promise.resolve(connection),
    }),
  };
}

/** The columns of the job queues' table that services query directly (migrations/jobs). */
export type KitTables = TablesOf<{
  jobs: {
    columns: { queue: 'text'; key: 'text'; data: 'jsonb='; priority: 'int2='; status: 'text=' } & {
      attempts: 'int2=';
      lastError: 'text?';
      createdAt: 'timestamptz=';
      endedAt: 'timestamptz?';
    };
  };
}>;

/** Fields are camel case in code and snake case in the database; keys inside JSON stay unchanged. */
const plugins = [new CamelCasePlugin({ maintainNestedObjectKeys: true })];

/**
 * A service's query builder, typed from its schema.prisma: `kysely(pool).selectFrom('orders')…`, or `kysely(tx)` inside
 * a transaction. Lists are one parameter (`anyOf`), so that a statement's text never depends on its values.
 */
export function kyselyFor<Tables>(): (db: Pick<Queries, 'query'>) => Kysely<Tables & KitTables> {
  const known = new WeakMap<object, Kysely<Tables & KitTables>>();
  return (db) => {
    const existing = known.get(db);
    if (existing) return existing;
    const made = new Kysely<Tables & KitTables>({ dialect: dialectOf(db), plugins });
    known.set(db, made);
    return made;
  };
}

/** A placeholder for a value that each execution provides. */
class Parameter {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** `of('userId')` is the parameter with this name. */
export interface Of<Values> {
  <Name extends keyof Values & string>(name: Name): Required<Values>[Name];
}

/** A statement that returns rows and whose text is built once. */
export interface ReadStatement<Values, Row> extends Statement<Values> {
  /** Runs the statement on a pool or in a transaction. Fields of the rows are camel case. */
  rows: (db: Pick<Queries, 'query'>, of: Values) => Promise<Row[]>;
}

/**
 * Builds statements once, at module load. Used for projections, and for reads whose building would take as long as
 * their execution.
 * `statement((db, of: Of<{ userId: number }>) => db.deleteFrom('passkeys').where('userId', '=', of('userId')))`.
 */
export function statementsFor<Tables>() {
  const kysely = kyselyFor<Tables>();
  const builder = kysely({ query: refuse });
  return <Values extends object, Row>(
    make: (db: typeof builder, of: Of<Values>) => Compilable<Row>,
  ): ReadStatement<Values, Row> => {
    const query = make(builder, (name) => new Parameter(name) as never).compile();
    const { sql: text } = query;
    const values = (given: Values): unknown[] =>
      query.parameters.map((value) => (value instanceof Parameter ? given[value.name as keyof Values] : value));
    return {
      text,
      values,
      run: (sql, given) => sql.query(text, values(given)),
      rows: async (db, given) => (await kysely(db).executeQuery<Row>({ ...query, parameters: values(given) })).rows,
    };
  };
}

/**
 * For a comparison with `=` to any of these values, or to any element of an array that the event store encoded. A list
 * of any length is one parameter.
 */
export const anyOf = <Value>(values: readonly Value[] | Buffer) => sql<Value>`any(${sql.val(values)})`;

/** The database's current time minus an interval: `ago('2 days')`. */
export const ago = (interval: string) => sql<Date>`(now() - ${interval}::interval)`;

/** Converts a time to `Micros`, for a cursor. */
export const toMicros = (column: string) =>
  sql<string>`(extract(epoch from ${sql.ref(column)}) * 1000000)::bigint::text`;

/** Converts `Micros` to a time. */
export const fromMicros = (micros: string | number | undefined) =>
  sql<Date>`'epoch'::timestamptz + ${micros}::bigint * interval '1 microsecond'`;

/** For `orderBy`: sorts by these columns, all descending. */
export const newestFirst = (columns: readonly string[]) =>
  sql`${sql.join(columns.map((column) => sql`${sql.ref(column)} desc`))}`;

/** For `where`: rows after a cursor, newest first. The first column is a time; the cursor contains it as `Micros`. */
export const behind = ([moment, ...others]: readonly string[], [micros, ...place]: readonly (string | number)[]) =>
  sql<boolean>`(${sql.join([moment!, ...others].map((column) => sql.ref(column)))}) <
    (${sql.join([fromMicros(micros), ...place])})`;

/** `count(*)` as a number. */
export const countRows = sql<number>`count(*)::int`.as('count');

/** Returns the next number of a sequence as `id`. */
export const nextval = <Tables>(db: Kysely<Tables>, sequence: string) =>
  db.selectNoFrom(sql<number>`nextval(${sequence})::integer`.as('id'));

/** For `doUpdateSet`: an existing row gets the new values of these columns. */
export const excluded = <Tables, Table extends keyof Tables, Column extends AnyColumn<Tables, Table> & string>(
  eb: ExpressionBuilder<Tables, Table>,
  columns: readonly Column[],
) =>
  Object.fromEntries(columns.map((column) => [column, eb.ref(`excluded.${column}` as never)])) as Record<Column, never>;

/**
 * A condition that the account is not erased (migrations/erasures), so that a late write does not restore the account's
 * data.
 */
export const notErased = (userId: number) => sql<boolean>`not exists (select from erasures where user_id = ${userId})`;

/**
 * Inserts a row if a condition holds at that moment: `insertIf(kysely(tx), 'follows', follows, row,
 * notErased(7)).onConflict(…)`.
 */
export function insertIf<Tables, Name extends keyof Tables & string>(
  db: Kysely<Tables>,
  name: Name,
  { typeOf }: { typeOf: (field: never) => string },
  row: InsertObject<Tables, Name>,
  condition: Expression<boolean>,
) {
  const given = Object.entries(row).filter(([, value]) => value !== undefined);
  const values = given.map(([field, value]) => sql`${value}::${sql.raw(typeOf(field as never))}`);
  return db
    .insertInto(name)
    .columns(given.map(([field]) => field) as never)
    .expression(sql`select ${sql.join(values)} where ${condition}`);
}

/** Runs transactions with the same key one after another. */
export const lockKey = (tx: Pick<Queries, 'query'>, key: string) =>
  tx.query(prepared('select pg_advisory_xact_lock(hashtextextended($1, 0))', [key]));
