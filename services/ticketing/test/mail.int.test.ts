import { expect, test } from 'vitest';
import { failedJobs, retryJobs } from '@beltway/kit/given-up';
import { enqueue } from '@beltway/kit/jobs';
import { storedMails } from '@beltway/kit/mail';
import { logger } from '@beltway/kit/logger';
import { openPool } from '@beltway/kit/postgres';
import { eventually } from '@beltway/kit/testing';
import { expectSameWords, wordsOf } from '@beltway/kit/testing-mail';
import { get } from 'node:http';
import { join } from 'node:path';
import { orderNumber } from '../src/order/number.ts';
import { mailJob, orderMails, queueNewLink } from '../src/mail/queue.ts';
import { startMailWorker, type Sender } from '../src/mail/worker.ts';
import {
  call,
  later,
  mailsIn,
  message,
  onSale,
  pay,
  PICTURE,
  startCheckout,
  TOKEN,
  wereSent,
  type Ticketing,
} from './support.ts';

async function sold(
  quantity: number,
  { title = 'Café <Noir> & Friends', ticketHolderName = 'Ann <b>' } = {},
): Promise<Ticketing & { orderId: string }> {
  const ticketing = await onSale(20, { title, imageUrl: '/media/posters/42-0123456789abcd.webp' });
  const { paymentIntentId, orderId } = (await startCheckout(ticketing, { quantity, ticketHolderName })).body;
  await pay(ticketing, paymentIntentId);
  return { ...ticketing, orderId };
}

/** A minimal mail with only an id. */
const aMail = (id: string) => ({ id, to: 'b@example.test', subject: 's', text: 't', html: 'h', attachments: [] });
const senderOf = (deliver: Sender['deliver']): Sender => ({
  compose: (orderId) => Promise.resolve(aMail(orderId)),
  deliver,
});

const sentMail = async ({ dataDir, rows }: Ticketing) => {
  // The mail worker pauses while the machine is busy (`mail/pace.ts`).
  await eventually(() => wereSent({ rows }, 1), {
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
  // User input is escaped, so browsers do not run it.
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

test('a checkout in Spanish gets mail, PDF and calendar in Spanish; any other language gets English', async () => {
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

test('a script that an organizer or a buyer typed appears as text in the mail', async () => {
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

test('both parts of a mail have the same content: number, directions, calendar, codes and contact; and no UUID', async () => {
  const ticketing = await sold(2);
  const mail = await sentMail(ticketing);
  const [order] = await ticketing.rows('select number from checkouts');
  const number = orderNumber(String(order?.['number']))!;
  const { searchParams } = new URL(/https:\/\/calendar\S+/.exec(mail.text)?.[0] ?? '');
  expect(searchParams.get('dates')).toBe('20300601T230000Z/20300602T020000Z');
  // Links to other sites do not contain the order's secret.
  expect(searchParams.get('details')).not.toContain('key=');
  expectSameWords(mail);
  for (const said of [
    `Order: ${number}`,
    `Questions? Email help@beltway.test and mention order ${number}.`,
    'https://www.google.com/maps/search/?api=1&query=The+Wharf%2C+DC',
    'Ticket 2 of 2: ',
  ])
    expect(mail.text).toContain(said);
  const links = / \S+ticket-success\S+/g;
  expect(mail.text.replace(links, '')).not.toContain(ticketing.orderId);
  expect(wordsOf(mail).replace(links, '')).not.toContain(ticketing.orderId);
});

test('a mail is small, even with ten tickets and a picture', async () => {
  const mail = await sentMail(await sold(10));
  const bytes = mail.attachments.reduce(
    (sum, { content }) => sum + content.length,
    mail.html.length + mail.text.length,
  );
  // Gmail cuts off HTML beyond 102 kB. The total size is what phones download.
  expect(mail.html.length).toBeLessThan(40_000);
  expect(bytes).toBeLessThan(250_000);
});

test('the mailbox exists in embedded mode only, and lists the mails that would have been sent', async () => {
  const ticketing = await sold(1);
  const mail = await sentMail(ticketing);
  const list = (await call(ticketing.url, 'GET', '/dev/mail/messages')).body as Array<{ id: string }>;
  expect(list.map(({ id }) => id)).toEqual([mail.id]);
  expect((await call(ticketing.url, 'GET', '/dev/mail')).body).toContain(
    'Caf&#233; &#60;Noir&#62;'.replace('&#233;', 'é'),
  );
  // Only this machine can read it: neither a page by DNS rebinding nor a remote client through the gateway.
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

test('after a crash between sending and marking, the mail is sent again with the same id when its lease has ended', async () => {
  const ticketing = await sold(1);
  const mail = await sentMail(ticketing);
  // Sets the row to the state after a crash: claimed and sent, but not marked as sent.
  await ticketing.rows(`update jobs set status = 'waiting', run_at = now() + interval '120 seconds'`);
  await ticketing.stop();
  const again = await ticketing.instance();
  expect(await mailsIn(ticketing)).toMatchObject([{ status: 'waiting' }]);
  await ticketing.rows('update jobs set run_at = now()');
  await eventually(() => wereSent(ticketing, 1));
  const mails = await storedMails(join(ticketing.dataDir, 'mail'));
  expect(mails.map(({ id }) => id)).toEqual([mail.id]);
  await again.stop();
});

test('a worker that stops while it composes a mail releases it; a mail already in transit is not sent again', async () => {
  const ticketing = await sold(1);
  await sentMail(ticketing);
  await ticketing.stop();
  const pool = openPool(ticketing.databaseUrl);
  const waiting = `select attempts, run_at <= now() as due from jobs where status = 'waiting'`;
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
  await enqueue(pool, orderMails, [mailJob(orderId, 'tickets')]);
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

test('mails with tickets and links, for which buyers wait, are sent before mails to all buyers of an event', async () => {
  const ticketing = await sold(1);
  await sentMail(ticketing);
  await ticketing.stop();
  const pool = openPool(ticketing.databaseUrl);
  later(() => pool.end());
  const bulk = Array.from({ length: 200 }, () => crypto.randomUUID());
  await enqueue(
    pool,
    orderMails,
    bulk.map((orderId, index) => mailJob(orderId, index % 2 ? 'event-changed:1' : 'event-canceled')),
  );
  const delivered: string[] = [];
  const first = Promise.withResolvers<void>();
  const sender = senderOf(async ({ id }) => {
    delivered.push(id);
    await first.promise;
  });
  const worker = startMailWorker(pool, logger('mail', 'silent'), sender);
  await eventually(() => delivered.length === 1);
  const [bought, renewed] = [crypto.randomUUID(), crypto.randomUUID()];
  await enqueue(pool, orderMails, [mailJob(bought, 'tickets')]);
  await queueNewLink(pool, renewed, 0);
  first.resolve();
  await eventually(async () => (worker.wake(), delivered.length >= 4));
  await worker.stop();
  expect(bulk).toContain(delivered[0]);
  expect(delivered.slice(1, 3)).toEqual([bought, renewed]);
  expect(bulk).toContain(delivered[3]);
});

const answered = (ticketing: Ticketing) =>
  eventually(
    async () =>
      (await ticketing.bus.lag('ticketing.payments', ['payments.events']))['payments.events'] === 0 &&
      (await mailsIn(ticketing)).every(({ status }) => status !== 'waiting'),
  );
/** The mails to the buyer, oldest first, without the first one. */
const written = async ({ dataDir }: Ticketing) => {
  const mails = (await storedMails(join(dataDir, 'mail'))).filter(({ id }) => !id.startsWith('tickets-'));
  return mails.sort((a, b) => a.at.localeCompare(b.at));
};
const SAYS_SENT = /sent back|went back|was sent\./i;

async function canceled(quantity = 2) {
  const ticketing = await sold(quantity);
  await sentMail(ticketing);
  await ticketing.bus.publish('catalog.events', [
    message('catalog.event-canceled', 'event-42', { eventId: 42, ownerId: 7, version: 9 }),
  ]);
  await eventually(async () => (await ticketing.rows('select closed from availability'))[0]?.['closed'] === 'canceled');
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

test('a refund mail is sent when payments reports the refund, corrected if the refund fails, and sent again for the next refund', async () => {
  const ticketing = await canceled();
  const [first] = await written(ticketing);
  expect(first?.subject).toBe('Café <Noir> & Friends was canceled: your refund');
  expect(first?.text).toContain('We requested your refund of $51.00');
  expect(`${first?.text}${first?.html}`).not.toMatch(SAYS_SENT);

  await ticketing.say('payment-refunded', 're_1');
  await ticketing.say('payment-refunded', 're_1'); // Another message about the same refund.
  await eventually(async () => (await written(ticketing)).length === 2);
  await ticketing.say('refund-reversed', 're_1');
  await eventually(async () => (await written(ticketing)).length === 3);
  await ticketing.say('payment-refunded', 're_2');
  await answered(ticketing);
  const mails = await written(ticketing);
  expect(mails.map(({ id }) => id)).toEqual(
    ['event-canceled', 'refund-sent-re_1', 'refund-failed-re_1', 'refund-sent-re_2'].map(
      (id) => `${id}-${ticketing.orderId}`,
    ),
  );
  const [, sent, failed, again] = mails;
  for (const mail of [sent, again]) expect(mail?.text).toMatch(SAYS_SENT);
  expect(failed?.text).toContain('didn’t accept the refund');
  expect(failed?.text).not.toMatch(SAYS_SENT);
  for (const mail of mails) expect(mail.text).toContain('help@beltway.test');
});

test('a refund that failed before its mail was sent is not announced', async () => {
  const ticketing = await canceled();
  await answered(ticketing);
  await ticketing.mail.stop();
  await ticketing.say('payment-refunded', 're_1');
  await ticketing.say('refund-reversed', 're_1');
  await eventually(async () => (await mailsIn(ticketing, 'refund-failed')).length === 1);
  const again = await ticketing.instance();
  await answered(ticketing);
  expect((await written(ticketing)).map(({ id }) => id.split('-re_')[0])).toEqual([
    `event-canceled-${ticketing.orderId}`,
    'refund-failed',
  ]);
  expect(await mailsIn(ticketing, 'refund-sent:re_1')).toMatchObject([{ status: 'dropped' }]);
  const managed = await call(ticketing.url, 'GET', `/api/orders/${ticketing.orderId}/managed`, {
    token: await ticketing.identity.tokenFor({ id: 1, role: 'admin' }),
  });
  const mails = managed.body.mails as Array<{ kind: string; status: string; sentAt: string | null }>;
  expect(mails.map(({ kind, status, sentAt }) => [kind, status, sentAt !== null])).toEqual([
    ['tickets', 'sent', true],
    ['event-canceled', 'sent', true],
    ['refund-sent', 'dropped', false],
    ['refund-failed', 'sent', true],
  ]);
  await again.stop();
});

test('the mail about a cancellation removes the event from the calendar', async () => {
  const ticketing = await canceled();
  const [mail] = await written(ticketing);
  expect(mail?.attachments.filter(({ cid }) => !cid).map(({ contentType }) => contentType)).toEqual([
    'text/calendar; charset=utf-8; method=CANCEL',
  ]);
  const file = Buffer.from(mail?.attachments.at(-1)?.content ?? '', 'base64').toString();
  expect(file).toContain('METHOD:CANCEL');
  expect(file).toContain('STATUS:CANCELLED');
});

test('tickets that became void before their mail was sent are not mailed', async () => {
  const ticketing = await canceled();
  await answered(ticketing);
  await ticketing.rows(`update jobs set status = 'waiting', run_at = now() where key like '%/tickets'`);
  await eventually(async () => (await mailsIn(ticketing, 'tickets'))[0]?.status === 'dropped');
});

test('a mail that failed permanently breaks an invariant, and can be sent again', async () => {
  const ticketing = await sold(1);
  await sentMail(ticketing);
  const { pool } = ticketing.deps;
  const orderId = crypto.randomUUID();
  const key = `${orderId}/tickets`;
  await enqueue(pool, orderMails, [mailJob(orderId, 'tickets', { afterSeconds: 60 })]);
  await pool.query(`update jobs set attempts = 19, run_at = now() where key = $1`, [key]);
  // The order does not exist, so the mail cannot be composed.
  await eventually(async () => (await failedJobs(pool)).length === 1);
  expect(await failedJobs(pool)).toMatchObject([{ queue: 'order-mail', key, error: `no order ${orderId}` }]);
  const checks = async () =>
    (await call(ticketing.url, 'GET', '/internal/invariants', { headers: { 'x-internal-token': TOKEN } })).body.checks;
  const broken = { name: 'no job was given up', ok: false, violations: 1, examples: [`order-mail ${key}`] };
  expect(await checks()).toContainEqual(broken);
  expect(await retryJobs(pool, { queue: 'order-mail', keys: [key] })).toBe(1);
  expect(await checks()).toContainEqual({ ...broken, ok: true, violations: 0, examples: [] });
  await eventually(async () => (await mailsIn(ticketing)).find((mail) => mail.orderId === orderId)?.attempts === 1);
});
