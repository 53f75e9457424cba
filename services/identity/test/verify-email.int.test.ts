import { randomUUID } from 'node:crypto';
import { decodeJwt } from 'jose';
import { expect, test } from 'vitest';
import { EmailChangedV1, EmailVerifiedV1 } from '@beltway/contracts/identity/accounts';
import { eventually } from '@beltway/kit/testing';
import { createDemoAccounts } from '../src/demo.ts';
import { queueAskedMail, queueMailOfChange } from '../src/account/mail-queue.ts';
import { startAccountMails } from '../src/account/mail-sender.ts';
import { rebuild } from '../src/rebuild.ts';
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
  type Identity,
  type SignedIn,
} from './support.ts';

type Who = Pick<SignedIn, 'token'>;
const verify = ({ call }: Pick<Identity, 'call'>, token: string, who?: Who) =>
  call('POST', '/api/auth/verify-email', { body: { token }, token: who?.token });
const change = ({ call }: Pick<Identity, 'call'>, who: Who, email: string, password = PASSWORD) =>
  call('POST', '/api/auth/change-email', { body: { email, password }, token: who.token });
const stateOf = async ({ call }: Pick<Identity, 'call'>, { token }: Who) =>
  (await call('GET', '/api/auth/email', { token })).json;
const signIn = async ({ call }: Pick<Identity, 'call'>, email: string, password = PASSWORD) =>
  (await call('POST', '/api/auth/login', { body: { email, password } })).json as SignedIn;
const typesTold = async (service: Identity) => (await service.told()).map(({ type }) => type);

test('who registers is mailed a link, by which the address is verified, once', async () => {
  const service = await identity();
  const mails = accountMails(service);
  const person = await register(service, { name: 'Rosa <b>Parks</b>' });
  expect(person.user.emailVerified).toBe(false);
  const [mail, ...more] = await mails.to(person.email);
  expect(more).toEqual([]);
  expect(mail!.subject).toBe('Confirm your email address for Beltway');
  expect(mail!.html).not.toContain('<b>');
  const token = await mails.token(person.email, 'Confirm');
  expect(mail!.text).toContain(`${SITE}/verify-email#${token}`);

  expect((await verify(service, token, person)).status).toBe(204);
  expect(await stateOf(service, person)).toEqual({ email: person.email, isVerified: true, pending: null });
  expect((await service.call('GET', '/api/auth/me', { token: person.token })).json.emailVerified).toBe(true);
  const renewed = await service.call('POST', '/api/auth/refresh', { cookie: person.cookie });
  expect([person.token, renewed.json.token].map((one: string) => decodeJwt(one)['email_verified'])).toEqual([
    false,
    true,
  ]);
  expect((await verify(service, token, person)).status).toBe(204);
  const told = (await service.told()).filter(({ type }) => type === 'identity.email-verified');
  expect(told.map((one) => EmailVerifiedV1.parse(one).data)).toEqual([{ userId: person.user.id }]);
  const internal = { headers: { 'x-internal-token': INTERNAL_TOKEN } };
  expect((await service.call('GET', `/internal/people/${person.user.id}/address`, internal)).json).toEqual({
    email: person.email,
    isVerified: true,
    language: 'en',
  });
});

test("a third party's click does not verify an account: it takes a session of the account, too", async () => {
  const service = await identity();
  const mails = accountMails(service);
  const thief = await register(service, { email: newEmail('victim') });
  const token = await mails.token(thief.email, 'Confirm');
  expect((await verify(service, token)).status).toBe(401);
  const victim = await register(service);
  const refused = await verify(service, token, victim);
  expect([refused.status, refused.json.code]).toEqual([409, 'other-account']);
  expect((await stateOf(service, thief)).isVerified).toBe(false);
  expect((await stateOf(service, victim)).isVerified).toBe(false);
});

test('a link is good for seven days; another one is sent, three an hour', async () => {
  const { clock, pass } = movableClock();
  const service = await identity({ clock });
  const mails = accountMails(service, { clock });
  const person = await register(service);
  const token = await mails.token(person.email, 'Confirm');
  const again = () => service.call('POST', '/api/auth/request-email-verification', { token: person.token, body: {} });
  for (let sent = 0; sent < 5; sent++) expect((await again()).status).toBe(202);
  expect(await mails.to(person.email)).toHaveLength(3);
  // Rows have the database's time, which has advanced.
  pass(7 * 24 * 3_600 + 3_600);
  const late = await signIn(service, person.email);
  const refused = await verify(service, token, late);
  expect([refused.status, refused.json.code]).toEqual([400, 'link-invalid']);
});

test('a link that a person waits for overtakes mails that only inform', async () => {
  const service = await identity();
  const { pool, log, links } = service;
  const { user } = await register(service);
  for (let n = 0; n < 200; n++) {
    const email = newEmail(`old-${n}`);
    await queueMailOfChange(pool, { kind: 'password-changed', userId: user.id, email });
  }
  const sent: string[] = [];
  const first = Promise.withResolvers<void>();
  const send = async ({ to }: { to: string }) => {
    sent.push(to);
    await first.promise;
  };
  const worker = startAccountMails({
    ...{ pool, log, links, mailer: { send }, publicUrl: SITE, support: undefined, clock: () => new Date() },
  });
  later(() => worker.stop());
  await eventually(() => sent.length === 1);
  await queueAskedMail(pool, { kind: 'reset-password', userId: null, email: user.email });
  first.resolve();
  await eventually(() => (worker.wake(), sent.length >= 3));
  expect(sent.slice(0, 3)).toEqual([expect.stringContaining('old-'), user.email, expect.stringContaining('old-')]);
});

test('a link requires a session, and an address that is not verified yet', async () => {
  const service = await identity();
  const mails = accountMails(service);
  const person = await register(service);
  expect((await service.call('POST', '/api/auth/request-email-verification', { body: {} })).status).toBe(401);
  await verify(service, await mails.token(person.email, 'Confirm'), person);
  await service.call('POST', '/api/auth/request-email-verification', { token: person.token, body: {} });
  expect(await mails.to(person.email)).toHaveLength(1);
});

test('a new address counts once it is verified, and both are notified before and after', async () => {
  const service = await identity();
  const mails = accountMails(service);
  const person = await register(service);
  const [before, after] = [person.email, newEmail('after')];
  expect((await change(service, person, after)).status).toBe(202);
  expect(await stateOf(service, person)).toEqual({ email: before, isVerified: false, pending: after });
  const [asked] = await mails.to(before, 'wants to change');
  expect(asked!.text).toContain(after);
  // Until then nothing has changed.
  expect((await signIn(service, before)).user.email).toBe(before);
  expect((await service.call('POST', '/api/auth/login', { body: { email: after, password: PASSWORD } })).status).toBe(
    401,
  );

  const token = await mails.token(after, 'Confirm your new');
  expect((await verify(service, token, person)).status).toBe(204);
  // Tokens name the old address: they end, and the session continues with another.
  expect((await service.call('GET', '/api/auth/me', { token: person.token })).status).toBe(401);
  const renewed = await service.call('POST', '/api/auth/refresh', { cookie: person.cookie });
  expect(renewed.json.user).toMatchObject({ email: after, emailVerified: true });
  expect((await signIn(service, after)).user.id).toBe(person.user.id);
  expect((await service.call('POST', '/api/auth/login', { body: { email: before, password: PASSWORD } })).status).toBe(
    401,
  );
  for (const address of [before, after])
    expect((await mails.to(address, 'of your account has changed')).map(({ text }) => text)).toEqual([
      expect.stringMatching(new RegExp(`${before}[^]*${after}`)),
    ]);
  // The answer was lost, and the page asks again: the same effect, once.
  expect((await verify(service, token, renewed.json)).status).toBe(204);
  const told = await service.told();
  expect(
    told.filter(({ type }) => type === 'identity.email-changed').map((one) => EmailChangedV1.parse(one).data),
  ).toEqual([{ userId: person.user.id, generation: 1 }]);
  expect(JSON.stringify(told)).not.toContain('@');
});

test('a link to an address that is not the account’s any more verifies nothing', async () => {
  const service = await identity();
  const mails = accountMails(service);
  const person = await register(service);
  const old = await mails.token(person.email, 'Confirm');
  const [first, second] = [newEmail('first'), newEmail('second')];
  await change(service, person, first);
  const toFirst = await mails.token(first, 'Confirm your new');
  await change(service, person, second);
  // The newest request counts.
  expect((await verify(service, toFirst, person)).json.code).toBe('link-invalid');
  expect((await verify(service, await mails.token(second, 'Confirm your new'), person)).status).toBe(204);
  const now = await signIn(service, second);
  for (const token of [old, toFirst]) expect((await verify(service, token, now)).json.code).toBe('link-invalid');
  expect(await stateOf(service, now)).toEqual({ email: second, isVerified: true, pending: null });
});

test('a change of password ends a change of address that another person requested', async () => {
  const service = await identity();
  const mails = accountMails(service);
  const owner = await register(service);
  const stolen = await signIn(service, owner.email);
  const theirs = newEmail('thief');
  await change(service, stolen, theirs);
  const token = await mails.token(theirs, 'Confirm your new');
  const changed = await service.call('POST', '/api/auth/change-password', {
    token: owner.token,
    body: { password: PASSWORD, newPassword: 'another long password' },
  });
  expect((await verify(service, token, changed.json)).json.code).toBe('link-invalid');
  expect(await stateOf(service, changed.json)).toMatchObject({ email: owner.email, pending: null });
});

test('two accounts verify the same new address: one gets it, the other is refused', async () => {
  const service = await identity();
  const mails = accountMails(service);
  const [one, two] = [await register(service), await register(service)];
  const email = newEmail('both');
  const tokens: string[] = [];
  for (const person of [one, two]) {
    await change(service, person, email);
    tokens.push(await mails.token(email, 'Confirm your new'));
  }
  const answers = await Promise.all([verify(service, tokens[0]!, one), verify(service, tokens[1]!, two)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([204, 409]);
  expect(answers.find(({ status }) => status === 409)!.json.code).toBe('email-taken');
  expect(await service.rows('select count(*)::int n from users where email = $1', [email])).toEqual([{ n: 1 }]);
});

test('no answer reveals that the new address is taken; its owner gets a mail, and nothing changes', async () => {
  const service = await identity();
  const mails = accountMails(service);
  const [person, other] = [await register(service), await register(service, { name: 'Other' })];
  const [taken, free] = [await change(service, person, other.email), await change(service, person, newEmail())];
  expect([taken.status, taken.text]).toEqual([free.status, free.text]);
  await change(service, person, other.email);
  const [mail] = await mails.to(other.email, 'Your email address on Beltway');
  expect(mail!.text).toContain('You have an account with it already');
  expect(mail!.text).not.toContain('#');
  expect(mail!.text).not.toContain(person.email);
});

test('a change needs the password and an address, and reports which is wrong', async () => {
  const service = await identity();
  const person = await register(service);
  const fieldOf = async (answer: ReturnType<typeof change>) => {
    const { status, json } = await answer;
    return [status, json.errors?.[0]?.field];
  };
  expect(await fieldOf(change(service, person, newEmail(), 'not my password'))).toEqual([400, 'password']);
  expect(await fieldOf(change(service, person, person.email.toUpperCase()))).toEqual([400, 'email']);
  expect(await fieldOf(change(service, person, 'a@example.test\r\nBcc: b@example.test'))).toEqual([400, 'email']);
  expect(await fieldOf(change(service, person, 'admin@beltway.test'))).toEqual([400, 'email']);
  expect(
    (await service.call('POST', '/api/auth/change-email', { body: { email: newEmail(), password: PASSWORD } })).status,
  ).toBe(401);
  expect(await service.rows('select from email_changes')).toEqual([]);
});

test('a demo account keeps address and password, and is mailed nothing', async () => {
  const service = await identity({ env: { BELTWAY_MODE: 'embedded', BELTWAY_DEMO: '1' } });
  const mails = accountMails(service);
  await createDemoAccounts(service.accounts, service.pool, service.log);
  const known = { email: 'explorer@beltway.test', password: 'demo-beltway' };
  const { json } = await service.call('POST', '/api/auth/login', { body: known });
  expect((await change(service, json, newEmail(), known.password)).json.code).toBe('demo-account');
  const body = { password: known.password, newPassword: 'another long password' };
  const refused = await service.call('POST', '/api/auth/change-password', { token: json.token, body });
  expect(refused.json.code).toBe('demo-account');
  await service.call('POST', '/api/auth/request-password-reset', { body: { email: known.email } });
  expect(await mails.settled()).toEqual([]);
});

test('a crash between event and mail loses no mail; one that was claimed is sent after its claim, with the same id', async () => {
  const service = await identity();
  // The event is there; this process ended before anything was queued.
  const person = await register(service);
  expect(await service.rows('select from jobs')).toEqual([]);
  const mails = accountMails(service);
  const [first] = await mails.to(person.email);
  // It ended again before the mail was marked.
  const data = { kind: 'verify-email', userId: person.user.id, email: person.email };
  await service.rows(`update jobs set status = 'waiting', data = $1, run_at = now()`, [data]);
  const [, again] = await mails.to(person.email);
  expect([again!.id, again!.text]).toEqual([first!.id, first!.text]);
});

test('mail is retried while the mail server is away, and its content stays out of the log', async () => {
  const service = await identity();
  const mails = accountMails(service, { fails: 1 });
  const person = await register(service);
  await expect
    .poll(async () => {
      await service.rows(
        `update jobs set run_at = now() where attempts = 1 and run_at < now() + interval '60 seconds'`,
      );
      mails.worker.wake();
      return mails.sent.length;
    })
    .toBe(1);
  const token = await mails.token(person.email, 'Confirm');
  await verify(service, token, person);
  await verify(service, `${token.slice(0, -1)}~`, person);
  expect(service.lines.join('')).not.toContain(token.split('.')[3]);
  expect(service.lines.join('')).not.toContain(person.email);
});

test('a rebuild changes nothing and sends no mail again', async () => {
  const on = await databases();
  const service = await identity({ on });
  const mails = accountMails(service);
  const person = await register(service);
  const after = newEmail('after');
  await change(service, person, after);
  await verify(service, await mails.token(after, 'Confirm your new'), person);
  const { json } = await service.call('POST', '/api/auth/refresh', { cookie: person.cookie });
  const body = { password: PASSWORD, newPassword: 'another long password' };
  const changed = await service.call('POST', '/api/auth/change-password', { token: json.token, body });
  expect(changed.status).toBe(200);
  const sent = (await mails.settled()).length;
  const { tables } = await rebuild(on.url);
  for (const { table, before, after: now } of tables) expect(now, table).toBe(before);
  expect(await mails.settled()).toHaveLength(sent);
  expect((await service.call('POST', '/api/auth/refresh', { cookie: changed.cookie })).status).toBe(200);
});

test('an erased account leaves neither address, change nor mail behind, and its links are dead', async () => {
  const service = await identity();
  const mails = accountMails(service);
  const person = await register(service);
  const old = await mails.token(person.email, 'Confirm');
  const next = newEmail('next');
  await change(service, person, next);
  await verify(service, await mails.token(next, 'Confirm your new'), person);
  const now = await signIn(service, next);
  await change(service, now, newEmail('third'));
  await mails.settled();
  await service.rows(
    `insert into jobs (queue, key, data) values ('account-mail', $1, jsonb_build_object('email', $2::text))`,
    [randomUUID(), next],
  );
  const gone = await service.call('DELETE', '/api/users/me', { token: now.token, body: { password: PASSWORD } });
  expect(gone.status).toBe(204);
  const tables = await service.rows(
    `select table_name as name from information_schema.tables where table_schema = 'public'`,
  );
  const all = await Promise.all(
    tables.map(({ name }) => service.rows(`select to_json(t)::text from "${String(name)}" t`)),
  );
  for (const address of [person.email, next, 'third-']) expect(JSON.stringify(all)).not.toContain(address);
  const stranger = await register(service);
  expect((await verify(service, old, stranger)).json.code).toBe('link-invalid');
  expect(await typesTold(service)).toContain('identity.user-erased');
});

test('what was mailed is forgotten after a day', async () => {
  const service = await identity();
  const mails = accountMails(service);
  await register(service);
  await mails.settled();
  expect(await service.rows('select data, status from jobs')).toEqual([{ data: {}, status: 'done' }]);
  await service.rows(`update jobs set ended_at = now() - interval '25 hours'`);
  await sweep(service.pool);
  expect(await service.rows('select from jobs')).toEqual([]);
});

test('refuses what is no token by its field', async () => {
  const service = await identity();
  const { token } = await register(service);
  for (const body of [{}, { token: '' }, { token: 7 }, { token: 'x'.repeat(201) }]) {
    const { status, json } = await service.call('POST', '/api/auth/verify-email', { body, token });
    expect([status, json.errors[0].field]).toEqual([400, 'token']);
  }
});

test('mails are in the language that the page of the account was last in', async () => {
  const service = await identity();
  const mails = accountMails(service);
  const email = newEmail('rosa');
  const spanish = { 'accept-language': 'es-MX,es;q=0.9,en;q=0.8' };
  const body = { email, password: PASSWORD, name: 'Rosa' };
  expect((await service.call('POST', '/api/auth/register', { body, headers: spanish })).status).toBe(201);
  const [first] = await mails.to(email);
  expect(first!.subject).toBe('Confirma tu correo electrónico para Beltway');
  expect(first!.text).toContain('Hola, Rosa:');
  expect(first!.text).toContain('¿Tienes preguntas? Escribe a team@beltway.test.');
  expect(first!.html).toContain('<html lang="es">');

  const reset = () => service.call('POST', '/api/auth/request-password-reset', { body: { email } });
  await reset();
  expect(await mails.to(email, 'Elige otra contraseña')).toHaveLength(1);
  // A request without a language, or with an unsupported one, changes nothing.
  const login = (language: string) =>
    service.call('POST', '/api/auth/login', {
      body: { email, password: PASSWORD },
      headers: { 'accept-language': language },
    });
  await login('*');
  await login('am');
  await reset();
  expect(await mails.to(email, 'Elige otra contraseña')).toHaveLength(2);
  await login('en');
  await reset();
  expect(await mails.to(email, 'Choose another password')).toHaveLength(1);
  expect(await service.rows('select language from account_languages')).toEqual([{ language: 'en' }]);
});

test('an address that is taken leaves no language behind', async () => {
  const service = await identity();
  const { email } = await register(service);
  const body = { email, password: PASSWORD, name: 'Another' };
  const again = await service.call('POST', '/api/auth/register', { body, headers: { 'accept-language': 'es' } });
  expect(again.status).toBe(409);
  expect(await service.rows('select * from account_languages')).toEqual([]);
});
