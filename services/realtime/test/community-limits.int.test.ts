import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SocialPost } from '@beltway/contracts/realtime/community';
import { person, startCommunity, type Community, type Person } from './community.ts';

let community: Community;
/** How far realtime's clock is moved ahead. */
const time = { ahead: 0 };
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

beforeAll(async () => {
  community = await startCommunity({ isUnlimited: false, clock: () => new Date(Date.now() + time.ahead) });
});
afterAll(() => community.close());

const post = (as: Person) => community.ask<SocialPost>('POST', '/api/social-posts', { as, body: { content: 'Go-Go' } });
/** Posts at this interval until a post is refused or `most` posts are written. Returns the number of posts written. */
async function writeEach(as: Person, minutes: number, most: number): Promise<number> {
  for (let written = 0; written < most; written++) {
    if ((await post(as)).status !== 201) return written;
    time.ahead += minutes * MINUTE_MS;
  }
  return most;
}

test('an account writes six contributions a minute, even concurrently; further ones are refused with a time to retry', async () => {
  const ann = person();
  await community.register(ann, 48);
  const answers = await Promise.all(Array.from({ length: 20 }, () => post(ann)));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(6);
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(14);
  for (const { body, headers } of refused) {
    expect(body.code).toBe('too-many-requests');
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(50);
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60);
  }
  expect((await post(person())).status).toBe(201);
  time.ahead += 61_000;
  expect((await post(ann)).status).toBe(201);
});

test('an account writes 30 posts a day, including deleted posts; a day later it may write again', async () => {
  const ann = person();
  await community.register(ann, 48);
  const first = (await post(ann)).body;
  time.ahead += MINUTE_MS;
  expect(await writeEach(ann, 1, 40)).toBe(29);
  await community.ask('DELETE', `/api/social-posts/${first.id}`, { as: ann });
  const refused = await post(ann);
  expect(refused.status).toBe(429);
  const seconds = Number(refused.headers.get('retry-after'));
  expect(seconds).toBeGreaterThan(23 * 3_600);
  expect(seconds).toBeLessThan(24 * 3_600);
  time.ahead += seconds * 1_000;
  expect((await post(ann)).status).toBe(201);
});

test('an account younger than a day, or not yet published by identity, writes 5 posts a day', async () => {
  const [young, unknown, old] = [person(), person(), person()];
  await community.register(young, 1);
  await community.register(old, time.ahead / HOUR_MS + 48);
  expect(await writeEach(unknown, 1, 10)).toBe(5);
  // By realtime's clock, which is ahead, the account becomes an hour old again.
  await community.pool.query('update community_people set registered_at = $2 where user_id = $1', [
    young.id,
    new Date(Date.now() + time.ahead - HOUR_MS),
  ]);
  expect(await writeEach(young, 1, 10)).toBe(5);
  expect((await post(young)).body).toMatchObject({ detail: expect.stringContaining('New accounts') as string });
  expect(await writeEach(old, 1, 10)).toBe(10);
  time.ahead += 25 * HOUR_MS;
  expect(await writeEach(young, 1, 10)).toBe(10);
});

test('repeated messages about an account, of any version, change nothing, and an erased account is not stored again', async () => {
  const ann = person();
  await community.register(ann, 3);
  await community.register(ann, 3);
  const known = 'select from community_people where user_id = $1 and registered_at is not null';
  expect((await community.pool.query(known, [ann.id])).rowCount).toBe(1);
  await community.pool.query('insert into erasures (user_id, erased_at) values ($1, now())', [ann.id]);
  await community.erase(ann.id);
  await community.register(ann, 3);
  const { rowCount } = await community.pool.query('select from community_people where user_id = $1', [ann.id]);
  expect(rowCount).toBe(0);
});
