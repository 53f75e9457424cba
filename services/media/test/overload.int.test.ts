import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { openPool } from '@beltway/kit/postgres';
import { asProblem } from '@beltway/kit/problems';
import { testDatabase } from '@beltway/kit/testing';
import { lazyDb } from '../src/db.ts';

test('when too many wait for the database, what asks by Prisma is told so at once as well', async () => {
  const database = await testDatabase([fileURLToPath(new URL('../prisma/migrations', import.meta.url))]);
  const pool = openPool(database.url, { max: 1, mostWaiting: 1 });
  const holder = await pool.connect();
  const waiting = pool.query('select 1');
  const error = await lazyDb(pool)()
    .then(({ image }) => image.findMany())
    .catch((thrown: unknown) => thrown);
  expect(asProblem(error)).toMatchObject({ status: 503, code: 'unavailable' });
  expect(asProblem(error).retryAfter).toBeGreaterThan(0);
  holder.release();
  await waiting;
  await pool.end();
  await database.drop();
});
