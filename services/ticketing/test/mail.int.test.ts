import { expect, test } from 'vitest';
import { storedMails } from '@beltway/kit/mail';
import { logger } from '@beltway/kit/logger';
import { openPool } from '@beltway/kit/postgres';
import { eventually } from '@beltway/kit/testing';
import { join } from 'node:path';
import { startMailWorker } from '../src/mail/worker.ts';
import { call, eventState, message, startTicketing } from './support.ts';

type Ticketing = Awaited<ReturnType<typeof startTicketing>>;

async function sold(quantity: number): Promise<Ticketing & { orderId: string }> {
  const ticketing = await startTicketing();
  await ticketing.bus.publish('catalog.events', [
    message('catalog.event-published', 'event-42', eventState(42, 20, { title: 'Café <Noir> & Friends' })),
  ]);
  await eventually(async () => (await call(ticketing.url, 'GET', '/api/events/42/availability')).status === 200);
  const body = { eventId: 42, quantity, ticketHolderName: 'Ann <b>', ticketHolderEmail: 'ann@example.test' };
  const { paymentIntentId, orderId } = (
    await call(ticketing.url, 'POST', '/api/create-ticket-payment-intent', { body })
  ).body;
  ticketing.fake.become(paymentIntentId, 'succeeded');
  await call(ticketing.url, 'POST', '/api/process-ticket-purchase', { body: { paymentIntentId } });
  return { ...ticketing, orderId };
}

const sentMail = async ({ dataDir, rows }: Ticketing) => {
  await eventually(async () => (await rows(`select 1 from mails where status = 'sent'`)).length === 1);
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
    ['application/pdf', false],
    ['text/calendar', false],
  ]);
  const bytes = mail.attachments.map(({ content }) => Buffer.from(content, 'base64'));
  expect(bytes.slice(0, 3).every((png) => png.subarray(1, 4).toString() === 'PNG')).toBe(true);
  expect(bytes[3]?.subarray(0, 5).toString()).toBe('%PDF-');
  expect(bytes[3]?.toString('latin1').match(/\/Type \/Page\b/g)).toHaveLength(3);
  const calendar = bytes[4]?.toString() ?? '';
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

test('the mailbox exists in embedded mode only, and lists what would have gone out', async () => {
  const ticketing = await sold(1);
  const mail = await sentMail(ticketing);
  const list = (await call(ticketing.url, 'GET', '/dev/mail/messages')).body as Array<{ id: string }>;
  expect(list.map(({ id }) => id)).toEqual([mail.id]);
  expect((await call(ticketing.url, 'GET', '/dev/mail')).body).toContain(
    'Caf&#233; &#60;Noir&#62;'.replace('&#233;', 'é'),
  );
});

test('a mail that cannot go out waits longer each time and then goes; two workers send it once', async () => {
  const ticketing = await sold(1);
  await sentMail(ticketing);
  const pool = openPool(ticketing.databaseUrl);
  const orderId = crypto.randomUUID();
  const sends: string[] = [];
  let broken = 2;
  const send = async (id: string) => {
    sends.push(id);
    if (broken-- > 0) throw new Error('the mail server is away');
  };
  await pool.query(`insert into mails (order_id, kind) values ($1, 'tickets')`, [orderId]);
  const workers = [1, 2].map(() => startMailWorker(pool, logger('mail', 'silent'), send));
  const waits: number[] = [];
  for (const attempts of [1, 2]) {
    const [row] = await eventually(async () => {
      const { rows } = await pool.query<{ wait: number }>(
        `select extract(epoch from next_at - now())::float as wait from mails where order_id = $1 and attempts = $2 and last_error is not null and next_at < now() + interval '60 seconds'`,
        [orderId, attempts],
      );
      return rows.length > 0 && rows;
    });
    waits.push(row?.wait ?? 0);
    await pool.query('update mails set next_at = now() where order_id = $1', [orderId]); // as if that time had passed
    workers.forEach((worker) => worker.wake());
    await eventually(async () => sends.length > attempts);
  }
  await eventually(
    async () =>
      (await pool.query(`select 1 from mails where order_id = $1 and status = 'sent'`, [orderId])).rowCount === 1,
  );
  await Promise.all(workers.map((worker) => worker.stop()));
  expect(sends).toEqual([orderId, orderId, orderId]);
  expect(waits[1]).toBeGreaterThan(waits[0] ?? 0);
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
