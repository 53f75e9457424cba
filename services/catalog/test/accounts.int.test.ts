import { afterAll, beforeAll, expect, test } from 'vitest';
import { noteAccount } from '../src/accounts/accounts.ts';
import { startCatalog, type Catalog } from './catalog.ts';

let catalog: Catalog;
beforeAll(async () => void (catalog = await startCatalog()));
afterAll(() => catalog.close());

test('keeps the first name that was stored for an account', async () => {
  for (const name of ['<b>Ann</b>', '<b>Ann</b>', 'By an older token'])
    await noteAccount(catalog.pool, { userId: 1, name });
  const { rows } = await catalog.pool.query('select user_id, name from accounts');
  expect(rows).toEqual([{ user_id: 1, name: '<b>Ann</b>' }]);
});
