import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openMailer, storedMails, type Mail } from '@beltway/kit/mail';
import { eventually } from '@beltway/kit/testing';
import { smtpServer } from '@beltway/kit/testing-smtp';
import { contactMail, startContactMail } from '../src/contact/mail.ts';
import { sweep } from '../src/jobs.ts';
import { admin, identity, later, register, type Call } from './support.ts';

const TEAM = 'team@beltway.test';
const env = { SUPPORT_EMAIL: TEAM, BELTWAY_MODE: 'embedded', BELTWAY_RATE_LIMITS: 'off' };
const message = { email: 'rosa@example.test', phone: '+1 (202) 555-0100', comments: 'May we advertise with you?' };
type Service = Awaited<ReturnType<typeof identity>>;
const send = ({ call }: Service, body: unknown = message, more: Call = {}) =>
  call('POST', '/api/contact', { body, ...more });
const kept = ({ rows }: Service) => rows('select email, phone, comments from contact_messages order by created_at');
const waiting = ({ rows }: Service) => rows(`select * from jobs where queue = 'contact-mail'`);

/** Sends the mails and records them. The first `fails` attempts fail. */
function mailing({ pool, log }: Service, fails = 0) {
  const sent: Mail[] = [];
  const send = async (mail: Mail) => {
    if (fails-- > 0) throw new Error('the mail server is away');
    sent.push(mail);
  };
  const worker = startContactMail(pool, log, { send }, TEAM);
  later(() => worker.stop());
  return { sent, worker };
}

test('any visitor’s message is stored, and mailed to the team', async () => {
  const service = await identity({ env });
  const { sent, worker } = mailing(service);
  const answer = await send(service);
  expect([answer.status, answer.text]).toEqual([204, '']);
  await worker.work();
  expect(sent).toHaveLength(1);
  expect(sent[0]).toMatchObject({ to: TEAM, replyTo: message.email });
  expect(sent[0]!.text).toContain(message.comments);
  expect(await waiting(service)).toEqual([]);
  expect(await kept(service)).toMatchObject([message]);
  // The log does not contain the text.
  expect(service.lines.join('')).not.toMatch(/rosa|advertise/);
});

test('a message may have no phone number; without a configured email address it is stored but not mailed', async () => {
  const service = await identity({ env: { BELTWAY_MODE: 'embedded' } });
  expect((await send(service, { ...message, phone: '' })).status).toBe(204);
  expect(await kept(service)).toMatchObject([{ phone: null }]);
  expect(await waiting(service)).toEqual([]);
});

test('concurrent repeats with one key store and mail one message; a different message is refused', async () => {
  const service = await identity({ env });
  const { sent, worker } = mailing(service);
  const headers = { 'idempotency-key': randomUUID() };
  const answers = await Promise.all(Array.from({ length: 8 }, () => send(service, message, { headers })));
  expect(new Set(answers.map((one) => one.status))).toEqual(new Set([204]));
  await worker.work();
  await send(service, message, { headers });
  await worker.work();
  expect(await kept(service)).toHaveLength(1);
  expect(sent).toHaveLength(1);
  expect((await send(service, { ...message, comments: 'Else' }, { headers })).status).toBe(422);
});

test('a failed mail is sent again with the same id', async () => {
  const service = await identity({ env });
  const { sent, worker } = mailing(service, 1);
  await send(service);
  await worker.work();
  expect(sent).toEqual([]);
  await service.pool.query('update jobs set run_at = now()');
  await worker.work();
  const [row] = await service.rows('select id from contact_messages');
  expect(sent.map(({ id }) => id)).toEqual([`contact-${String(row!['id'])}`]);
});

test.each([
  ['email', { ...message, email: '' }],
  ['email', { ...message, email: '   ' }],
  ['email', { ...message, email: 'not an address' }],
  ['email', { ...message, email: 'rosa@example.test\r\nBcc: all@example.test' }],
  ['email', { ...message, email: 'rosa@example.test, all@example.test' }],
  ['email', { ...message, email: { $ne: '' } }],
  ['phone', { ...message, phone: '1\r\nBcc: all@example.test' }],
  ['phone', { ...message, phone: '<script>' }],
  ['phone', { ...message, phone: '1'.repeat(41) }],
  ['comments', { ...message, comments: '' }],
  ['comments', { ...message, comments: ' \n\t ' }],
  ['comments', { ...message, comments: 'x'.repeat(10_000) }],
  ['comments', { ...message, comments: '\u0000\u200b' }],
  ['comments', { email: message.email }],
])('a wrong %s is refused with the name of the field, and nothing is stored', async (field, body) => {
  const service = await identity({ env });
  const { status: code, json } = await send(service, body);
  expect([code, json.errors.map((one: { field: string }) => one.field)]).toEqual([400, [field]]);
  expect(await kept(service)).toEqual([]);
});

test('a body of 100 kB is refused before it is parsed', async () => {
  const service = await identity({ env });
  expect((await send(service, { ...message, comments: 'x'.repeat(100_000) })).status).toBe(413);
});

test('typed text remains plain text in the mail, and becomes neither a header nor markup', async () => {
  const smtp = await smtpServer((answer, socket) => socket.write(`${answer}\r\n`));
  later(smtp.close);
  const comments =
    '<script>alert(1)</script>\nBcc: all@example.test\n\n.\nQUIT\n<img src=x onerror=alert(1)> & "quotes"';
  const mail = contactMail({ id: randomUUID(), ...message, comments }, TEAM);
  expect(mail.html).not.toMatch(/<script|<img (?!src="cid:)/);
  await openMailer({ smtpUrl: smtp.url, folder: 'unused', from: 'Beltway <tickets@beltway.test>' }).send(mail);
  const [head = ''] = smtp.mails[0]!.split('\n\n');
  expect(head).toMatch(/^Reply-To: rosa@example\.test$/m);
  expect(head).toMatch(/^To: team@beltway\.test$/m);
  expect(head).not.toMatch(/^(Bcc|Cc):/im);
  expect(smtp.mails).toHaveLength(1);
});

test('without a mail server the mail is stored in the mailbox folder', async () => {
  const service = await identity({ env });
  const folder = await mkdtemp(join(tmpdir(), 'contact-'));
  later(() => rm(folder, { recursive: true }));
  const mailer = openMailer({ folder, from: 'Beltway <tickets@beltway.test>' });
  const worker = startContactMail(service.pool, service.log, mailer, TEAM);
  later(() => worker.stop());
  await send(service);
  worker.wake();
  const mails = await eventually(async () => {
    const found = await storedMails(folder);
    return found.length > 0 && found;
  });
  expect(mails[0]).toMatchObject({ to: TEAM, replyTo: message.email });
});

test('one IP address may send five messages in ten minutes, and other addresses are not affected', async () => {
  const service = await identity({ env: { SUPPORT_EMAIL: TEAM } });
  const from = (address: string) => send(service, message, { headers: { 'x-forwarded-for': address } });
  for (let sent = 0; sent < 5; sent++) expect((await from('192.0.2.1')).status).toBe(204);
  const refused = await from('192.0.2.1');
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await from('192.0.2.2')).status).toBe(204);
});

test('all IP addresses together may send 1,000 messages a day', async () => {
  const service = await identity({ env });
  await service.pool.query(
    `insert into contact_messages (id, email, comments)
     select gen_random_uuid(), 'a@example.test', 'Hi' from generate_series(1, 1000)`,
  );
  expect((await send(service)).status).toBe(503);
  await service.pool.query(`update contact_messages set created_at = now() - interval '25 hours'`);
  expect((await send(service)).status).toBe(204);
});

test('only admins can list messages and mark them as answered, page by page', async () => {
  const service = await identity({ env });
  for (const comments of ['one', 'two', 'three']) await send(service, { ...message, comments });
  const { token } = await admin(service);
  const list = (query: string, as?: string) => service.call('GET', `/api/contact-messages${query}`, { token: as });
  expect((await list('')).status).toBe(401);
  expect((await list('', (await register(service)).token)).status).toBe(403);

  const comments = (answer: { json: { items: { comments: string }[] } }) =>
    answer.json.items.map((one) => one.comments);
  const first = await list('?limit=2', token);
  expect(comments(first)).toEqual(['three', 'two']);
  expect(first.headers.get('cache-control')).toBe('no-store');
  const second = await list(`?limit=2&cursor=${first.json.nextCursor}`, token);
  expect([comments(second), second.json.nextCursor]).toEqual([['one'], null]);

  const [{ id }] = first.json.items;
  const mark = (answered: boolean, as = token) =>
    service.call('PATCH', `/api/contact-messages/${id}`, { body: { answered }, token: as });
  expect((await mark(true, (await register(service)).token)).status).toBe(403);
  const { answeredAt } = (await mark(true)).json;
  expect(answeredAt).toBeTruthy();
  expect((await mark(true)).json.answeredAt).toBe(answeredAt);
  expect(comments(await list('', token))).toEqual(['two', 'one']);
  expect(comments(await list('?status=answered', token))).toEqual(['three']);
  expect((await mark(false)).json.answeredAt).toBeNull();
  expect(comments(await list('?status=all', token))).toEqual(['three', 'two', 'one']);
  for (const wrong of ['nonsense', randomUUID()])
    expect(
      (await service.call('PATCH', `/api/contact-messages/${wrong}`, { body: { answered: true }, token })).status,
    ).toBe(404);
});

test.each(['?limit=0', '?limit=1e9', '?status=some', '?cursor=nonsense'])('refuses %s and names it', async (query) => {
  const service = await identity({ env });
  const { token } = await admin(service);
  const { status: code, json } = await service.call('GET', `/api/contact-messages${query}`, { token });
  expect([code, json.errors[0].field]).toEqual([400, query.slice(1).split('=')[0]]);
});

test('a message is deleted after a year', async () => {
  const service = await identity({ env });
  await send(service);
  await send(service, { ...message, comments: 'Young' });
  await service.pool.query(
    `update contact_messages set created_at = now() - interval '366 days' where comments <> 'Young'`,
  );
  await sweep(service.pool);
  expect(await kept(service)).toMatchObject([{ comments: 'Young' }]);
});

test('counts the accounts with a session in the last 30 days; only our own services can read the number', async () => {
  const service = await identity({ env });
  const { email } = await register(service);
  await service.call('POST', '/api/auth/login', { body: { email, password: 'gr33n-line to Anacostia' } });
  await register(service);
  const count = (token: string) =>
    service.call('GET', '/internal/active-accounts', { headers: { 'x-internal-token': token } });
  expect((await count('wrong')).status).toBe(403);
  const [token] = service.settings.INTERNAL_TOKEN;
  expect((await count(token)).json).toEqual({ count: 2 });
  await service.pool.query(`update refresh_tokens set issued_at = now() - interval '31 days'`);
  expect((await count(token)).json).toEqual({ count: 0 });
});
