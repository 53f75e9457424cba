import { randomUUID } from 'node:crypto';
import { decodeJwt } from 'jose';
import { expect, test } from 'vitest';
import { PASSWORD, identity, movableClock, register, type Identity } from './support.ts';

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0';
const listOf = async ({ call }: Pick<Identity, 'call'>, token: string) =>
  (await call('GET', '/api/auth/sessions', { token })).json.items as Array<Record<string, unknown>>;
const signIn = ({ call }: Pick<Identity, 'call'>, email: string, agent = FIREFOX) =>
  call('POST', '/api/auth/login', { body: { email, password: PASSWORD }, headers: { 'user-agent': agent } });
const idOf = (token: string) => decodeJwt(token)['sid'];

test('lists only the sessions of the caller’s own account, the current session first', async () => {
  const { clock, pass } = movableClock();
  const service = await identity({ clock });
  const person = await register(service);
  await register(service);
  pass(60);
  const other = await signIn(service, person.email);
  const items = await listOf(service, person.token);
  expect(items).toEqual([
    expect.objectContaining({ id: idOf(person.token), isCurrent: true }),
    expect.objectContaining({ id: idOf(other.json.token), device: 'Firefox on Windows', isCurrent: false }),
  ]);
  pass(600);
  await service.call('POST', '/api/auth/refresh', { cookie: other.cookie });
  expect((await listOf(service, person.token))[1]!['usedAt']).toBe(clock().toISOString());
  expect(JSON.stringify(await service.rows('select device from sessions'))).not.toContain('Mozilla');
  expect((await service.call('GET', '/api/auth/sessions')).status).toBe(401);
});

test('a session that was ended from another device stops immediately and is no longer listed', async () => {
  const service = await identity();
  const person = await register(service);
  const other = await signIn(service, person.email);
  const end = (password = PASSWORD) =>
    service.call('DELETE', `/api/auth/sessions/${String(idOf(other.json.token))}`, {
      token: person.token,
      body: { password },
    });
  expect(await end('not the password')).toMatchObject({ status: 400, json: { errors: [{ field: 'password' }] } });
  expect((await service.call('GET', '/api/auth/me', { token: other.json.token })).status).toBe(200);
  expect((await end()).status).toBe(204);
  expect((await end()).status).toBe(204);
  expect((await service.call('GET', '/api/auth/me', { token: other.json.token })).status).toBe(401);
  expect((await service.call('POST', '/api/auth/refresh', { cookie: other.cookie })).status).toBe(401);
  expect(await listOf(service, person.token)).toHaveLength(1);
  expect(await service.rows('select reason from revoked_sessions')).toEqual([{ reason: 'ended-elsewhere' }]);
  expect((await service.told()).filter(({ type }) => type === 'identity.session-revoked')).toHaveLength(1);
});

test('other accounts can neither end an account’s sessions nor find out whether it has any', async () => {
  const service = await identity();
  const [person, stranger] = [await register(service), await register(service)];
  for (const id of [idOf(person.token), randomUUID(), 'nonsense']) {
    const refused = await service.call('DELETE', `/api/auth/sessions/${String(id)}`, {
      ...{ token: stranger.token, body: { password: PASSWORD } },
    });
    expect([refused.status, refused.json.code]).toEqual([404, 'not-found']);
  }
  expect((await service.call('POST', '/api/auth/refresh', { cookie: person.cookie })).status).toBe(200);
});

test('signing out everywhere else keeps this session, even if there are more sessions than one page lists', async () => {
  const service = await identity();
  const [person, bystander] = [await register(service), await register(service)];
  const other = await signIn(service, person.email);
  await service.rows(
    `with more as (insert into sessions (id, user_id, credential_id, created_at, ends_at)
       select gen_random_uuid(), id, credential_id, now(), now() + interval '90 days'
       from users cross join generate_series(1, 150) where id = $1 returning id)
     insert into refresh_tokens (hash, session_id, issued_at) select decode(md5(id::text), 'hex'), id, now() from more`,
    [person.user.id],
  );
  expect(await listOf(service, person.token)).toHaveLength(100);
  const end = (password = PASSWORD) =>
    service.call('DELETE', '/api/auth/sessions', { token: person.token, body: { password } });
  expect((await end('not the password')).status).toBe(400);
  expect((await Promise.all([end(), end()])).map(({ status }) => status)).toEqual([204, 204]);
  expect(await listOf(service, person.token)).toEqual([expect.objectContaining({ isCurrent: true })]);
  expect((await service.call('POST', '/api/auth/refresh', { cookie: other.cookie })).status).toBe(401);
  for (const { cookie } of [person, bystander])
    expect((await service.call('POST', '/api/auth/refresh', { cookie })).status).toBe(200);
});

test('sessions that can no longer be renewed are not listed', async () => {
  const { clock, pass } = movableClock();
  const service = await identity({ clock });
  const person = await register(service);
  const day = 24 * 3_600;
  for (let days = 0; days < 31; days += 10) {
    pass(10 * day);
    const next = await service.call('POST', '/api/auth/refresh', { cookie: person.cookie });
    Object.assign(person, { cookie: next.cookie, token: next.json.token });
    if (days === 0) await signIn(service, person.email);
  }
  expect(await listOf(service, person.token)).toHaveLength(1);
});

test('signing in ends the browser’s previous session, whichever account it belonged to', async () => {
  const service = await identity();
  const ann = await register(service);
  const bob = await register(service);
  const login = (email: string, cookie: string) =>
    service.call('POST', '/api/auth/login', { body: { email, password: PASSWORD }, cookie });
  const me = (token: string) => service.call('GET', '/api/auth/me', { token }).then(({ status }) => status);

  const again = await login(ann.email, ann.cookie!);
  expect([again.status, await me(ann.token), await me(again.json.token)]).toEqual([200, 401, 200]);
  expect((await service.call('POST', '/api/auth/refresh', { cookie: ann.cookie })).status).toBe(401);
  const other = await login(bob.email, again.cookie!);
  expect([await me(again.json.token), await me(other.json.token), await me(bob.token)]).toEqual([401, 200, 200]);
  expect(await service.rows('select reason from revoked_sessions')).toEqual([
    { reason: 'replaced' },
    { reason: 'replaced' },
  ]);
});
