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

test('registering sends a link that verifies the email address once', async () => {
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

test('mail to an email address that is not verified contains no text of the account', async () => {
  const service = await identity();
  const mails = accountMails(service);
  const words = 'WIN-1000 at evil.example';
  const victim = newEmail('victim');
  const spammer = await register(service, { name: words, email: victim });
  const body = { email: victim };
  expect((await service.call('POST', '/api/auth/request-password-reset', { body })).status).toBe(202);
  const elsewhere = newEmail('cheap-watches');
  expect((await change(service, spammer, elsewhere)).status).toBe(202);
  const { user } = spammer;
  await queueMailOfChange(service.pool, { kind: 'passkey-added', userId: user.id, email: victim, detail: words });
  // Another account of the same person tries to change to that email address.
  const other = await register(service, { name: 'Other' });
  expect((await change(service, other, victim)).status).toBe(202);
  await mails.settled();
  const sent = mails.sent.filter(({ to }) => to === victim || to === elsewhere);
  expect(sent).toHaveLength(6);
  for (const { subject, text, html } of sent) {
    expect(subject + text + html).not.toContain('WIN-1000');
    if (!text.includes('Confirm my new address')) expect(text + html).not.toContain(elsewhere);
  }

  // Once an email address is verified, mails to it contain the owner's name and name the new address.
  const rosa = await register(service, { name: 'Rosa Parks' });
  await verify(service, await mails.token(rosa.email, 'Confirm'), rosa);
  const moved = newEmail('moved');
  await change(service, rosa, moved);
  const [asked] = await mails.to(rosa.email, 'wants to change');
  expect(asked!.text).toContain('Rosa Parks');
  expect(asked!.text).toContain(moved);
  await verify(service, await mails.token(moved, 'Confirm'), rosa);
  const [notice] = await mails.to(rosa.email, 'was changed');
  expect(notice!.text).toContain('Rosa Parks');
  expect(notice!.text).toContain(moved);

  // The email address of the registration was never verified, so the mail to it does not contain the new address.
  await verify(service, await mails.token(elsewhere, 'Confirm'), spammer);
  const [last] = await mails.to(victim, 'was changed');
  expect(last!.text).not.toContain(elsewhere);
  expect(last!.text).not.toContain('WIN-1000');
});

test('a stranger’s click does not verify an account, because a session of the account is required', async () => {
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

test('a link is valid for seven days, and three further links can be requested in an hour', async () => {
  const { clock, pass } = movableClock();
  const service = await identity({ clock });
  const mails = accountMails(service, { clock });
  const person = await register(service);
  const token = await mails.token(person.email, 'Confirm');
  const again = () => service.call('POST', '/api/auth/request-email-verification', { token: person.token, body: {} });
  for (let sent = 0; sent < 5; sent++) expect((await again()).status).toBe(202);
  expect(await mails.to(person.email)).toHaveLength(3);
  // Rows use the database's real clock, so the test moves only the clock of the service.
  pass(7 * 24 * 3_600 + 3_600);
  const late = await signIn(service, person.email);
  const refused = await verify(service, token, late);
  expect([refused.status, refused.json.code]).toEqual([400, 'link-invalid']);
});

test('a link that a person waits for is sent before mails that only inform', async () => {
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

test('verifying requires a session, and an email address that is not verified yet', async () => {
  const service = await identity();
  const mails = accountMails(service);
  const person = await register(service);
  expect((await service.call('POST', '/api/auth/request-email-verification', { body: {} })).status).toBe(401);
  await verify(service, await mails.token(person.email, 'Confirm'), person);
  await service.call('POST', '/api/auth/request-email-verification', { token: person.token, body: {} });
  expect(await mails.to(person.email)).toHaveLength(1);
});

test('a new email address takes effect once it is verified; both addresses are notified before and after', async () => {
  const service = await identity();
  const mails = accountMails(service);
  const person = await register(service);
  const [before, after] = [person.email, newEmail('after')];
  // A mail names the other email address only if the old address is verified.
  await verify(service, await mails.token(before, 'Confirm'), person);
  expect((await change(service, person, after)).status).toBe(202);
  expect(await stateOf(service, person)).toEqual({ email: before, isVerified: true, pending: after });
  const [asked] = await mails.to(before, 'wants to change');
  expect(asked!.text).toContain(after);
  // Until the new address is verified, nothing changes.
  expect((await signIn(service, before)).user.email).toBe(before);
  expect((await service.call('POST', '/api/auth/login', { body: { email: after, password: PASSWORD } })).status).toBe(
    401,
  );

  const token = await mails.token(after, 'Confirm your new');
  expect((await verify(service, token, person)).status).toBe(204);
  // Tokens contain the old email address, so they become invalid. The session continues with a new token.
  expect((await service.call('GET', '/api/auth/me', { token: person.token })).status).toBe(401);
  const renewed = await service.call('POST', '/api/auth/refresh', { cookie: person.cookie });
  expect(renewed.json.user).toMatchObject({ email: after, emailVerified: true });
  expect((await signIn(service, after)).user.id).toBe(person.user.id);
  expect((await service.call('POST', '/api/auth/login', { body: { email: before, password: PASSWORD } })).status).toBe(
    401,
  );
  for (const address of [before, after])
    expect((await mails.to(address, 'Your account’s email address was changed')).map(({ text }) => text)).toEqual([
      expect.stringMatching(new RegExp(`${before}[^]*${after}`)),
    ]);
  // Repeats the request, as the frontend does when the answer was lost. The change takes effect only once.
  expect((await verify(service, token, renewed.json)).status).toBe(204);
  const told = await service.told();
  expect(
    told.filter(({ type }) => type === 'identity.email-changed').map((one) => EmailChangedV1.parse(one).data),
  ).toEqual([{ userId: person.user.id, generation: 1 }]);
  expect(JSON.stringify(told)).not.toContain('@');
});

test('a link to the former email address of an account verifies nothing', async () => {
  const service = await identity();
  const mails = accountMails(service);
  const person = await register(service);
  const old = await mails.token(person.email, 'Confirm');
  const [first, second] = [newEmail('first'), newEmail('second')];
  await change(service, person, first);
  const toFirst = await mails.token(first, 'Confirm your new');
  await change(service, person, second);
  // Only the latest requested change is valid.
  expect((await verify(service, toFirst, person)).json.code).toBe('link-invalid');
  expect((await verify(service, await mails.token(second, 'Confirm your new'), person)).status).toBe(204);
  const now = await signIn(service, second);
  for (const token of [old, toFirst]) expect((await verify(service, token, now)).json.code).toBe('link-invalid');
  expect(await stateOf(service, now)).toEqual({ email: second, isVerified: true, pending: null });
});

test('changing the password cancels a change of email address that another person requested', async () => {
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

test('if two accounts verify the same new email address, one gets it and the other is refused', async () => {
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

test('no answer reveals that the new email address is taken; its owner gets a mail, and nothing changes', async () => {
  const service = await identity();
  const mails = accountMails(service);
  const [person, other] = [await register(service), await register(service, { name: 'Other' })];
  const [taken, free] = [await change(service, person, other.email), await change(service, person, newEmail())];
  expect([taken.status, taken.text]).toEqual([free.status, free.text]);
  await change(service, person, other.email);
  const [mail] = await mails.to(other.email, 'Your email address on Beltway');
  expect(mail!.text).toContain('You already have an account with it');
  expect(mail!.text).not.toContain('#');
  expect(mail!.text).not.toContain(person.email);
});

test('a change requires the password and an email address, and each wrong field is named', async () => {
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

test('a demo account’s email address and password cannot be changed, and it gets no mail', async () => {
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

test('a crash loses no mail; after its lease a claimed mail is sent again with the same id', async () => {
  const service = await identity();
  // Simulates a crash after the event was appended and before its mail was queued.
  const person = await register(service);
  expect(await service.rows('select from jobs')).toEqual([]);
  const mails = accountMails(service);
  const [first] = await mails.to(person.email);
  // Simulates a crash after the mail was sent and before it was marked as done.
  const data = { kind: 'verify-email', userId: person.user.id, email: person.email };
  await service.rows(`update jobs set status = 'waiting', data = $1, run_at = now()`, [data]);
  const [, again] = await mails.to(person.email);
  expect([again!.id, again!.text]).toEqual([first!.id, first!.text]);
});

test('mail is retried while the mail server is down, and its text stays out of the log', async () => {
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

test('erasing an account deletes its email addresses, changes and mails, and its links become invalid', async () => {
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

test('sent mails are deleted after a day', async () => {
  const service = await identity();
  const mails = accountMails(service);
  await register(service);
  await mails.settled();
  expect(await service.rows('select data, status from jobs')).toEqual([{ data: {}, status: 'done' }]);
  await service.rows(`update jobs set ended_at = now() - interval '25 hours'`);
  await sweep(service.pool);
  expect(await service.rows('select from jobs')).toEqual([]);
});

test('a malformed token is refused with the name of its field', async () => {
  const service = await identity();
  const { token } = await register(service);
  for (const body of [{}, { token: '' }, { token: 7 }, { token: 'x'.repeat(201) }]) {
    const { status, json } = await service.call('POST', '/api/auth/verify-email', { body, token });
    expect([status, json.errors[0].field]).toEqual([400, 'token']);
  }
});

test('mails are in the language in which the account last used the frontend', async () => {
  const service = await identity();
  const mails = accountMails(service);
  const email = newEmail('rosa');
  const spanish = { 'accept-language': 'es-MX,es;q=0.9,en;q=0.8' };
  const body = { email, password: PASSWORD, name: 'Rosa' };
  expect((await service.call('POST', '/api/auth/register', { body, headers: spanish })).status).toBe(201);
  const [first] = await mails.to(email);
  expect(first!.subject).toBe('Confirma tu correo electrónico para Beltway');
  // The email address is not verified, so the mail does not contain the typed name.
  expect(first!.text).toContain('Hola:');
  expect(first!.text).toContain('¿Tienes preguntas? Escribe a team@beltway.test.');
  expect(first!.html).toContain('<html lang="es">');

  const reset = () => service.call('POST', '/api/auth/request-password-reset', { body: { email } });
  await reset();
  expect(await mails.to(email, 'Elige una contraseña nueva')).toHaveLength(1);
  // A request without a language, or with an unsupported language, changes nothing.
  const login = (language: string) =>
    service.call('POST', '/api/auth/login', {
      body: { email, password: PASSWORD },
      headers: { 'accept-language': language },
    });
  await login('*');
  await login('am');
  await reset();
  expect(await mails.to(email, 'Elige una contraseña nueva')).toHaveLength(2);
  await login('en');
  await reset();
  expect(await mails.to(email, 'Reset your Beltway password')).toHaveLength(1);
  expect(await service.rows('select language from account_languages')).toEqual([{ language: 'en' }]);
});

test('registering a taken email address stores no language', async () => {
  const service = await identity();
  const { email } = await register(service);
  const body = { email, password: PASSWORD, name: 'Another' };
  const again = await service.call('POST', '/api/auth/register', { body, headers: { 'accept-language': 'es' } });
  expect(again.status).toBe(409);
  expect(await service.rows('select * from account_languages')).toEqual([]);
});
