import { expect, test } from 'vitest';
import { join } from 'node:path';
import { storedMails } from '@beltway/kit/mail';
import { eventually } from '@beltway/kit/testing';
import { call, mailsIn, onSale, pay, startCheckout, wereSent } from './support.ts';

const CONTACT = 'box-office@example.test';

async function sold(contact: string | null = CONTACT) {
  const ticketing = await onSale(20);
  ticketing.others.contact = contact;
  const { orderId, accessKey, paymentIntentId } = (await startCheckout(ticketing)).body;
  await pay(ticketing, paymentIntentId);
  const organizer = await ticketing.identity.tokenFor({ id: 7 });
  let count = 0;
  const write = (text: unknown, { token, headers }: { token?: string; headers?: Record<string, string> } = {}) =>
    call(ticketing.url, 'POST', `/api/orders/${orderId}/messages`, {
      body: { text },
      ...(token && { token }),
      headers: { 'idempotency-key': `message-${++count}-0123456789`, ...headers },
    });
  const asBuyer = { headers: { 'x-order-key': String(accessKey) } };
  const mails = () => storedMails(join(ticketing.dataDir, 'mail'));
  return { ...ticketing, orderId: String(orderId), organizer, write, asBuyer, mails };
}

test('replies to mails about tickets reach the organizer’s contact address', async () => {
  const shop = await sold();
  await eventually(() => wereSent(shop, 1), { timeoutMs: 40_000 });
  expect((await shop.mails())[0]).toMatchObject({ to: 'ann@example.test', replyTo: CONTACT });
});

test('buyer and organizer write to each other, and no mail has the email address of the sender', async () => {
  const shop = await sold();
  expect((await shop.write('¿Hay estacionamiento? <b>', shop.asBuyer)).status).toBe(204);
  expect((await shop.write('Yes, behind the hall.', { token: shop.organizer })).status).toBe(204);
  await eventually(() => wereSent(shop, 3), { timeoutMs: 40_000 });
  const [toOrganizer] = (await shop.mails()).filter(({ to }) => to === CONTACT);
  // The mail is in the organizer's language.
  expect(toOrganizer!.subject).toMatch(/^Mensaje sobre Night 42, pedido /);
  expect(toOrganizer!.text).toContain('¿Hay estacionamiento? <b>');
  expect(toOrganizer!.text).toContain(`/dashboard/events/42?message=${shop.orderId}`);
  const [toBuyer] = (await shop.mails()).filter(({ text }) => text.includes('behind the hall'));
  expect(toBuyer!.to).toBe('ann@example.test');
  for (const mail of [toOrganizer!, toBuyer!]) {
    expect(mail.replyTo).toBeUndefined();
    expect(mail.text + mail.html).not.toMatch(/ann@example|box-office@|organizer-account@/);
  }
  // The text is deleted from the queue after it was sent.
  expect(await shop.rows(`select 1 from jobs where data::text like '%estacionamiento%'`)).toEqual([]);
});

test('a repeated message causes one mail, and a key of another message is refused', async () => {
  const shop = await sold();
  const same = { headers: { ...shop.asBuyer.headers, 'idempotency-key': 'once-0123456789abcdef' } };
  const answers = await Promise.all([shop.write('Parking?', same), shop.write('Parking?', same)]);
  expect(answers.map(({ status }) => status)).toEqual([204, 204]);
  expect((await shop.write('Parking?', same)).status).toBe(204);
  expect((await shop.write('Other', same)).status).toBe(422);
  expect(await mailsIn(shop, 'message-to-organizer')).toHaveLength(1);
});

test('messages are limited for each order and direction, and repeats do not count', async () => {
  const shop = await sold();
  const statuses = [];
  for (let n = 0; n < 6; n++) statuses.push((await shop.write(`Message ${n}`, shop.asBuyer)).status);
  expect(statuses).toEqual([204, 204, 204, 204, 204, 429]);
  expect((await shop.write('An answer', { token: shop.organizer })).status).toBe(204);
});

test('strangers, unpaid orders, empty texts and unreachable organizers are refused', async () => {
  const shop = await sold();
  const stranger = await shop.identity.tokenFor({ id: 99 });
  expect((await shop.write('Hello', { token: stranger })).status).toBe(404);
  expect((await shop.write('Hello')).status).toBe(404);
  for (const text of ['', '   ', 7, 'x'.repeat(2_001)]) expect((await shop.write(text, shop.asBuyer)).status).toBe(400);
  const held = (await startCheckout(shop)).body;
  const early = await call(shop.url, 'POST', `/api/orders/${held.orderId}/messages`, {
    ...{ body: { text: 'Hello' }, headers: { 'x-order-key': held.accessKey } },
  });
  expect([early.status, early.body.code]).toEqual([409, 'not-bought']);
  shop.others.contact = null;
  expect((await shop.write('Hello', shop.asBuyer)).body.code).toBe('organizer-unreachable');
  await shop.rows(`update checkouts set holder_email = '' where order_id = $1`, [shop.orderId]);
  expect((await shop.write('Hello', { token: shop.organizer })).body.code).toBe('buyer-erased');
});
