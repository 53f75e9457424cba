import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TablesOf } from '../src/postgres/columns.ts';
import { anyOf, kyselyFor, statementsFor, type Of } from '../src/postgres/kysely.ts';
import { openPool, transaction } from '../src/postgres/pool.ts';
import { testDatabase } from '../src/testing/testing.ts';

interface ShelfBooks {
  bookId: 'int4';
  shownTitle: 'text';
  soldAt: 'timestamptz?';
  copies: 'int4=';
  moreFacts: 'jsonb?';
}
type Tables = TablesOf<{ shelfBooks: { columns: Pick<ShelfBooks, keyof ShelfBooks> } }>;
const kysely = kyselyFor<Tables>();

let database: Awaited<ReturnType<typeof testDatabase>>;
let pool: ReturnType<typeof openPool>;
beforeAll(async () => {
  database = await testDatabase([]);
  pool = openPool(database.url);
  await pool.query(`create table shelf_books (book_id int primary key, shown_title text not null, sold_at timestamptz,
    copies int not null default 1, more_facts jsonb)`);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

test('rows use the names in code, and JSON keeps its own keys', async () => {
  await kysely(pool)
    .insertInto('shelfBooks')
    .values({ bookId: 1, shownTitle: 'Dune', moreFacts: { first_line: 'A beginning' } })
    .execute();
  const book = await kysely(pool).selectFrom('shelfBooks').selectAll().where('bookId', '=', 1).executeTakeFirst();
  expect(book).toEqual({
    ...{ bookId: 1, shownTitle: 'Dune', soldAt: null, copies: 1 },
    moreFacts: { first_line: 'A beginning' },
  });
});

test('statements on a client belong to its transaction', async () => {
  const work = transaction(pool, async (tx) => {
    const { numInsertedOrUpdatedRows: count } = await kysely(tx)
      .insertInto('shelfBooks')
      .values({ bookId: 2, shownTitle: 'Emma' })
      .executeTakeFirstOrThrow();
    expect(count).toBe(1n);
    throw new Error('the power fails');
  });
  await expect(work).rejects.toThrow('the power fails');
  expect(await kysely(pool).selectFrom('shelfBooks').select('bookId').where('bookId', '=', 2).execute()).toEqual([]);
});

test('a statement that is built once runs with the values of each call', async () => {
  const titles = statementsFor<Tables>()((db, of: Of<{ ids: readonly number[]; limit: number }>) =>
    db
      .selectFrom('shelfBooks')
      .select('shownTitle')
      .where('bookId', '=', anyOf(of('ids')))
      .where('copies', '=', 7)
      .orderBy('bookId')
      .limit(of('limit')),
  );
  await kysely(pool)
    .insertInto('shelfBooks')
    .values([
      { bookId: 71, shownTitle: 'Ulysses', copies: 7 },
      { bookId: 72, shownTitle: 'Dubliners', copies: 7 },
    ])
    .execute();
  expect(await titles.rows(pool, { ids: [71, 72], limit: 1 })).toEqual([{ shownTitle: 'Ulysses' }]);
  expect(await titles.rows(pool, { ids: [72], limit: 2 })).toEqual([{ shownTitle: 'Dubliners' }]);
  expect(await titles.rows(pool, { ids: [72, 71, 1], limit: 5 })).toHaveLength(2);
});

test('a list of any length is one parameter', async () => {
  const query = kysely(pool)
    .selectFrom('shelfBooks')
    .select(['shownTitle', sql<number>`copies * 2`.as('twiceTheCopies')])
    .where('bookId', '=', anyOf([1, 2, 3]));
  expect(query.compile().sql).toBe(
    'select "shown_title", copies * 2 as "twice_the_copies" from "shelf_books" where "book_id" = any($1)',
  );
  expect(await query.execute()).toEqual([{ shownTitle: 'Dune', twiceTheCopies: 2 }]);
});

test('the query builder cannot begin transactions', async () => {
  const work = kysely(pool)
    .transaction()
    .execute(() => Promise.resolve());
  await expect(work).rejects.toThrow('transaction() of @beltway/kit/postgres');
});

test('a statement that is built once takes the values of each execution', async () => {
  const SELL = statementsFor<Tables>()((db, of: Of<{ bookId: number; soldAt: Date | null }>) =>
    db
      .updateTable('shelfBooks')
      .set({ soldAt: of('soldAt'), shownTitle: 'Sold' })
      .where('bookId', '=', of('bookId')),
  );
  expect(SELL.text).toBe('update "shelf_books" set "sold_at" = $1, "shown_title" = $2 where "book_id" = $3');
  expect(SELL.values({ bookId: 1, soldAt: null })).toEqual([null, 'Sold', 1]);
  const soldAt = new Date('2026-11-21T12:00:00Z');
  await pool.query(SELL.text, SELL.values({ bookId: 1, soldAt }));
  const sold = await kysely(pool).selectFrom('shelfBooks').select('soldAt').where('shownTitle', '=', 'Sold').execute();
  expect(sold).toEqual([{ soldAt }]);
});
