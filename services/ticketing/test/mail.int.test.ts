import { expect, test } from 'vitest';
import { openMailer, storedMails } from '@beltway/kit/mail';
import { logger } from '@beltway/kit/logger';
import { openPool } from '@beltway/kit/postgres';
import { eventually } from '@beltway/kit/testing';
import { smtpServer } from '@beltway/kit/testing-smtp';
import { get } from 'node:http';
import { join } from 'node:path';
import { orderNumber } from '../src/order/number.ts';
import { openDb } from '../src/db.ts';
import { failedMails, retryMails } from '../src/mail/failed.ts';
import { startMailWorker, type Sender } from '../src/mail/worker.ts';
import { call, message, onSale, pay, PICTURE, startCheckout, TOKEN, type Ticketing } from './support.ts';

async function sold(
  quantity: number,
  { title = 'Café <Noir> & Friends', ticketHolderName = 'Ann <b>' } = {},
): Promise<Ticketing & { orderId: string }> {
  const ticketing = await onSale(20, { title, imageUrl: '/media/posters/42-0123456789abcd.webp' });
  const { paymentIntentId, orderId } = (await startCheckout(ticketing, { quantity, ticketHolderName })).body;
  await pay(ticketing, paymentIntentId);
  return { ...ticketing, orderId };
}

/** A mail of nothing but its id. */
const aMail = (id: string) => ({ id, to: 'b@example.test', subject: 's', text: 't', html: 'h', attachments: [] });
const senderOf = (deliver: Sender['deliver']): Sender => ({
  compose: (orderId) => Promise.resolve(aMail(orderId)),
  deliver,
});

const sentMail = async ({ dataDir, rows }: Ticketing) => {
  // Mail waits while the machine is busy with other things (`mail/pace.ts`).
  await eventually(async () => (await rows(`select 1 from mails where status = 'sent'`)).length === 1, {
    timeoutMs: 40_000,
    what: 'the mail is sent',
  });
  const [mail, ...others] = await storedMails(join(dataDir, 'mail'));
  expect(others).toEqual([]);
  if (!mail) throw new Error('no mail');
  return mail;
};

test('an order’s mail has its all-in price, a QR per ticket, one PDF, one calendar file and the guest’s link', async () => {
  const ticketing = await sold(3);
  const mail = await sentMail(ticketing);
  expect([mail.to, mail.subject]).toEqual(['ann@example.test', 'Your 3 tickets for Café <Noir> & Friends']);
  expect(mail.text).toContain('Total: $76.50, all included');
  const types = mail.attachments.map(({ contentType, cid }) => [contentType.split(';')[0], Boolean(cid)]);
  expect(types).toEqual([
    ['image/png', true],
    ['image/png', true],
    ['image/png', true],
    ['image/png', true], // the mark
    ['image/jpeg', true], // the poster
    ['application/pdf', false],
    ['text/calendar', false],
  ]);
  const bytes = mail.attachments.map(({ content }) => Buffer.from(content, 'base64'));
  expect(bytes.slice(0, 3).every((png) => png.subarray(1, 4).toString() === 'PNG')).toBe(true);
  expect(bytes[4]).toEqual(PICTURE);
  expect(bytes[5]?.subarray(0, 5).toString()).toBe('%PDF-');
  expect(bytes[5]?.toString('latin1').match(/\/Type \/Page\b/g)).toHaveLength(3);
  const calendar = bytes[6]?.toString() ?? '';
  expect(calendar).toContain('DTSTART:20300601T230000Z');
  expect(calendar).toContain('SUMMARY:Café <Noir> & Friends');
  // What people typed is shown, not run.
  expect(mail.html).not.toMatch(/<Noir>|<b>,/);
  for (const { cid } of mail.attachments) if (cid) expect(mail.html).toContain(`cid:${cid}`);

  const link = new URL(/https?:\/\/\S+ticket-success\S+/.exec(mail.text)?.[0] ?? '');
  const opened = await call(ticketing.url, 'GET', `/api/orders/${link.searchParams.get('orderId')}`, {
    headers: { 'x-order-key': new URLSearchParams(link.hash.slice(1)).get('key')! },
  });
  expect(opened.body.tickets).toHaveLength(3);
  const shown = await call(ticketing.url, 'GET', `/dev/mail/${mail.id}/html`);
  expect(shown.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect((await call(ticketing.url, 'GET', '/dev/mail/..%2F..%2Fsecrets')).status).toBe(404);
});

test('who checks out in Spanish is written in Spanish, on paper and in the calendar too; another language is English', async () => {
  const ticketing = await onSale(20, { title: 'Noche' });
  const buy = async (language: string) => {
    const { body } = await startCheckout(ticketing, {}, { headers: { 'accept-language': language } });
    await pay(ticketing, body.paymentIntentId);
    return body as { orderId: string; accessKey: string };
  };
  const { orderId, accessKey } = await buy('es-MX,es;q=0.9,en;q=0.5');
  const mail = await sentMail(ticketing);
  expect(mail.subject).toBe('Tus 2 boletos para Noche');
  expect(mail.text).toContain('Total: $51.00, todo incluido');
  expect(mail.html).toContain('<html lang="es">');
  const file = await call(ticketing.url, 'GET', `/api/orders/${orderId}/event.ics`, {
    headers: { 'x-order-key': accessKey },
  });
  expect(file.body).toContain('2 boletos');
  const pdf = mail.attachments.find(({ filename }) => filename === 'tickets.pdf');
  expect(Buffer.from(pdf?.content ?? '', 'base64').toString('latin1')).toContain('/Lang (es)');

  const french = await buy('fr');
  expect(await ticketing.rows('select order_id, language from checkouts order by language')).toEqual([
    { order_id: french.orderId, language: 'en' },
    { order_id: orderId, language: 'es' },
  ]);
});

test('a script that an organiser or a buyer typed is text in the mail', async () => {
  const title = `<script>alert(1)</script><img src=x onerror="alert(2)">`;
  const ticketing = await sold(1, { title, ticketHolderName: '</td><script>alert(3)</script>' });
  const mail = await sentMail(ticketing);
  const list = (await fetch(`${ticketing.url}/dev/mail`)).text();
  for (const html of [mail.html, await list, await (await fetch(`${ticketing.url}/dev/mail/${mail.id}`)).text()]) {
    expect(html).not.toMatch(/<script|<img src=x|onerror="/);
    expect(html).toContain('&#60;script&#62;alert(1)&#60;/script&#62;');
  }
  expect(mail.html).toContain('&#60;/td&#62;&#60;script&#62;alert(3)');
  expect(mail.subject).toContain(title);
});

/** What a person reads of the HTML, without its pictures. */
const wordsOf = (html: string) =>
  html
    .replace(/<(style|title)>.*?<\/\1>/gs, '')
    .replace(/<a [^>]*href="([^"]*)"[^>]*>(.*?)<\/a>/g, '$2: $1 ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));

test('both parts of a mail say the same: number, way there, calendar, codes and whom to ask; and no UUID', async () => {
  const ticketing = await sold(2);
  const mail = await sentMail(ticketing);
  const [order] = await ticketing.rows('select number from checkouts');
  const number = orderNumber(String(order?.['number']))!;
  const { searchParams } = new URL(/https:\/\/calendar\S+/.exec(mail.text)?.[0] ?? '');
  expect(searchParams.get('dates')).toBe('20300601T230000Z/20300602T020000Z');
  // The order's secret stands in no address of somebody else's.
  expect(searchParams.get('details')).not.toContain('key=');
  const read = wordsOf(mail.html).replace(/\s+/g, ' ');
  for (const line of mail.text.split('\n').filter(Boolean)) {
    const words = line.replace(/^([\w ]+): (?!http)/, '$1 ').trim();
    if (words !== 'BELTWAY') expect(read, words).toContain(words);
  }
  for (const said of [
    `Order: ${number}`,
    `Questions? Write to help@beltway.test and name order ${number}.`,
    'https://www.google.com/maps/search/?api=1&query=The+Wharf%2C+DC',
    'Ticket 2 of 2: ',
  ])
    expect(mail.text).toContain(said);
  const links = / \S+ticket-success\S+/g;
  expect(mail.text.replace(links, '')).not.toContain(ticketing.orderId);
  expect(read.replace(links, '')).not.toContain(ticketing.orderId);
});

test('a mail is small, also with ten tickets and a picture', async () => {
  const mail = await sentMail(await sold(10));
  const bytes = mail.attachments.reduce(
    (sum, { content }) => sum + content.length,
    mail.html.length + mail.text.length,
  );
  // Gmail cuts off HTML beyond 102 kB; the whole is what phones load.
  expect(mail.html.length).toBeLessThan(40_000);
  expect(bytes).toBeLessThan(250_000);
});

test('the mailbox exists in embedded mode only, and lists what would have gone out', async () => {
  const ticketing = await sold(1);
  const mail = await sentMail(ticketing);
  const list = (await call(ticketing.url, 'GET', '/dev/mail/messages')).body as Array<{ id: string }>;
  expect(list.map(({ id }) => id)).toEqual([mail.id]);
  expect((await call(ticketing.url, 'GET', '/dev/mail')).body).toContain(
    'Caf&#233; &#60;Noir&#62;'.replace('&#233;', 'é'),
  );
  // To this machine alone: not to a page whose name was pointed here, nor to somebody elsewhere by the gateway.
  const asked = (headers: Record<string, string>) =>
    new Promise<number>((resolve, reject) =>
      get(
        `${ticketing.url}/dev/mail/messages`,
        { headers },
        (answer) => (answer.resume(), resolve(answer.statusCode!)),
      ).on('error', reject),
    );
  expect(await asked({ host: 'evil.test' })).toBe(403);
  expect(await asked({ host: 'localhost', 'x-forwarded-for': '192.168.1.7' })).toBe(403);
  expect(await asked({ host: 'localhost' })).toBe(200);
});

test('a mail that cannot go out waits longer each time and then goes; two workers send it once', async () => {
  const ticketing = await sold(1);
  await sentMail(ticketing);
  // Its own worker would try these mails, too.
  await ticketing.stop();
  const pool = openPool(ticketing.databaseUrl);
  const orderId = crypto.randomUUID();
  const sends: string[] = [];
  let broken = 2;
  const sender = senderOf(async ({ id }) => {
    sends.push(id);
    if (broken-- > 0) throw new Error('the mail server is away');
  });
  // The database notes each wait: on a busy machine one may be over before anybody looks.
  await pool.query(`create table waits (seconds float);
    create function note_wait() returns trigger language plpgsql as $$
      begin insert into waits select extract(epoch from new.next_at - now()); return null; end $$;
    create trigger note_waits after update on mails for each row
      when (new.last_error is not null and new.attempts = old.attempts and new.status = 'waiting'
        and new.next_at < old.next_at and new.next_at > now()) execute function note_wait()`);
  await pool.query(`insert into mails (order_id, kind) values ($1, 'tickets')`, [orderId]);
  const workers = [1, 2].map(() => startMailWorker(pool, logger('mail', 'silent'), sender));
  const waitsSoFar = async () =>
    (await pool.query<{ seconds: number }>('select seconds from waits')).rows.map(({ seconds }) => seconds);
  for (const attempts of [1, 2]) {
    await eventually(async () => (await waitsSoFar()).length >= attempts);
    // As if that time had passed; nothing when it did, and it is under way again.
    await pool.query(
      `update mails set next_at = now() where order_id = $1 and attempts = $2 and next_at < now() + interval '60 seconds'`,
      [orderId, attempts],
    );
    workers.forEach((worker) => worker.wake());
    await eventually(async () => sends.length > attempts);
  }
  await eventually(
    async () =>
      (await pool.query(`select 1 from mails where order_id = $1 and status = 'sent'`, [orderId])).rowCount === 1,
  );
  await Promise.all(workers.map((worker) => worker.stop()));
  expect(sends).toEqual([orderId, orderId, orderId]);
  const [first, second, ...others] = await waitsSoFar();
  expect(second).toBeGreaterThan(first ?? 0);
  expect(others).toEqual([]);
  await pool.end();
});

test('a crash between sending and marking repeats the mail under the same id, after its lease', async () => {
  const ticketing = await sold(1);
  const mail = await sentMail(ticketing);
  // The row as a crash leaves it: claimed, sent, not marked.
  await ticketing.rows(`update mails set status = 'waiting', next_at = now() + interval '120 seconds'`);
  await ticketing.stop();
  const again = await ticketing.instance();
  expect(await ticketing.rows('select status from mails')).toEqual([{ status: 'waiting' }]);
  await ticketing.rows('update mails set next_at = now()');
  await eventually(async () => (await ticketing.rows(`select 1 from mails where status = 'sent'`)).length === 1);
  const mails = await storedMails(join(ticketing.dataDir, 'mail'));
  expect(mails.map(({ id }) => id)).toEqual([mail.id]);
  await again.stop();
});

test('a server that takes longer than the lease to answer gets the mail once', async () => {
  const ticketing = await sold(1);
  await sentMail(ticketing);
  await ticketing.stop();
  const pool = openPool(ticketing.databaseUrl);
  const server = await smtpServer((answer, socket) => {
    // Quick but for the answer that counts: the mail is there, and nobody says so for three leases.
    setTimeout(() => socket.write(`${answer}\r\n`), answer.startsWith('250 taken') ? 3_000 : 0);
  });
  const mailer = openMailer({ smtpUrl: server.url, folder: '', from: 'a@example.test' });
  const orderId = crypto.randomUUID();
  await pool.query(`insert into mails (order_id, kind) values ($1, 'tickets')`, [orderId]);
  const workers = [1, 2].map(() => startMailWorker(pool, logger('mail', 'silent'), senderOf(mailer.send), 1));
  await eventually(
    async () => {
      workers.forEach((worker) => worker.wake());
      return (
        (await pool.query(`select 1 from mails where order_id = $1 and status = 'sent'`, [orderId])).rowCount === 1
      );
    },
    { timeoutMs: 20_000 },
  );
  await Promise.all(workers.map((worker) => worker.stop()));
  expect(server.mails).toHaveLength(1);
  server.close();
  await pool.end();
});

test('a worker that is stopped while it composes a mail gives it back at once; one that is on its way is not sent again', async () => {
  const ticketing = await sold(1);
  await sentMail(ticketing);
  await ticketing.stop();
  const pool = openPool(ticketing.databaseUrl);
  const waiting = `select attempts, next_at <= now() as due from mails where status = 'waiting'`;
  const orderId = crypto.randomUUID();
  const startOne = async (sender: Sender, claimed: () => boolean) => {
    const worker = startMailWorker(pool, logger('mail', 'silent'), sender);
    await eventually(async () => (worker.wake(), claimed()));
    return worker;
  };

  let composing = 0;
  const delivered: string[] = [];
  const neverComposed = () => (composing++, new Promise<null>(() => undefined));
  const deliver = async ({ id }: { id: string }) => void delivered.push(id);
  await pool.query(`insert into mails (order_id, kind) values ($1, 'tickets')`, [orderId]);
  const composer = await startOne({ compose: neverComposed, deliver }, () => composing === 1);
  expect((await pool.query(waiting)).rows).toEqual([{ attempts: 1, due: false }]);
  await composer.stop();
  expect((await pool.query(waiting)).rows).toEqual([{ attempts: 0, due: true }]);

  const taken = Promise.withResolvers<void>();
  const slow = senderOf(async (mail) => (delivered.push(mail.id), taken.promise));
  const sender = await startOne(slow, () => delivered.length === 1);
  const stopped = sender.stop();
  expect((await pool.query(waiting)).rows).toEqual([{ attempts: 1, due: false }]);
  taken.resolve();
  await stopped;
  expect((await pool.query(waiting)).rows).toEqual([]);
  expect(delivered).toEqual([orderId]);
  await pool.end();
});

test('a mail that is asked for again while it goes out goes out again', async () => {
  const ticketing = await sold(1);
  await sentMail(ticketing);
  await ticketing.stop();
  const pool = openPool(ticketing.databaseUrl);
  const orderId = crypto.randomUUID();
  let sends = 0;
  const sender = senderOf(async () => {
    if (sends++ === 0)
      await pool.query(`update mails set attempts = 0, next_at = now() where order_id = $1`, [orderId]);
  });
  const worker = startMailWorker(pool, logger('mail', 'silent'), sender);
  await pool.query(`insert into mails (order_id, kind) values ($1, 'new-link')`, [orderId]);
  worker.wake();
  await eventually(
    async () =>
      (await pool.query(`select 1 from mails where order_id = $1 and status = 'sent'`, [orderId])).rowCount === 1,
  );
  expect(sends).toBe(2);
  await worker.stop();
  await pool.end();
});

const answered = (ticketing: Ticketing) =>
  eventually(
    async () =>
      (await ticketing.bus.lag('ticketing.payments', ['payments.events']))['payments.events'] === 0 &&
      (await ticketing.rows(`select 1 from mails where status = 'waiting'`)).length === 0,
    { timeoutMs: 20_000 },
  );
/** What the buyer was written, oldest first, without the first mail. */
const written = async ({ dataDir }: Ticketing) => {
  const mails = (await storedMails(join(dataDir, 'mail'))).filter(({ id }) => !id.startsWith('tickets-'));
  return mails.sort((a, b) => a.at.localeCompare(b.at));
};
const SAYS_SENT = /sent back|went back|was sent\./i;

async function cancelled(quantity = 2) {
  const ticketing = await sold(quantity);
  await sentMail(ticketing);
  await ticketing.bus.publish('catalog.events', [
    message('catalog.event-cancelled', 'event-42', { eventId: 42, ownerId: 7, version: 9 }),
  ]);
  await eventually(
    async () => (await ticketing.rows('select closed from availability'))[0]?.['closed'] === 'cancelled',
  );
  await ticketing.reconcile();
  await eventually(async () => (await written(ticketing)).length === 1);
  const { orderId } = ticketing;
  const facts = { paymentId: 'pi_1', orderId, eventId: 42, amountCents: 5_100 };
  const say = (type: string, refundId: string) =>
    ticketing.bus.publish('payments.events', [
      message(`payments.${type}`, `payment-${orderId}`, {
        ...facts,
        refundId,
        ...(type === 'refund-reversed' && { code: 'declined', partCents: 5_100, requestId: null }),
      }),
    ]);
  return { ...ticketing, say };
}

test('that money was sent is said when payments says so, taken back when the refund fails, and said again for the next', async () => {
  const ticketing = await cancelled();
  const [first] = await written(ticketing);
  expect(first?.subject).toBe('Café <Noir> & Friends was cancelled: your refund');
  expect(first?.text).toContain('We have asked for your refund of $51.00');
  expect(`${first?.text}${first?.html}`).not.toMatch(SAYS_SENT);

  await ticketing.say('payment-refunded', 're_1');
  await ticketing.say('payment-refunded', 're_1'); // by another message: the same refund
  await eventually(async () => (await written(ticketing)).length === 2);
  await ticketing.say('refund-reversed', 're_1');
  await eventually(async () => (await written(ticketing)).length === 3);
  await ticketing.say('payment-refunded', 're_2');
  await answered(ticketing);
  const mails = await written(ticketing);
  expect(mails.map(({ id }) => id)).toEqual(
    ['event-cancelled', 'refund-sent-re_1', 'refund-failed-re_1', 'refund-sent-re_2'].map(
      (id) => `${id}-${ticketing.orderId}`,
    ),
  );
  const [, sent, failed, again] = mails;
  for (const mail of [sent, again]) expect(mail?.text).toMatch(SAYS_SENT);
  expect(failed?.text).toContain('did not accept the refund');
  expect(failed?.text).not.toMatch(SAYS_SENT);
  for (const mail of mails) expect(mail.text).toContain('help@beltway.test');
});

test('a refund that failed before its mail went out is not said to be sent', async () => {
  const ticketing = await cancelled();
  await answered(ticketing);
  await ticketing.mail.stop();
  await ticketing.say('payment-refunded', 're_1');
  await ticketing.say('refund-reversed', 're_1');
  await eventually(
    async () => (await ticketing.rows(`select 1 from mails where kind like 'refund-failed%'`)).length === 1,
  );
  const again = await ticketing.instance();
  await answered(ticketing);
  expect((await written(ticketing)).map(({ id }) => id.split('-re_')[0])).toEqual([
    `event-cancelled-${ticketing.orderId}`,
    'refund-failed',
  ]);
  expect(await ticketing.rows(`select status from mails where kind = 'refund-sent:re_1'`)).toEqual([
    { status: 'dropped' },
  ]);
  await again.stop();
});

test('the mail of a cancellation takes the event out of the calendar', async () => {
  const ticketing = await cancelled();
  const [mail] = await written(ticketing);
  expect(mail?.attachments.filter(({ cid }) => !cid).map(({ contentType }) => contentType)).toEqual([
    'text/calendar; charset=utf-8; method=CANCEL',
  ]);
  const file = Buffer.from(mail?.attachments.at(-1)?.content ?? '', 'base64').toString();
  expect(file).toContain('METHOD:CANCEL');
  expect(file).toContain('STATUS:CANCELLED');
});

test('tickets that are void before their mail went out are not mailed', async () => {
  const ticketing = await cancelled();
  await answered(ticketing);
  await ticketing.rows(`update mails set status = 'waiting', next_at = now(), attempts = 0 where kind = 'tickets'`);
  await eventually(
    async () =>
      (await ticketing.rows(`select 1 from mails where kind = 'tickets' and status = 'dropped'`)).length === 1,
  );
});

test('a mail that was given up is counted, breaks an invariant, and can be sent again', async () => {
  const ticketing = await sold(1);
  await sentMail(ticketing);
  const pool = openPool(ticketing.databaseUrl);
  const db = openDb(pool);
  const orderId = crypto.randomUUID();
  await pool.query(`insert into mails (order_id, kind, attempts) values ($1, 'tickets', 19)`, [orderId]);
  // There is no such order, so the mail cannot be written.
  await eventually(async () => (await failedMails(db)).length === 1);
  expect(await failedMails(db)).toMatchObject([{ orderId, kind: 'tickets', lastError: `no order ${orderId}` }]);
  const checks = async () =>
    (await call(ticketing.url, 'GET', '/internal/invariants', { headers: { 'x-internal-token': TOKEN } })).body.checks;
  const broken = { name: 'no mail was given up', ok: false, violations: 1, examples: [orderId] };
  expect(await checks()).toContainEqual(broken);

  expect(await retryMails(db, [crypto.randomUUID()])).toBe(0);
  expect(await retryMails(db, [orderId])).toBe(1);
  expect(await checks()).toContainEqual({ ...broken, ok: true, violations: 0, examples: [] });
  await eventually(
    async () =>
      (await ticketing.rows('select attempts from mails where order_id = $1', [orderId]))[0]?.['attempts'] === 1,
  );
  await pool.end();
});
