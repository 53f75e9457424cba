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
  type CompiledQuery,
  type Expression,
  type ExpressionBuilder,
  type InsertObject,
} from 'kysely';
import { prepared, type Queries } from '@beltway/event-store';
import type { Statement, TablesOf } from './columns.ts';

/** How often each text ran in this process, of as many texts as a connection may keep prepared. */
const runs = new Map<string, number>();
const MAX_PREPARED = 500;
const PREPARED_FROM = 3;

/** Whether to prepare a text: one that runs often saves planning; one that runs once or twice would only cost the server memory. */
function isPrepared(text: string): boolean {
  const count = (runs.get(text) ?? 0) + 1;
  if (count > 1 || runs.size < MAX_PREPARED) runs.set(text, count);
  return count >= PREPARED_FROM;
}

/** Runs what the query builder made on a pool or inside a transaction of ours. */
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

/** What services ask of the queue's table themselves (migrations/jobs). */
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

/** Fields are camel case in code and snake case in the database; what is inside JSON stays as it is. */
const plugins = [new CamelCasePlugin({ maintainNestedObjectKeys: true })];

/**
 * The query builder of a service, typed from its schema.prisma: `kysely(pool).selectFrom('orders')…`, or `kysely(tx)` for statements that
 * belong to a transaction. Lists are one parameter (`anyOf`), so that a statement's text never depends on its values.
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

/** A placeholder for a value that each execution gives. */
class Parameter {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/**
 * Statements whose text is made once, at module load, for projections and hot paths. `of('userId')` is a parameter:
 * `statement<{ userId: number }>((db, of) => db.deleteFrom('passkeys').where('userId', '=', of('userId')))`.
 */
export function statementsFor<Tables>() {
  const builder = kyselyFor<Tables>()({ query: refuse });
  return <Values extends object>(
    make: (
      db: typeof builder,
      of: <Name extends keyof Values & string>(name: Name) => Required<Values>[Name],
    ) => Compilable,
  ): Statement<Values> => {
    const { sql: text, parameters } = make(builder, (name) => new Parameter(name) as never).compile();
    const values = (given: Values): unknown[] =>
      parameters.map((value) => (value instanceof Parameter ? given[value.name as keyof Values] : value));
    return { text, values, run: (sql, given) => sql.query(text, values(given)) };
  };
}

/**
 * Makes statements that are built once, at their first use: for those that run for every buyer, where building costs as much as running.
 * `build` gets stand-ins for the values, to pass on and never to look at.
 */
export const builtOnceFor =
  <Tables>(kysely: ReturnType<typeof kyselyFor<Tables>>) =>
  <Values extends unknown[], Row>(build: (db: Kysely<Tables & KitTables>, ...values: Values) => Compilable<Row>) => {
    const standIns = Array.from({ length: build.length - 1 }, () => ({}));
    let made: { query: CompiledQuery<Row>; places: number[] } | undefined;
    return async (db: Pick<Queries, 'query'>, ...values: Values): Promise<Row[]> => {
      if (!made) {
        const query = build(kysely(db), ...(standIns as Values)).compile();
        made = { query, places: query.parameters.map((parameter) => standIns.indexOf(parameter as object)) };
      }
      const { query, places } = made;
      const parameters = places.map((place, at) => (place < 0 ? query.parameters[at] : values[place]));
      const given: CompiledQuery<Row> = { ...query, parameters };
      return (await kysely(db).executeQuery(given)).rows;
    };
  };

/** To compare with `=`: one of these values, or of those of an array that the event store encoded. One parameter, however long the list is. */
export const anyOf = <Value>(values: readonly Value[] | Buffer) => sql<Value>`any(${sql.val(values)})`;

/** The moment that was an interval ago, by the database's clock: `ago('2 days')`. */
export const ago = (interval: string) => sql<Date>`(now() - ${interval}::interval)`;

/** A moment as `Micros`, for a cursor. */
export const toMicros = (column: string) =>
  sql<string>`(extract(epoch from ${sql.ref(column)}) * 1000000)::bigint::text`;

/** The moment that `Micros` name. */
export const fromMicros = (micros: string | number | undefined) =>
  sql<Date>`'epoch'::timestamptz + ${micros}::bigint * interval '1 microsecond'`;

/** For `orderBy`: the greatest first, by the first of these columns and so on. */
export const newestFirst = (columns: readonly string[]) =>
  sql`${sql.join(columns.map((column) => sql`${sql.ref(column)} desc`))}`;

/** For `where`: rows behind a cursor's place, newest first. The first of these columns is a moment, which the cursor has as `Micros`. */
export const behind = ([moment, ...others]: readonly string[], [micros, ...place]: readonly (string | number)[]) =>
  sql<boolean>`(${sql.join([moment!, ...others].map((column) => sql.ref(column)))}) <
    (${sql.join([fromMicros(micros), ...place])})`;

/** `count(*)` as a number. */
export const countRows = sql<number>`count(*)::int`.as('count');

/** The next number of a sequence, as `id`. */
export const nextval = <Tables>(db: Kysely<Tables>, sequence: string) =>
  db.selectNoFrom(sql<number>`nextval(${sequence})::integer`.as('id'));

/** For `doUpdateSet`: the row that is there gets the new values of these columns. */
export const excluded = <Tables, Table extends keyof Tables, Column extends AnyColumn<Tables, Table> & string>(
  eb: ExpressionBuilder<Tables, Table>,
  columns: readonly Column[],
) =>
  Object.fromEntries(columns.map((column) => [column, eb.ref(`excluded.${column}` as never)])) as Record<Column, never>;

/** Whether an account is not erased (migrations/erasures): a late write must not bring it back. */
export const notErased = (userId: number) => sql<boolean>`not exists (select from erasures where user_id = ${userId})`;

/** Inserts a row if a condition holds when it is written: `insertIf(kysely(tx), 'follows', follows, row, notErased(7)).onConflict(…)`. */
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

/** Lets one transaction at a time go on with this key, until it ends. */
export const lockKey = (tx: Pick<Queries, 'query'>, key: string) =>
  tx.query(prepared('select pg_advisory_xact_lock(hashtextextended($1, 0))', [key]));
