import { afterAll, beforeAll, expect, test } from 'vitest';
import { noteAccount } from '../src/accounts/accounts.ts';
import { startCatalog, type Catalog } from './catalog.ts';

let catalog: Catalog;
beforeAll(async () => void (catalog = await startCatalog()));
afterAll(() => catalog.close());

const names = async () =>
  (await catalog.pool.query('select user_id, name from accounts order by user_id')).rows as unknown[];

test('keeps the names of accounts as identity says them, once however often it is said', async () => {
  await noteAccount(catalog.pool, { userId: 2, name: 'By a token' });
  for (let time = 0; time < 2; time++) {
    await catalog.introduce({ id: 1 }, '<b>Ann</b>');
    await catalog.introduce({ id: 2 }, 'Bob');
  }
  await catalog.heard();
  // A token may be older than what was heard.
  await noteAccount(catalog.pool, { userId: 2, name: 'By an older token' });
  expect(await names()).toEqual([
    { user_id: 1, name: '<b>Ann</b>' },
    { user_id: 2, name: 'Bob' },
  ]);
});
