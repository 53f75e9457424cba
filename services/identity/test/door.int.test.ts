import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { Session, User } from '@beltway/contracts/identity/accounts';
import { makeAdmin } from '../src/make-admin.ts';
import { rebuild } from '../src/rebuild.ts';
import { sweep } from '../src/jobs.ts';
import { PASSWORD, admin, databases, identity, newEmail, register } from './support.ts';

test.each([
  ['broken JSON', '{"email":', 400, 'malformed-json'],
  ['no body', '', 400, 'invalid'],
  ['a list', '[]', 400, 'invalid'],
  ['JSON a hundred levels deep', `${'{"a":'.repeat(100)}1${'}'.repeat(100)}`, 400, 'too-deep'],
  ['more than 16 KB', JSON.stringify({ email: 'a@example.test', password: 'x'.repeat(20_000) }), 413, 'too-large'],
  ['wrong types', '{"email":{"$ne":1},"password":["a"]}', 400, 'invalid'],
])('%s is refused with the right status and code', async (_what, raw, status, code) => {
  const service = await identity();
  for (const path of ['/api/auth/login', '/api/auth/register'])
    expect(await service.call('POST', path, { raw })).toMatchObject({ status, json: { code, status } });
});

test('unknown paths are 404, and the health calls respond', async () => {
  const service = await identity();
  expect(await service.call('GET', '/api/auth/nothing')).toMatchObject({ status: 404, json: { code: 'not-found' } });
  expect(await service.call('GET', '/health/ready')).toMatchObject({ status: 200 });
  expect(await service.call('GET', '/health/live')).toMatchObject({ status: 200 });
});

test('no answer, log line, event or message has a password, hash or token; a hash is in its own row only', async () => {
  const service = await identity();
  const secret = 'Pa55phrase-nobody-should-see';
  const texts: string[] = [];
  const call: typeof service.call = async (...args) => {
    const answer = await service.call(...args);
    texts.push(answer.text);
    return answer;
  };
  const boss = await admin(service);
  const email = newEmail();
  const headers = { 'idempotency-key': randomUUID() };
  const body = { name: 'Ann', email, password: secret };
  const { json, cookie } = await call('POST', '/api/auth/register', { body, headers });
  await call('POST', '/api/auth/register', { body, headers });
  await call('POST', '/api/auth/register', { body });
  await call('POST', '/api/auth/register', { body: { ...body, email: 'x' } });
  await call('POST', '/api/auth/register', { raw: `{"password":"${secret}"` });
  const login = await call('POST', '/api/auth/login', { body: { email, password: secret } });
  await call('POST', '/api/auth/login', { body: { email: newEmail(), password: secret } });
  const refreshed = await call('POST', '/api/auth/refresh', { cookie });
  await call('GET', '/api/auth/me', { token: json.token });
  await call('GET', `/api/users/${json.user.id}`, { token: boss.token });
  await call('PATCH', `/api/users/${json.user.id}/role`, { token: boss.token, body: { role: 'business' } });
  await call('POST', '/api/auth/logout', { cookie: refreshed.cookie });
  await service.rows('drop table sessions cascade');
  expect((await call('POST', '/api/auth/login', { body: { email, password: secret } })).status).toBe(500);

  const hashes = (await service.rows('select password_hash from credentials')).map(({ password_hash }) =>
    String(password_hash),
  );
  expect(hashes).toHaveLength(2);
  const tokens = [
    json.token,
    login.json.token,
    refreshed.json.token,
    cookie,
    login.cookie,
    refreshed.cookie,
  ] as string[];
  const log = service.lines.join('\n');
  expect(service.lines.length).toBeGreaterThan(12);
  const events = JSON.stringify(await service.rows('select * from events'));
  const messages = JSON.stringify(await service.told());
  for (const where of [log, events, messages, ...texts]) {
    expect(where).not.toContain(secret);
    expect(where).not.toContain('$argon2');
    expect(where).not.toMatch(/passwordHash|password_hash/);
  }
  for (const where of [log, events, messages]) for (const token of tokens) expect(where).not.toContain(token);
  expect(messages).not.toContain('@example.test');
  Session.strict().parse(json);
  User.strict().parse(json.user);
});

test('a rebuild from the log gives exactly the same read models, and does not need the credentials', async () => {
  const on = await databases();
  const service = await identity({ on });
  const boss = await admin(service);
  const people = [await register(service), await register(service), await register(service)];
  await service.call('PATCH', `/api/users/${people[0]?.user.id}/role`, {
    token: boss.token,
    body: { role: 'business' },
  });
  await service.call('POST', '/api/auth/logout', { cookie: people[1]?.cookie });
  const credentials = await service.rows('select * from credentials order by id');

  const { tables, events } = await rebuild(on.url);
  expect(events).toBe(8);
  expect(tables.map(({ table, rows, before, after }) => ({ table, rows, same: before === after }))).toEqual([
    { table: 'users', rows: 4, same: true },
    { table: 'erased_users', rows: 0, same: true },
    { table: 'referrals', rows: 0, same: true },
    { table: 'totp_factors', rows: 1, same: true },
    { table: 'revoked_sessions', rows: 1, same: true },
    { table: 'moderation_cases', rows: 0, same: true },
    { table: 'moderation_decisions', rows: 0, same: true },
    { table: 'audit_entries', rows: 0, same: true },
    ...[
      'engagement_profiles',
      'counted_facts',
      'taken_back_facts',
      'user_badges',
      'leaderboard_scores',
      'connection_wishes',
      'challenges',
      'challenge_standings',
    ].map((table) => ({
      ...{ table, rows: 0, same: true },
    })),
  ]);
  expect(await service.rows('select * from credentials order by id')).toEqual(credentials);
  const login = await service.call('POST', '/api/auth/login', {
    body: { email: people[2]?.email, password: PASSWORD },
  });
  expect(login.status).toBe(200);
});

test('the first admin is made with a command, while the service runs', async () => {
  const on = await databases();
  const service = await identity({ on });
  const { email, token } = await register(service);
  expect(await makeAdmin(on.url, newEmail())).toBe('unknown');
  expect(await makeAdmin(on.url, email.toUpperCase())).toBe('made');
  expect((await service.call('GET', '/api/auth/me', { token })).status).toBe(401);
  const { json } = await service.call('POST', '/api/auth/login', { body: { email, password: PASSWORD } });
  expect(json.user).toMatchObject({ role: 'user', codesRequired: true });
  expect((await service.told()).at(-1)).toMatchObject({
    type: 'identity.role-changed',
    data: { role: 'admin', generation: 1 },
  });
});

test('the sweep deletes only rows that can no longer be used', async () => {
  const service = await identity();
  const { cookie, email } = await register(service);
  const gone = await register(service);
  await service.call('POST', '/api/auth/login', { body: { email, password: 'not the password' } });
  await service.rows(
    `insert into credentials (id, password_hash, created_at) values (gen_random_uuid(), 'x', now() - interval '25 hours'), (gen_random_uuid(), 'y', now())`,
  );
  await service.rows(`update sessions set ends_at = now() - interval '25 hours' where user_id = $1`, [gone.user.id]);
  await service.rows(
    `insert into login_attempts (key, failures, blocked_until, tried_at) select 'old', failures, blocked_until, now() - interval '25 hours' from login_attempts`,
  );
  await service.rows(`insert into login_budgets select 'old', now() - interval '25 hours'`);
  await service.rows(`insert into login_places values ('old', now() - interval '25 hours'), ('new', now())`);
  await sweep(service.pool);
  const counts = async (table: string) => (await service.rows(`select count(*)::int as n from ${table}`))[0]?.['n'];
  expect([
    await counts('credentials'),
    await counts('sessions'),
    await counts('refresh_tokens'),
    await counts('login_attempts'),
    // Two budgets: one for the account and one for the IP address.
    await counts('login_budgets'),
    await counts('login_places'),
  ]).toEqual([3, 1, 1, 1, 2, 1]);
  expect((await service.call('POST', '/api/auth/refresh', { cookie })).status).toBe(200);
});
