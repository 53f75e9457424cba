import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { AddPasskeyBody, MAX_PASSKEYS, PasskeyLoginBody } from '@beltway/contracts/identity/passkeys';
import { passkeys } from '../src/passkey/passkeys.ts';
import { rebuild } from '../src/rebuild.ts';
import { userById } from '../src/user/queries.ts';
import { accountMails } from './account-mails.ts';
import { authenticator } from './authenticator.ts';
import { PASSWORD, identity, movableClock, register, type Identity } from './support.ts';

type Key = ReturnType<typeof authenticator>;
const optionsFor = ({ call }: Pick<Identity, 'call'>, token: string, password = PASSWORD) =>
  call('POST', '/api/auth/passkeys/options', { token, body: { password } });
async function add(service: Identity, token: string, key = authenticator(), name = 'Phone') {
  const credential = key.create((await optionsFor(service, token)).json);
  const answer = await service.call('POST', '/api/auth/passkeys', { token, body: { name, credential } });
  return { key, credential, answer };
}
const challenge = async ({ call }: Pick<Identity, 'call'>) =>
  (await call('POST', '/api/auth/login/passkey/options', { body: {} })).json as { challenge: string };
const signIn = async (service: Identity, key: Key, credential?: unknown) =>
  service.call('POST', '/api/auth/login/passkey', { body: { credential: credential ?? key.get(await challenge(service)) } }); // oxfmt-ignore
const NEW_PASSWORD = 'another long password';
async function reset({ call }: Identity, mails: ReturnType<typeof accountMails>, email: string) {
  await call('POST', '/api/auth/request-password-reset', { body: { email } });
  const body = { token: await mails.token(email, 'Reset your'), password: NEW_PASSWORD };
  expect((await call('POST', '/api/auth/reset-password', { body })).status).toBe(204);
}
const REFUSED = { status: 401, json: { code: 'passkey-refused' } };

test('a passkey is added after the password was checked, announced by mail, and signs in like the password', async () => {
  const service = await identity();
  const mails = accountMails(service);
  const person = await register(service);
  expect(await optionsFor(service, person.token, 'not the password')).toMatchObject({ status: 400 });
  const { key, credential, answer } = await add(service, person.token);
  expect(answer).toMatchObject({ status: 201, json: { name: 'Phone', usedAt: null } });
  const again = await service.call('POST', '/api/auth/passkeys', {
    ...{ token: person.token, body: { name: 'Phone', credential } },
  });
  expect([again.status, again.json.id]).toEqual([201, answer.json.id]);
  expect(await mails.to(person.email, 'passkey')).toHaveLength(1);
  const signedIn = await signIn(service, key);
  expect(signedIn).toMatchObject({ status: 200, json: { user: { email: person.email } } });
  expect((await service.call('POST', '/api/auth/refresh', { cookie: signedIn.cookie })).status).toBe(200);
  const inSpanish = { body: { credential: key.get(await challenge(service)) }, headers: { 'accept-language': 'es' } };
  expect((await service.call('POST', '/api/auth/login/passkey', inSpanish)).status).toBe(200);
  expect(await service.rows('select language from account_languages')).toEqual([{ language: 'es' }]);
  expect(
    (await service.call('GET', '/api/auth/passkeys', { token: person.token })).json.items[0].usedAt,
  ).not.toBeNull();
});

test('a challenge works once, within five minutes, and only for its purpose', async () => {
  const { clock, pass } = movableClock();
  const service = await identity({ clock });
  const [person, other] = [await register(service), await register(service)];
  const { key } = await add(service, person.token);
  const made = await challenge(service);
  expect((await signIn(service, key, key.get(made))).status).toBe(200);
  expect(await signIn(service, key, key.get(made))).toMatchObject(REFUSED);
  const old = await challenge(service);
  pass(5 * 60);
  expect(await signIn(service, key, key.get(old))).toMatchObject(REFUSED);
  expect(await signIn(service, key, key.get((await optionsFor(service, person.token)).json))).toMatchObject(REFUSED);
  const { json: theirs } = await optionsFor(service, person.token);
  const body = { name: 'Mine', credential: authenticator().create(theirs) };
  expect(await service.call('POST', '/api/auth/passkeys', { token: other.token, body })).toMatchObject({ status: 400 });
});

test('another origin, another site, no user verification, another key or a wrong handle does not sign in', async () => {
  const service = await identity();
  const { token } = await register(service);
  for (const key of [
    authenticator({ origin: 'https://evil.test' }),
    authenticator({ rpId: 'evil.test' }),
    authenticator({ verified: false }),
  ])
    expect((await add(service, token, key)).answer).toMatchObject({ status: 400 });
  const { key } = await add(service, token);
  const forged = { ...authenticator().get(await challenge(service), key.handle()), id: key.id, rawId: key.id };
  expect(await signIn(service, key, forged)).toMatchObject(REFUSED);
  expect(await signIn(service, key, key.get(await challenge(service), 'AAAA'))).toMatchObject(REFUSED);
  expect(await signIn(service, authenticator(), authenticator().get(await challenge(service), 'AAAA'))).toMatchObject(REFUSED); // oxfmt-ignore
});

test('a cloned key, whose counter does not increase, is refused', async () => {
  const service = await identity();
  const { key } = await add(service, (await register(service)).token);
  expect((await signIn(service, key)).status).toBe(200);
  key.rewind();
  expect(await signIn(service, key)).toMatchObject(REFUSED);
});

test('only owners can rename and delete passkeys, and a deleted passkey does not sign in', async () => {
  const service = await identity();
  const [person, other] = [await register(service), await register(service)];
  const { key, answer } = await add(service, person.token);
  const path = `/api/auth/passkeys/${String(answer.json.id)}`;
  const rename = (token: string) => service.call('PATCH', path, { token, body: { name: 'Laptop' } });
  expect((await rename(other.token)).status).toBe(404);
  expect(await rename(person.token)).toMatchObject({ status: 200, json: { name: 'Laptop' } });
  const remove = (token: string, password = PASSWORD) => service.call('DELETE', path, { token, body: { password } });
  await remove(other.token);
  expect(await remove(person.token, 'not the password')).toMatchObject({
    ...{ status: 400, json: { errors: [{ field: 'password' }] } },
  });
  expect((await signIn(service, key)).status).toBe(200);
  for (const _ of [1, 2]) expect((await remove(person.token)).status).toBe(204);
  expect(await signIn(service, key)).toMatchObject(REFUSED);
});

test('a suspended account stays closed until its suspension ends, and only the right passkey shows why', async () => {
  const { clock, pass } = movableClock();
  const service = await identity({ clock });
  const person = await register(service);
  const { key } = await add(service, person.token);
  const until = new Date(clock().getTime() + 3_600_000).toISOString();
  const suspend = { type: 'SuspendUser', until, caseId: 'comment.17', by: 1 } as const;
  await service.users.handle(person.user.id, suspend, { commandId: randomUUID() });
  const sessions = await service.rows('select from sessions');
  const refused = await signIn(service, key);
  expect(refused).toMatchObject({ status: 403, json: { code: 'account-suspended' } });
  expect(refused.json.detail).toMatch(/suspended until/);
  expect([refused.cookie, refused.device, refused.json.token]).toEqual([undefined, undefined, undefined]);
  expect(await service.rows('select from sessions')).toHaveLength(sessions.length);
  const forged = { ...authenticator().get(await challenge(service), key.handle()), id: key.id, rawId: key.id };
  expect(await signIn(service, key, forged)).toMatchObject(REFUSED);
  expect((await optionsFor(service, person.token)).status).toBe(401);
  pass(3_601);
  expect((await signIn(service, key)).status).toBe(200);
});

test('erasing an account and resetting its password delete its passkeys', async () => {
  const service = await identity();
  const mails = accountMails(service);
  const [erased, robbed] = [await register(service), await register(service)];
  const [gone, taken] = [(await add(service, erased.token)).key, (await add(service, robbed.token)).key];
  const erase = { token: erased.token, body: { password: PASSWORD } };
  expect((await service.call('DELETE', '/api/users/me', erase)).status).toBe(204);
  expect(await service.rows('select from passkeys where user_id = $1', [erased.user.id])).toEqual([]);
  expect(await signIn(service, gone)).toMatchObject(REFUSED);
  await reset(service, mails, robbed.email);
  expect(await signIn(service, taken)).toMatchObject(REFUSED);
});

test('changing the password keeps passkeys, and a rebuild keeps passkeys that were added after a reset', async () => {
  const service = await identity();
  const mails = accountMails(service);
  const person = await register(service);
  await add(service, person.token);
  await reset(service, mails, person.email);
  const body = { email: person.email, password: NEW_PASSWORD };
  const { token } = (await service.call('POST', '/api/auth/login', { body })).json as { token: string };
  const key = authenticator();
  const credential = key.create((await optionsFor(service, token, NEW_PASSWORD)).json);
  await service.call('POST', '/api/auth/passkeys', { token, body: { name: 'New', credential } });
  const changed = await service.call('POST', '/api/auth/change-password', {
    ...{ token, body: { password: NEW_PASSWORD, newPassword: PASSWORD } },
  });
  expect(changed.status).toBe(200);
  const before = await service.rows('select * from passkeys');
  for (const { table, before, after } of (await rebuild(service.settings.DATABASE_URL)).tables)
    expect(after, table).toBe(before);
  expect(await service.rows('select * from passkeys')).toEqual(before);
  expect(before).toMatchObject([{ name: 'New' }]);
  expect((await signIn(service, key)).status).toBe(200);
});

test('concurrent responses to one challenge sign in once, or create one passkey', async () => {
  const service = await identity();
  const mails = accountMails(service);
  const person = await register(service);
  const key = authenticator();
  const body = { name: 'Phone', credential: key.create((await optionsFor(service, person.token)).json) };
  const post = () => service.call('POST', '/api/auth/passkeys', { token: person.token, body });
  const made = await Promise.all([post(), post(), post(), post()]);
  expect(made.map(({ status }) => status).filter((status) => status === 201).length).toBeGreaterThan(0);
  expect(new Set(made.flatMap(({ status, json }) => (status === 201 ? [String(json.id)] : []))).size).toBe(1);
  expect(await service.rows('select from passkeys')).toHaveLength(1);
  expect(await mails.to(person.email, 'passkey')).toHaveLength(1);
  const credential = key.get(await challenge(service));
  const opened = await Promise.all([1, 2, 3, 4].map(() => signIn(service, key, credential)));
  expect(opened.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401]);
});

test('only one of two concurrent responses with one signature counter signs in', async () => {
  const service = await identity();
  const { key } = await add(service, (await register(service)).token);
  const [one, two] = [await challenge(service), await challenge(service)];
  const first = key.get(one);
  key.rewind(1);
  const answers = await Promise.all([signIn(service, key, first), signIn(service, key, key.get(two))]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
});

test('an account has at most twenty passkeys, even if they are added concurrently', async () => {
  const service = await identity();
  const person = await register(service);
  const { token, user } = person;
  // These passkeys were requested while the account still had room for them.
  const made = await Promise.all(
    [1, 2, 3].map(async () => authenticator().create((await optionsFor(service, token)).json)),
  );
  await service.rows(
    `insert into passkeys select gen_random_uuid(), $1, 'key-' || n, '', 0, '{}', 'handle', 'Key', 0, now(), null
     from generate_series(1, ${MAX_PASSKEYS - 1}) n`,
    [user.id],
  );
  const answers = await Promise.all(
    made.map((credential) => service.call('POST', '/api/auth/passkeys', { token, body: { name: 'Last', credential } })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  expect(answers.find(({ status }) => status === 409)!.json.code).toBe('too-many-passkeys');
  expect((await optionsFor(service, token)).json.code).toBe('too-many-passkeys');
  const { json } = await service.call('GET', '/api/auth/passkeys', { token });
  expect(json.items).toHaveLength(MAX_PASSKEYS);
});

test('a password reset during a sign-in or an addition invalidates both', async () => {
  const service = await identity();
  const mails = accountMails(service);
  const person = await register(service);
  const { key } = await add(service, person.token);
  const own = passkeys({ pool: service.pool, publicUrl: service.settings.PUBLIC_URL, clock: () => new Date() });
  const row = (await userById(service.db, person.user.id))!;
  const credential = authenticator().create((await own.optionsToAdd(row)) as never);
  const answer = PasskeyLoginBody.parse({ credential: key.get(await challenge(service)) });
  const inTheMiddle = own.signIn(answer, async (id) => {
    const found = await userById(service.db, id);
    await reset(service, mails, person.email);
    return found;
  });
  await expect(inTheMiddle).rejects.toMatchObject({ status: 401, code: 'passkey-refused' });
  await expect(own.add(row, AddPasskeyBody.parse({ name: 'Late', credential }))).rejects.toMatchObject({ status: 400 });
  expect(await service.rows('select from passkeys')).toEqual([]);
});
