import { createHash, randomUUID } from 'node:crypto';
import { decodeJwt } from 'jose';
import { expect, test } from 'vitest';
import { PASSWORD, caller, databases, identity, movableClock, register, type Identity } from './support.ts';

const DAY = 24 * 3_600;

const refresh = ({ call }: Pick<Identity, 'call'>, cookie: string | undefined) =>
  call('POST', '/api/auth/refresh', { cookie });

test('each refresh returns a token for the same session and replaces the cookie', async () => {
  const { clock, pass } = movableClock();
  const service = await identity({ clock });
  const start = await register(service);
  let { cookie } = start;
  for (let i = 0; i < 3; i++) {
    pass(14 * 60);
    const next = await refresh(service, cookie);
    expect(next).toMatchObject({ status: 200, json: { user: start.user } });
    expect(next.cookie).toMatch(/^[\w-]{43}$/);
    expect(next.cookie).not.toBe(cookie);
    expect(decodeJwt(next.json.token)).toMatchObject({
      sub: String(start.user.id),
      sid: decodeJwt(start.token)['sid'],
    });
    cookie = next.cookie!;
  }
  expect(await service.rows('select count(*)::int as n from refresh_tokens where replaced_at is null')).toEqual([
    { n: 1 },
  ]);
});

test('the database contains only hashes of refresh tokens', async () => {
  const service = await identity();
  const { cookie } = await register(service);
  const next = await refresh(service, cookie);
  const rows = await service.rows('select hash, successor from refresh_tokens');
  const hashes = rows.map(({ hash }) => (hash as Buffer).toString('hex'));
  expect(hashes.sort()).toEqual(
    [cookie, next.cookie!].map((token) => createHash('sha256').update(token).digest('hex')).sort(),
  );
  expect(JSON.stringify(rows)).not.toContain(next.cookie);
});

test('using an old token ends the session for every holder of its tokens, and is published', async () => {
  const { clock, pass } = movableClock();
  const service = await identity({ clock });
  const { cookie: stolen, user, token } = await register(service);
  const owner = await refresh(service, stolen);
  pass(10.001);
  const thief = await refresh(service, stolen);
  expect(thief).toMatchObject({ status: 401, cookie: '', json: { code: 'unauthenticated' } });
  expect(await refresh(service, owner.cookie)).toMatchObject({ status: 401, cookie: '' });
  for (const old of [token, owner.json.token])
    expect((await service.call('GET', '/api/auth/me', { token: old })).status).toBe(401);
  const sessionId = decodeJwt(token)['sid'];
  expect((await service.told()).slice(1)).toMatchObject([
    { type: 'identity.session-revoked', data: { userId: user.id, sessionId } },
  ]);
  expect(await service.rows('select reason from revoked_sessions')).toEqual([{ reason: 'reuse' }]);
});

test('using an old token ends only that token’s session', async () => {
  const { clock, pass } = movableClock();
  const service = await identity({ clock });
  const { cookie, email } = await register(service);
  const other = await service.call('POST', '/api/auth/login', { body: { email, password: 'gr33n-line to Anacostia' } });
  await refresh(service, cookie);
  pass(11);
  await refresh(service, cookie);
  expect((await refresh(service, other.cookie)).status).toBe(200);
});

test('for ten seconds, a client whose response was lost can request the same token again', async () => {
  const { clock, pass } = movableClock();
  const service = await identity({ clock });
  const { cookie } = await register(service);
  const lost = await refresh(service, cookie);
  pass(10);
  const again = await refresh(service, cookie);
  expect(again).toMatchObject({ status: 200, cookie: lost.cookie });
  expect(await service.rows('select count(*)::int as n from refresh_tokens')).toEqual([{ n: 2 }]);
  expect((await refresh(service, lost.cookie)).status).toBe(200);
});

test('tabs that refresh in the same second, on two instances, stay signed in with the same token', async () => {
  const on = await databases();
  const [one, two] = [await identity({ on }), await identity({ on })];
  const { cookie } = await register(one);
  const answers = await Promise.all(Array.from({ length: 12 }, (_, i) => refresh(i % 2 ? one : two, cookie)));
  expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
  expect(new Set(answers.map((answer) => answer.cookie)).size).toBe(1);
  expect(await one.rows('select count(*)::int as n from refresh_tokens')).toEqual([{ n: 2 }]);
  expect((await refresh(two, answers[0]?.cookie)).status).toBe(200);
});

test('concurrent exchanges in the database are serialized', async () => {
  const service = await identity();
  const { cookie } = await register(service);
  const blocker = await service.pool.connect();
  await blocker.query('begin');
  await blocker.query('select from refresh_tokens for update');
  const answers = Promise.all(Array.from({ length: 5 }, () => refresh(service, cookie)));
  const waiting = () =>
    service.rows(
      `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
  await expect.poll(waiting).toEqual([{ n: 5 }]);
  await blocker.query('commit');
  blocker.release();
  expect((await answers).map(({ status }) => status)).toEqual(Array(5).fill(200));
  expect(new Set((await answers).map((answer) => answer.cookie)).size).toBe(1);
});

test('within these ten seconds a tab that is two steps behind gets the current token', async () => {
  const { clock, pass } = movableClock();
  const service = await identity({ clock });
  const { cookie } = await register(service);
  const first = await refresh(service, cookie);
  pass(2);
  const second = await refresh(service, first.cookie);
  pass(2);
  const slow = await refresh(service, cookie);
  expect(slow).toMatchObject({ status: 200, cookie: second.cookie });
});

test('a session ends after thirty days without use, and after ninety days even with daily use', async () => {
  const { clock, pass } = movableClock();
  const service = await identity({ clock });
  const unused = await register(service);
  let { cookie } = await register(service);
  const used = async () => {
    const answer = await refresh(service, cookie);
    cookie = answer.cookie ?? '';
    return answer.status;
  };
  pass(29 * DAY);
  expect(await used()).toBe(200);
  pass(DAY);
  expect(await refresh(service, unused.cookie)).toMatchObject({ status: 401, cookie: '' });
  pass(28 * DAY);
  expect(await used()).toBe(200);
  pass(29 * DAY);
  expect(await used()).toBe(200);
  pass(3 * DAY);
  expect(await used()).toBe(401);
  // The token expired, which is not a sign of theft.
  expect(await service.rows('select * from revoked_sessions')).toEqual([]);
});

test('an admin’s session ends after an hour unused and after a day, also one that began before the role', async () => {
  const { clock, pass } = movableClock();
  const service = await identity({ clock });
  const { user, cookie: first } = await register(service);
  await service.users.handle(user.id, { type: 'ChangeRole', role: 'admin' }, { commandId: randomUUID() });
  let answer = await refresh(service, first);
  expect(answer.json.user.codesRequired).toBe(true);
  for (let half = 0; half < 47; half++) {
    pass(30 * 60);
    answer = await refresh(service, answer.cookie);
    expect({ half, status: answer.status }).toEqual({ half, status: 200 });
  }
  pass(30 * 60);
  expect((await refresh(service, answer.cookie)).status).toBe(401);
  const again = await service.call('POST', '/api/auth/login', { body: { email: user.email, password: PASSWORD } });
  pass(60 * 60);
  expect((await refresh(service, again.cookie)).status).toBe(401);
});

test.each([
  ['none', undefined],
  ['a made-up one', 'A'.repeat(43)],
  ['rubbish', '%00"; drop table users'],
])('without a valid cookie (%s) a refresh is refused', async (_what, cookie) => {
  const service = await identity();
  expect(await refresh(service, cookie)).toMatchObject({ status: 401, cookie: '', json: { code: 'unauthenticated' } });
});

test('logout ends the session and makes cookie and access token invalid; its end is published once', async () => {
  const service = await identity();
  const { cookie, token } = await register(service);
  const out = await service.call('POST', '/api/auth/logout', { cookie, token });
  expect(out).toMatchObject({ status: 204, cookie: '' });
  expect(await refresh(service, cookie)).toMatchObject({ status: 401 });
  expect((await service.call('GET', '/api/auth/me', { token })).status).toBe(401);
  expect((await service.call('POST', '/api/auth/logout', { cookie, token })).status).toBe(204);
  expect((await service.told()).map(({ type }) => type)).toEqual([
    'identity.user-registered',
    'identity.session-revoked',
  ]);
});

test('logout works with only the cookie, only the token, an old cookie, or neither', async () => {
  const service = await identity();
  const me = (token: string) => service.call('GET', '/api/auth/me', { token }).then(({ status }) => status);
  const byCookie = await register(service);
  await service.call('POST', '/api/auth/logout', { cookie: byCookie.cookie });
  expect(await me(byCookie.token)).toBe(401);
  const byToken = await register(service);
  await service.call('POST', '/api/auth/logout', { token: byToken.token });
  expect(await me(byToken.token)).toBe(401);
  expect((await refresh(service, byToken.cookie)).status).toBe(401);
  const byOld = await register(service);
  const next = await refresh(service, byOld.cookie);
  await service.call('POST', '/api/auth/logout', { cookie: byOld.cookie, token: 'a.b.c' });
  expect(await me(next.json.token)).toBe(401);
  expect((await service.call('POST', '/api/auth/logout')).status).toBe(204);
});

test.each([
  ['another site', { origin: 'https://evil.example' }, 403],
  ['another port of this machine', { origin: 'http://localhost:4000' }, 403],
  ['a sandboxed frame', { origin: 'null' }, 403],
  ['another site, by the browser’s own word', { origin: 'http://localhost:3000', 'sec-fetch-site': 'cross-site' }, 403],
  ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
  ['a form that pretends', { 'content-type': 'text/plain' }, 415],
  ['our page', { origin: 'http://localhost:3000', 'sec-fetch-site': 'same-origin' }, 200],
  ['our page under another name', { origin: 'http://127.0.0.1:3000', 'sec-fetch-site': 'same-origin' }, 200],
  ['a call of ours without a body', { 'content-type': 'text/plain', 'x-requested-with': 'beltway' }, 200],
])('%s that refreshes with the cookie gets the right status', async (_who, headers, status) => {
  const service = await identity();
  const { cookie } = await register(service);
  expect((await caller(service.base)('POST', '/api/auth/refresh', { cookie, headers })).status).toBe(status);
  const changed = await service.rows('select count(*)::int as n from refresh_tokens');
  expect(changed).toEqual([{ n: status === 200 ? 2 : 1 }]);
  if (status !== 200) {
    expect((await service.call('POST', '/api/auth/logout', { cookie, headers })).status).toBe(status);
    expect((await refresh(service, cookie)).status).toBe(200);
  }
});
