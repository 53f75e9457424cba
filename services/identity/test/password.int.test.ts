import { decodeJwt } from 'jose';
import { expect, test } from 'vitest';
import { PasswordChangedV1, SessionRevokedV1 } from '@beltway/contracts/identity/accounts';
import { authenticator } from '@beltway/kit/auth';
import { eventually } from '@beltway/kit/testing';
import { createHasher } from '../src/password/hasher.ts';
import { endSessionsOfOldPasswords } from '../src/session/end-sessions.ts';
import { sweep } from '../src/jobs.ts';
import { accountMails, SITE } from './account-mails.ts';
import {
  INTERNAL_TOKEN,
  PASSWORD,
  databases,
  identity,
  later,
  movableClock,
  newEmail,
  register,
  type Call,
  type Identity,
  type SignedIn,
} from './support.ts';

const NEXT = 'a quite different password';
type Service = Pick<Identity, 'call'>;
const request = ({ call }: Service, email: unknown, more: Call = {}) =>
  call('POST', '/api/auth/request-password-reset', { body: { email }, ...more });
const reset = ({ call }: Service, token: string, password = NEXT) =>
  call('POST', '/api/auth/reset-password', { body: { token, password } });
const signIn = ({ call }: Service, email: string, password = PASSWORD) =>
  call('POST', '/api/auth/login', { body: { email, password } });
const change = ({ call }: Service, { token }: { token: string }, password = PASSWORD, newPassword = NEXT) =>
  call('POST', '/api/auth/change-password', { token, body: { password, newPassword } });
const refresh = ({ call }: Service, cookie: string | undefined) => call('POST', '/api/auth/refresh', { cookie });

async function withLink(service: Identity, person?: SignedIn, options = {}) {
  const mails = accountMails(service, options);
  const owner = person ?? (await register(service));
  await request(service, owner.email);
  return { mails, owner, token: await mails.token(owner.email, 'Reset your Beltway password') };
}

test('a mailed link sets a new password once, and ends every session everywhere', async () => {
  const service = await identity();
  const owner = await register(service);
  const thief = (await signIn(service, owner.email)).json as SignedIn;
  const elsewhere = await signIn(service, owner.email);
  const bystander = await register(service);
  const auth = await authenticator({
    ...{ identity: service.base, internalToken: INTERNAL_TOKEN, bus: service.bus, log: service.log },
  });
  later(() => auth.stop());
  await eventually(() => auth.ready());
  const heard: object[] = [];
  auth.onEnded((ended) => heard.push(ended));
  await auth.verify(thief.token);

  const { mails, token } = await withLink(service, owner);
  const [mail] = await mails.to(owner.email, 'Reset your');
  expect(mail!.text).toContain(`${SITE}/reset-password#${token}`);
  expect((await reset(service, token)).status).toBe(204);

  for (const old of [owner.token, thief.token, elsewhere.json.token as string])
    expect((await service.call('GET', '/api/auth/me', { token: old })).status).toBe(401);
  for (const cookie of [owner.cookie, elsewhere.cookie])
    expect(await refresh(service, cookie)).toMatchObject({ status: 401, cookie: '' });
  await eventually(() =>
    auth.verify(thief.token).then(
      () => false,
      () => true,
    ),
  );
  await eventually(() => heard.length > 0);
  expect(heard).toEqual([{ userId: owner.user.id, generation: 1 }]);
  // A service that starts now rejects the token too.
  const fresh = await authenticator({
    ...{ identity: service.base, internalToken: INTERNAL_TOKEN, bus: service.bus, log: service.log },
  });
  later(() => fresh.stop());
  await eventually(() => fresh.ready());
  await expect(fresh.verify(thief.token)).rejects.toMatchObject({ status: 401 });
  expect((await refresh(service, bystander.cookie)).status).toBe(200);

  expect((await signIn(service, owner.email)).status).toBe(401);
  const back = await signIn(service, owner.email, NEXT);
  expect(back.json.user).toMatchObject({ id: owner.user.id, emailVerified: true });
  const again = await reset(service, token, 'yet another password');
  expect([again.status, again.json.code]).toEqual([400, 'link-invalid']);
  expect((await signIn(service, owner.email, NEXT)).status).toBe(200);
  expect(await mails.to(owner.email, 'Your password was changed')).toHaveLength(1);
  const told = (await service.told()).filter(({ type }) => type === 'identity.password-changed');
  expect(told.map((one) => PasswordChangedV1.parse(one).data)).toEqual([{ userId: owner.user.id, generation: 1 }]);
  expect(await service.rows('select count(*)::int n from credentials')).toEqual([{ n: 2 }]);
});

test('only one of two concurrent resets succeeds, with one link or with two, and its password counts', async () => {
  const on = await databases();
  const [service, other] = [await identity({ on }), await identity({ on })];
  const { mails, owner, token } = await withLink(service);
  await request(other, owner.email);
  const second = await mails.token(owner.email, 'Reset your Beltway password');
  const passwords = ['first of the passwords', 'second of the passwords', 'third of the passwords'];
  const answers = await Promise.all([
    reset(service, token, passwords[0]),
    reset(other, token, passwords[1]),
    reset(other, second, passwords[2]),
  ]);
  expect(answers.map(({ status }) => status).sort()).toEqual([204, 400, 400]);
  const right = answers.findIndex(({ status }) => status === 204);
  for (const [at, password] of passwords.entries())
    expect((await signIn(service, owner.email, password)).status).toBe(at === right ? 200 : 401);
  expect(await service.rows('select count(*)::int n from credentials')).toEqual([{ n: 1 }]);
});

test('a link becomes invalid after a change of password or email address, and after 30 minutes', async () => {
  const { clock, pass } = movableClock();
  const service = await identity({ clock });
  const { mails, owner, token } = await withLink(service, undefined, { clock });
  const changed = await change(service, owner);
  expect((await reset(service, token)).json.code).toBe('link-invalid');

  await request(service, owner.email);
  const next = await mails.token(owner.email, 'Reset your Beltway password');
  expect(next).not.toBe(token);
  const moved = newEmail('moved');
  const body = { email: moved, password: NEXT };
  expect((await service.call('POST', '/api/auth/change-email', { token: changed.json.token, body })).status).toBe(202);
  const confirm = {
    body: { token: await mails.token(moved, 'Confirm your new') },
    token: changed.json.token as string,
  };
  expect((await service.call('POST', '/api/auth/verify-email', confirm)).status).toBe(204);
  expect((await reset(service, next)).json.code).toBe('link-invalid');

  await request(service, moved);
  const late = await mails.token(moved, 'Reset your Beltway password');
  // Rows use the database's real clock, so the test moves only the clock of the service.
  pass(90 * 60);
  expect((await reset(service, late)).json.code).toBe('link-invalid');
  expect((await signIn(service, moved, NEXT)).status).toBe(200);
});

test('no answer reveals whether an account exists: all answers are equal, and no account is looked up', async () => {
  const service = await identity();
  const { email } = await register(service);
  const blocker = await service.pool.connect();
  await blocker.query('begin');
  await blocker.query('lock table users, credentials, events in access exclusive mode');
  const [known, unknown] = [await request(service, email), await request(service, newEmail('nobody'))];
  const seen = ({ status, text, headers }: typeof known) => ({
    ...{ status, text },
    headers: [...headers].filter(([name]) => !['date', 'x-request-id', 'ratelimit'].includes(name)),
  });
  expect(seen(known)).toEqual(seen(unknown));
  expect(known.status).toBe(202);
  await blocker.query('rollback');
  blocker.release();
  const waiting = (await service.rows(`select data, attempts from jobs`)).map(({ data, attempts }) => {
    const { kind, userId } = data as { kind: string; userId: number | null };
    return { kind, userId, attempts };
  });
  expect(waiting).toEqual(Array(2).fill({ kind: 'reset-password', userId: null, attempts: 0 }));
  const mails = accountMails(service);
  await mails.settled();
  expect(await mails.to(email, 'Reset your')).toHaveLength(1);
  expect(mails.sent.map(({ to }) => to).filter((to) => to.startsWith('nobody'))).toEqual([]);
  // The finished job does not store an email address without an account.
  expect(await service.rows(`select from jobs where data <> '{}'`)).toEqual([]);
});

test('an email address gets three such mails an hour over all requests; others are not delayed', async () => {
  const service = await identity();
  const mails = accountMails(service);
  const [person, other] = [await register(service), await register(service)];
  const statuses = await Promise.all(
    Array.from({ length: 9 }, (_, at) =>
      request(service, at % 2 ? person.email : person.email.toUpperCase(), {
        headers: { 'x-forwarded-for': `192.0.2.${at}` },
      }),
    ),
  );
  expect(new Set(statuses.map(({ status }) => status))).toEqual(new Set([202]));
  expect(await mails.to(person.email, 'Reset your')).toHaveLength(3);
  await request(service, other.email);
  expect(await mails.to(other.email, 'Reset your')).toHaveLength(1);
  await service.rows(`update jobs set created_at = now() - interval '61 minutes'`);
  await request(service, person.email);
  expect(await mails.to(person.email, 'Reset your')).toHaveLength(4);
});

test('one network can request twenty password resets in ten minutes', async () => {
  const service = await identity();
  const from = (address: string) => request(service, newEmail(), { headers: { 'x-forwarded-for': address } });
  for (let asked = 0; asked < 20; asked++) expect((await from('192.0.2.1')).status).toBe(202);
  const refused = await from('192.0.2.1');
  expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
  expect((await from('198.51.100.1')).status).toBe(202);
});

test('while 10,000 mails wait, each request is refused with a time to retry, whatever the email address', async () => {
  const service = await identity();
  const { email } = await register(service);
  await service.rows(
    `insert into jobs (queue, key) select 'account-mail', gen_random_uuid() from generate_series(1, 10001)`,
  );
  const answers = [await request(service, email), await request(service, newEmail())];
  expect(answers.map(({ status }) => status)).toEqual([503, 503]);
});

test('a mail that could not be sent before its link expired is dropped', async () => {
  const { clock, pass } = movableClock();
  const service = await identity({ clock });
  const { email } = await register(service);
  await request(service, email);
  pass(90 * 60);
  const mails = accountMails(service, { clock });
  expect(await mails.to(email, 'Reset your')).toEqual([]);
});

test('a token appears in no row and in no log line', async () => {
  const service = await identity();
  const { token, mails } = await withLink(service);
  await reset(service, token, 'short');
  await reset(service, `${token}x`);
  await reset(service, token);
  await reset(service, token);
  await mails.settled();
  const secret = token.split('.')[3]!;
  expect(service.lines.length).toBeGreaterThan(3);
  expect(service.lines.join('')).not.toContain(secret);
  const tables = await service.rows(
    `select table_name as name from information_schema.tables where table_schema = 'public'`,
  );
  const all = await Promise.all(
    tables.map(({ name }) => service.rows(`select to_json(t)::text from "${String(name)}" t`)),
  );
  expect(JSON.stringify(all)).not.toContain(secret);
  expect(JSON.stringify(await service.told())).not.toContain(secret);
});

test('changing the password keeps this session and ends all others', async () => {
  const service = await identity();
  const mails = accountMails(service);
  const owner = await register(service);
  const elsewhere = await signIn(service, owner.email);
  const changed = await change(service, owner);
  expect(changed.status).toBe(200);
  expect((await service.call('GET', '/api/auth/me', { token: changed.json.token })).json.id).toBe(owner.user.id);
  expect((await refresh(service, changed.cookie)).status).toBe(200);
  for (const token of [owner.token, elsewhere.json.token as string])
    expect((await service.call('GET', '/api/auth/me', { token })).status).toBe(401);
  for (const cookie of [owner.cookie, elsewhere.cookie]) expect((await refresh(service, cookie)).status).toBe(401);
  expect((await signIn(service, owner.email)).status).toBe(401);
  expect((await signIn(service, owner.email, NEXT)).status).toBe(200);
  expect(await mails.to(owner.email, 'Your password was changed')).toHaveLength(1);
  // A password change by the owner does not verify the email address, because no link was mailed to it.
  expect(changed.json.user.emailVerified).toBe(false);
});

test('a password change requires the current password, and a new password that is not common', async () => {
  const service = await identity();
  const owner = await register(service);
  const fieldOf = async (...passwords: [string, string]) => {
    const { status, json } = await change(service, owner, ...passwords);
    return [status, json.errors?.[0]?.field];
  };
  expect(await fieldOf('not my password', NEXT)).toEqual([400, 'password']);
  expect(await fieldOf(PASSWORD, PASSWORD)).toEqual([400, 'newPassword']);
  expect(await fieldOf(PASSWORD, 'password123')).toEqual([400, 'newPassword']);
  expect(await fieldOf(PASSWORD, owner.email)).toEqual([400, 'newPassword']);
  expect(await fieldOf(PASSWORD, 'short')).toEqual([400, 'newPassword']);
  expect((await change(service, { token: 'x' })).status).toBe(401);
  expect((await signIn(service, owner.email)).status).toBe(200);
  const statuses = [];
  for (let guess = 0; guess < 8; guess++) statuses.push((await change(service, owner, `wrong ${guess} words`)).status);
  expect(statuses.at(-1)).toBe(429);
});

test('a sign-in with the old password that is in progress during the change does not result in a session', async () => {
  const on = await databases();
  const service = await identity({ on });
  const { token, owner } = await withLink(service);
  // An instance that has accepted the password of a sign-in, pauses, and continues after a reset on another instance.
  let found: () => void = () => undefined;
  let goOn: () => void = () => undefined;
  const isFound = new Promise<void>((resolve) => (found = resolve));
  const isDone = new Promise<void>((resolve) => (goOn = resolve));
  const hasher = createHasher({ running: 1, waiting: 1 });
  const slow = await identity({
    on,
    hasher: {
      inTurn: (asker, work) =>
        hasher.inTurn(asker, async ({ hash, verify }) => {
          const held = async (...given: Parameters<typeof verify>) => {
            const isRight = await verify(...given);
            found();
            await isDone;
            return isRight;
          };
          return work({ hash, verify: held });
        }),
    },
  });
  const late = signIn(slow, owner.email);
  await isFound;
  expect((await reset(service, token)).status).toBe(204);
  goOn();
  const { status, cookie, json } = await late;
  expect(status).toBe(200);
  expect((await service.call('GET', '/api/auth/me', { token: json.token })).status).toBe(401);
  expect((await refresh(service, cookie)).status).toBe(401);
  const { json: back } = await signIn(service, owner.email, NEXT);
  expect((await service.call('GET', '/api/auth/sessions', { token: back.token })).json.items).toHaveLength(1);
});

test('the end of each session with the old password is published, but not of sessions with the new one', async () => {
  const service = await identity();
  const { token, owner } = await withLink(service);
  const other = await signIn(service, owner.email);
  await reset(service, token);
  const back = await signIn(service, owner.email, NEXT);
  const { store, pool, sessions } = service;
  const follower = endSessionsOfOldPasswords(store, { pool, sessions });
  later(() => follower.stop());
  await follower.caughtUp();
  const old = [owner.token, other.json.token as string].map((one) => decodeJwt(one)['sid']);
  const told = (await service.told()).filter(({ type }) => type === 'identity.session-revoked');
  expect(new Set(told.map((one) => SessionRevokedV1.parse(one).data.sessionId))).toEqual(new Set(old));
  expect((await refresh(service, other.cookie)).status).toBe(401);
  expect((await refresh(service, back.cookie)).status).toBe(200);
});

test('a session that began with a different password gets no token', async () => {
  const service = await identity();
  const owner = await register(service);
  await service.rows('update sessions set credential_id = gen_random_uuid()');
  expect(await refresh(service, owner.cookie)).toMatchObject({ status: 401, cookie: '' });
});

test('the sweep keeps the hash of the new password and deletes unused hashes', async () => {
  const service = await identity();
  const { token, owner } = await withLink(service);
  await Promise.all([reset(service, token), reset(service, token, 'yet another password')]);
  await service.rows(`update credentials set created_at = now() - interval '2 days'`);
  await sweep(service.pool);
  expect(await service.rows('select count(*)::int n from credentials')).toEqual([{ n: 1 }]);
  const answers = [
    await signIn(service, owner.email, NEXT),
    await signIn(service, owner.email, 'yet another password'),
  ];
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
});

test('each wrong field is named', async () => {
  const service = await identity();
  const fieldOf = async (path: string, body: object) => {
    const { status, json } = await service.call('POST', `/api/auth/${path}`, { body });
    return [status, json.errors[0].field];
  };
  for (const email of [
    undefined,
    'no address',
    { $ne: '' },
    'a@example.test\r\nBcc: b@example.test',
    `${'x'.repeat(250)}@a.test`,
  ])
    expect(await fieldOf('request-password-reset', { email })).toEqual([400, 'email']);
  for (const token of [undefined, '', 7, 'x'.repeat(201)])
    expect(await fieldOf('reset-password', { token, password: NEXT })).toEqual([400, 'token']);
  for (const password of [undefined, 'short', 'x'.repeat(257)])
    expect(await fieldOf('reset-password', { token: 'r.1.zzzzzz.x', password })).toEqual([400, 'password']);
});

test('pages of other sites can call none of it', async () => {
  const service = await identity();
  for (const path of ['request-password-reset', 'reset-password', 'change-password', 'change-email', 'verify-email']) {
    const from = (headers: Record<string, string>, raw = '{}') =>
      service.call('POST', `/api/auth/${path}`, { raw, headers });
    expect((await from({ origin: 'https://evil.test' })).status).toBe(403);
    expect((await from({ 'content-type': 'text/plain' })).status).toBe(415);
  }
});
