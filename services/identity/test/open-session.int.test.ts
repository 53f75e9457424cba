import { randomUUID } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { expect, test } from 'vitest';
import { authenticator as tokenChecker } from '@beltway/kit/auth';
import { eventually } from '@beltway/kit/testing';
import { authenticator } from './authenticator.ts';
import { INTERNAL_TOKEN, PASSWORD, identity, later, newEmail, type Answer, type Identity } from './support.ts';

/**
 * Creates an account with a password, a passkey, codes and a session. Returns the account and its registration request.
 */
async function withEveryWayIn(service: Identity) {
  const registration = {
    body: { name: 'Mallory', role: 'business', email: newEmail('mallory'), password: PASSWORD },
    headers: { 'idempotency-key': randomUUID() },
  };
  const first = await service.call('POST', '/api/auth/register', registration);
  expect(first.status).toBe(201);
  const { token, user } = first.json as { token: string; user: { id: number; email: string } };
  const key = authenticator();
  const options = await service.call('POST', '/api/auth/passkeys/options', { token, body: { password: PASSWORD } });
  const passkey = { name: 'Phone', credential: key.create(options.json) };
  expect((await service.call('POST', '/api/auth/passkeys', { token, body: passkey })).status).toBe(201);
  const setup = await service.call('POST', '/api/auth/totp/setup', { token, body: { password: PASSWORD } });
  const app = new TOTP({ secret: Secret.fromBase32((setup.json as { secret: string }).secret) });
  const on = await service.call('POST', '/api/auth/totp', { token, body: { code: app.generate() } });
  const [code] = (on.json as { recoveryCodes: string[] }).recoveryCodes;
  return { registration, token, user, key, code, cookie: first.cookie };
}

type Person = Awaited<ReturnType<typeof withEveryWayIn>>;

const login = ({ call }: Identity, { user }: Person) =>
  call('POST', '/api/auth/login', { body: { email: user.email, password: PASSWORD } });

/**
 * The calls that may open a session (src/session/door.test.ts counts them). Each call has two steps: prepare and send.
 */
const DOORS: Record<string, (service: Identity, person: Person) => Promise<() => Promise<Answer>>> = {
  'a repeat of the registration':
    async ({ call }, { registration }) =>
    () =>
      call('POST', '/api/auth/register', registration),
  'the password': async (service, person) => () => login(service, person),
  'the code after the password': async (service, person) => {
    const { challenge } = (await login(service, person)).json as { challenge: string };
    return () => service.call('POST', '/api/auth/login/code', { body: { challenge, code: person.code } });
  },
  'a passkey': async ({ call }, { key }) => {
    const options = await call('POST', '/api/auth/login/passkey/options', { body: {} });
    const body = { credential: key.get(options.json as { challenge: string }) };
    return () => call('POST', '/api/auth/login/passkey', { body });
  },
  'the refresh cookie':
    async ({ call }, { cookie }) =>
    () =>
      call('POST', '/api/auth/refresh', { cookie }),
  'a change of the password':
    async ({ call }, { token }) =>
    () =>
      call('POST', '/api/auth/change-password', {
        token,
        body: { password: PASSWORD, newPassword: 'another long one' },
      }),
};

/** Calls that prove only the password. That is not enough for an account with codes. */
const BY_PASSWORD = new Set(['a repeat of the registration', 'the password']);

test.each(Object.entries(DOORS))('%s opens no session for a suspended account', async (_name, door) => {
  const service = await identity();
  const person = await withEveryWayIn(service);
  const knock = await door(service, person);
  const suspend = { type: 'SuspendUser', until: null, caseId: 'comment.1', by: 99 } as const;
  await service.users.handle(person.user.id, suspend, { commandId: randomUUID() });
  const before = await service.rows('select id from sessions');
  const answer = await knock();
  expect([401, 403]).toContain(answer.status);
  expect(answer.json?.token).toBeUndefined();
  expect(answer.cookie ?? '').toBe('');
  expect(await service.rows('select id from sessions')).toEqual(before);
});

test.each(Object.entries(DOORS))('%s opens one session, unless it proves only the password', async (name, door) => {
  const service = await identity();
  const person = await withEveryWayIn(service);
  const answer = await (await door(service, person))();
  if (BY_PASSWORD.has(name)) {
    expect([answer.json?.token, answer.cookie]).toEqual([undefined, undefined]);
    expect(await service.rows('select count(*)::int as n from sessions')).toEqual([{ n: 1 }]);
  } else {
    expect(answer.status).toBe(200);
    const me = await service.call('GET', '/api/auth/me', { token: answer.json.token });
    expect(me.json).toEqual(answer.json.user);
  }
});

test('repeating the registration of an account with codes responds with code-needed', async () => {
  const service = await identity();
  const { registration } = await withEveryWayIn(service);
  const again = await service.call('POST', '/api/auth/register', registration);
  expect(again).toMatchObject({ status: 409, json: { code: 'code-needed' } });
});

test('other services accept neither the earlier tokens of a suspended account nor new ones', async () => {
  const service = await identity();
  const { base, bus, log } = service;
  const other = await tokenChecker({ identity: base, internalToken: INTERNAL_TOKEN, bus, log });
  later(() => other.stop());
  await eventually(() => other.ready());
  const { registration, token, user } = await withEveryWayIn(service);
  expect((await other.verify(token)).id).toBe(user.id);
  const suspend = { type: 'SuspendUser', until: null, caseId: 'comment.1', by: 99 } as const;
  await service.users.handle(user.id, suspend, { commandId: randomUUID() });
  await service.told();
  await eventually(() =>
    other.verify(token).then(
      () => false,
      () => true,
    ),
  );
  expect(await service.call('POST', '/api/auth/register', registration)).toMatchObject({
    status: 403,
    json: { code: 'account-suspended' },
  });
});

test('wrong passwords in a repeated registration cause the same waits as in a sign-in', async () => {
  const service = await identity();
  const body = { name: 'Ann', email: newEmail(), password: PASSWORD };
  const headers = { 'idempotency-key': randomUUID() };
  await service.call('POST', '/api/auth/register', { body, headers });
  const guess = (n: number) =>
    service.call('POST', '/api/auth/register', { body: { ...body, password: `not the password ${n}` }, headers });
  const statuses: number[] = [];
  for (let n = 0; n < 7; n++) statuses.push((await guess(n)).status);
  expect(statuses.slice(0, 5)).toEqual([422, 422, 422, 422, 422]);
  expect(statuses.slice(5)).toContain(429);
  const right = await service.call('POST', '/api/auth/login', { body: { email: body.email, password: PASSWORD } });
  expect(right).toMatchObject({ status: 429, json: { code: 'too-many-attempts' } });
});

test('repeating the registration with the earlier password is refused after a change of the password', async () => {
  const service = await identity();
  const body = { name: 'Ann', email: newEmail(), password: PASSWORD };
  const headers = { 'idempotency-key': randomUUID() };
  const { token } = (await service.call('POST', '/api/auth/register', { body, headers })).json as { token: string };
  const [before] = await service.rows('select * from credentials');
  const change = { password: PASSWORD, newPassword: 'another long one' };
  expect((await service.call('POST', '/api/auth/change-password', { token, body: change })).status).toBe(200);
  // Restores the old hash, as if the process had crashed before it deleted the hash.
  await service.db.credential.create({
    data: { id: before!['id'] as string, passwordHash: before!['password_hash'] as string },
  });
  const again = await service.call('POST', '/api/auth/register', { body, headers });
  expect(again).toMatchObject({ status: 422, cookie: undefined });
});

test('a repeated registration with a wrong password does not change the language of the account’s mails', async () => {
  const service = await identity();
  const body = { name: 'Ann', email: newEmail(), password: PASSWORD };
  const headers = { 'idempotency-key': randomUUID(), 'accept-language': 'en' };
  await service.call('POST', '/api/auth/register', { body, headers });
  const foreign = { body: { ...body, password: 'not the password' }, headers: { ...headers, 'accept-language': 'es' } };
  expect((await service.call('POST', '/api/auth/register', foreign)).status).toBe(422);
  expect(await service.rows('select language from account_languages')).toEqual([{ language: 'en' }]);
});

test('repeating the registration of a demo account opens no session on another machine', async () => {
  const service = await identity({ env: { BELTWAY_MODE: 'embedded', BELTWAY_DEMO: '1' } });
  const explorer = {
    email: 'explorer@beltway.test',
    password: 'demo-beltway',
    name: 'Demo Explorer',
    role: 'user',
  } as const;
  const key = `demo:${explorer.email}`;
  await service.accounts.register(explorer, { key, requestId: 'demo', address: 'demo', demo: true });
  const from = (headers: Record<string, string>) =>
    service.call('POST', '/api/auth/register', { body: explorer, headers: { 'idempotency-key': key, ...headers } });
  expect(await from({ 'x-forwarded-for': '203.0.113.9' })).toMatchObject({ status: 409, cookie: undefined });
  expect((await from({})).status).toBe(201);
});
