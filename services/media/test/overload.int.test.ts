import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { eventStoreMigrations } from '@beltway/event-store/migrations';
import { openPool } from '@beltway/kit/postgres';
import { asProblem } from '@beltway/kit/problems';
import { eventually, testDatabase } from '@beltway/kit/testing';
import { request, type ClientRequest } from 'node:http';
import { photo } from '../src/image/testing.ts';
import { lazyDb } from '../src/db.ts';
import { startMedia } from './service.ts';

test('when too many requests wait for the database, Prisma queries are also refused immediately', async () => {
  const database = await testDatabase([
    eventStoreMigrations,
    ...[
      ...['jobs', 'requests', 'moderated'].map((name) => `../../../packages/kit/migrations/${name}`),
      '../prisma/migrations',
    ].map((folder) => fileURLToPath(new URL(folder, import.meta.url))),
  ]);
  const pool = openPool(database.url, { max: 1, maxWaiting: 1 });
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

test('accounts that announce pictures without sending them do not block others', async () => {
  const media = await startMedia();
  const attackers: ClientRequest[] = [];
  const answers: number[] = [];
  for (let n = 0; n < 48; n++) {
    const authorization = `Bearer ${await media.tokenFor({ id: 100 + Math.floor(n / 3) })}`;
    const headers = { authorization, 'content-type': 'multipart/form-data; boundary=x', 'content-length': '3000000' };
    const one = request(`${media.url}/api/images`, { method: 'POST', headers, agent: false });
    one.on('response', (res) => (answers.push(res.statusCode!), res.resume())).on('error', () => undefined);
    one.write('--x\r\n');
    attackers.push(one);
  }
  // All uploads above the sixteen slots were dropped: each time the earliest upload of the account with the most
  // uploads.
  await eventually(() => answers.length === 32, { what: 'the others are turned away' });
  expect(new Set(answers)).toEqual(new Set([503]));
  for (const userId of [7, 8, 9]) expect((await media.upload(await photo(), { userId })).status).toBe(201);
  for (const one of attackers) one.destroy();
  await media.stop();
});
