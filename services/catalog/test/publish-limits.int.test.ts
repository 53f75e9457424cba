import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Event } from '@beltway/contracts/catalog/events';
import type { Problem } from '@beltway/contracts/common/basics';
import { concert, startCatalog, type Catalog } from './catalog.ts';

let catalog: Catalog;
beforeAll(async () => void (catalog = await startCatalog()));
afterAll(() => catalog.close());

let lastAccount = 5_000;
const newAccount = (isVerified = false) => ({ id: ++lastAccount, isVerified });
type Account = ReturnType<typeof newAccount>;
const WEEKLY = { every: 'week', count: 52 };

interface More {
  address?: string;
  key?: string;
  [field: string]: unknown;
}
const launch = (as: Account, { address = `10.7.${as.id >> 8}.${as.id & 255}`, key, ...more }: More = {}) =>
  catalog.call<Event & Omit<Problem, 'status'>>('POST', '/api/events', {
    as,
    body: { ...concert, eventDate: '2027-03-06', ...more },
    headers: { 'x-forwarded-for': address, ...(key !== undefined && { 'idempotency-key': key }) },
  });
const eventsOf = async ({ id }: Account) =>
  (await catalog.pool.query('select from listings where organizer_id = $1', [id])).rowCount;

test('an unverified account publishes sixty dates a day, in any number of requests', async () => {
  const account = newAccount();
  expect((await launch(account, { repeat: WEEKLY })).status).toBe(201);
  const refused = await launch(account, { repeat: WEEKLY });
  expect(refused).toMatchObject({ status: 429, body: { code: 'too-many-events' } });
  expect(refused.body.detail).toContain('Verify your email address');
  // The request exceeds the allowance by 44 dates, which become available again after 44/60 of a day.
  expect(Number(refused.headers.get('retry-after')) / 3_600).toBeCloseTo((44 / 60) * 24, 0);
  for (let n = 0; n < 8; n++) expect((await launch(account)).status).toBe(201);
  expect((await launch(account)).status).toBe(429);
  expect(await eventsOf(account)).toBe(60);
});

test('a repeated request counts once, and a request that is refused for another reason does not count', async () => {
  const account = newAccount();
  for (let n = 0; n < 3; n++) expect((await launch(account, { repeat: WEEKLY, key: 'the-same-key' })).status).toBe(201);
  for (let n = 0; n < 3; n++)
    expect((await launch(account, { repeat: WEEKLY, eventDate: '2025-03-06' })).status).toBe(400);
  for (let n = 0; n < 8; n++) expect((await launch(account)).status).toBe(201);
  expect((await launch(account)).status).toBe(429);
});

test('unverified accounts with one IP address share an allowance, which does not limit verified accounts', async () => {
  const address = '198.51.100.7';
  const accounts = Array.from({ length: 7 }, () => newAccount());
  const statuses: number[] = [];
  for (const account of accounts) statuses.push((await launch(account, { address, repeat: WEEKLY })).status);
  expect(statuses).toEqual([201, 201, 201, 201, 201, 429, 429]);
  expect((await launch(newAccount(true), { address, repeat: WEEKLY })).status).toBe(201);
  expect((await launch(newAccount(), { repeat: WEEKLY })).status).toBe(201);
});

test('twelve concurrent requests of one account do not exceed its allowance', async () => {
  const account = newAccount();
  const answers = await Promise.all(Array.from({ length: 12 }, () => launch(account, { repeat: WEEKLY })));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 11 }, () => 429)]);
  expect(await eventsOf(account)).toBe(52);
});
