import {
  CamelCasePlugin,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
  type DatabaseConnection,
  type Dialect,
} from 'kysely';
import type { Queries } from '@beltway/event-store';

/** Runs what the query builder made on a pool or inside a transaction of ours. */
function connectionTo(db: Pick<Queries, 'query'>): DatabaseConnection {
  return {
    async executeQuery<Row>({ sql, parameters }: { sql: string; parameters: readonly unknown[] }) {
      const { rows, rowCount } = await db.query<Row & object>(sql, [...parameters]);
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

/** Fields are camel case in code and snake case in the database; what is inside JSON stays as it is. */
const plugins = [new CamelCasePlugin({ maintainNestedObjectKeys: true })];

/**
 * The query builder of a service, typed from its schema.prisma: `kysely(pool).selectFrom('orders')…`, or `kysely(tx)` for statements that
 * belong to a transaction. Lists are one parameter (`anyOf`), so that a statement's text never depends on its values.
 */
export function kyselyFor<Tables>(): (db: Pick<Queries, 'query'>) => Kysely<Tables> {
  const known = new WeakMap<object, Kysely<Tables>>();
  return (db) => {
    const existing = known.get(db);
    if (existing) return existing;
    const made = new Kysely<Tables>({ dialect: dialectOf(db), plugins });
    known.set(db, made);
    return made;
  };
}

/** To compare with `=`: one of these values. One parameter, however long the list is. */
export const anyOf = <Value>(values: readonly Value[]) => sql<Value>`any(${sql.val(values)})`;
