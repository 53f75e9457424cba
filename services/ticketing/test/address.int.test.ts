import { expect, test } from 'vitest';
import { join } from 'node:path';
import { ManagedOrder } from '@beltway/contracts/ticketing/orders';
import { enqueue } from '@beltway/kit/jobs';
import { AddressRefused, storedMails } from '@beltway/kit/mail';
import { eventually } from '@beltway/kit/testing';
import { startCorrections } from '../src/link/address.ts';
import { startMailWorker } from '../src/mail/worker.ts';
import { call, later, mailsIn, onSale, pay, startCheckout, wereSent, type Ticketing } from './support.ts';

const OLD = 'ann@example.test';
const NEW = 'anne@example.test';

async function sold() {
  const ticketing = await onSale(20);
  const { orderId, accessKey, paymentIntentId } = (await startCheckout(ticketing)).body;
  await pay(ticketing, paymentIntentId);
  const organizer = await ticketing.identity.tokenFor({ id: 7 });
  const admin = await ticketing.identity.tokenFor({ id: 1, role: 'admin' });
  const correct = (email: string, token = organizer) =>
    call(ticketing.url, 'PUT', `/api/orders/${orderId}/address`, { token, body: { email } });
  return { ...ticketing, orderId: String(orderId), accessKey: String(accessKey), organizer, admin, correct };
}
const opened = ({ url }: Pick<Ticketing, 'url'>, orderId: string, key: string) =>
  call(url, 'GET', `/api/orders/${orderId}`, { headers: { 'x-order-key': key } });
const mailsTo = async ({ dataDir }: Pick<Ticketing, 'dataDir'>, to: string) =>
  (await storedMails(join(dataDir, 'mail'))).filter((mail) => mail.to === to);
const keyIn = (text: string) => new URLSearchParams(/#(key=\S+)/.exec(text)?.[1]).get('key')!;

test('a corrected email address gets the tickets and a new link; the old link is revoked, and the old email address gets no new link', async () => {
  const shop = await sold();
  await eventually(() => wereSent(shop, 1), { timeoutMs: 40_000, what: 'the tickets are mailed' });
  expect((await opened(shop, shop.orderId, shop.accessKey)).status).toBe(200);
  expect((await shop.correct(NEW)).status).toBe(204);

  expect((await opened(shop, shop.orderId, shop.accessKey)).status).toBe(404);
  await eventually(() => wereSent(shop, 3), { timeoutMs: 40_000, what: 'both addresses are mailed' });
  const [tickets, ...more] = await mailsTo(shop, NEW);
  expect(more).toEqual([]);
  expect(tickets!.text).toContain('The email address of this order was corrected');
  expect(tickets!.attachments.map(({ filename }) => filename)).toContain('tickets.pdf');
  expect((await opened(shop, shop.orderId, keyIn(tickets!.text))).body).toMatchObject({ ticketHolderEmail: NEW });

  const notified = (await mailsTo(shop, OLD)).find(({ id }) => id.startsWith('address-corrected'))!;
  expect(notified.subject).toBe('The email address of an order for Night 42 was corrected');
  for (const part of [notified.text, notified.html]) expect(part).not.toMatch(/anne@|key=/);
});

test('corrections by the organizer and an admin are in the history; the admin’s correction is in the audit log before it is made', async () => {
  const shop = await sold();
  await shop.correct(NEW);
  expect(shop.others.posted).toEqual([]);
  shop.others.isIdentityAway = true;
  expect((await shop.correct('third@example.test', shop.admin)).status).toBe(503);
  expect((await shop.rows('select holder_email from checkouts'))[0]).toEqual({ holder_email: NEW });
  shop.others.isIdentityAway = false;
  expect((await shop.correct('third@example.test', shop.admin)).status).toBe(204);
  expect(shop.others.posted).toMatchObject([
    ['/internal/audit', { accountId: 1, kind: 'order-address-corrected', subject: shop.orderId }],
  ]);
  const { body } = await call(shop.url, 'GET', `/api/orders/${shop.orderId}/managed`, { token: shop.organizer });
  const { order, history } = ManagedOrder.parse(body);
  expect(order.ticketHolderEmail).toBe('third@example.test');
  expect(history.filter(({ type }) => type === 'LinkRenewed').map(({ text }) => text)).toEqual([
    'The organizer corrected the email address. The order has a new link.',
    'An admin corrected the email address. The order has a new link.',
  ]);
  // The log contains no address.
  expect(await shop.rows(`select 1 from events where data::text like '%@example.test%'`)).toEqual([]);
});

test('repeats change nothing, and after concurrent corrections there is one email address and one notice per change', async () => {
  const shop = await sold();
  const answers = await Promise.all([NEW, NEW, NEW.toUpperCase()].map((email) => shop.correct(email)));
  expect(answers.map(({ status }) => status)).toEqual([204, 204, 204]);
  const notices = async () => (await mailsIn(shop, 'address-corrected')).length;
  expect(await notices()).toBe(1);
  await Promise.all(['b@example.test', 'c@example.test'].map((email) => shop.correct(email)));
  const [{ holder_email: last } = {}] = await shop.rows('select holder_email from checkouts');
  expect(['b@example.test', 'c@example.test']).toContain(last);
  expect(await notices()).toBe((await mailsIn(shop, 'tickets:corrected')).length);
  expect(await shop.rows(`select 1 from jobs where queue = 'address-correction'`)).toEqual([]);
});

test('a new link that the reader of the old mail requested at the same time is revoked, too', async () => {
  const shop = await sold();
  const [renewed] = await Promise.all([
    call(shop.url, 'POST', `/api/orders/${shop.orderId}/link`, { headers: { 'x-order-key': shop.accessKey } }),
    shop.correct(NEW),
  ]);
  for (const key of [shop.accessKey, renewed.body.accessKey as string | undefined])
    if (key) expect((await opened(shop, shop.orderId, key)).status).toBe(404);
});

test('only the event’s organizer and admins can correct the email address of a paid order, a few times a day', async () => {
  const shop = await sold();
  const stranger = await shop.identity.tokenFor({ id: 99 });
  expect((await shop.correct(NEW, stranger)).status).toBe(404);
  const byLink = await call(shop.url, 'PUT', `/api/orders/${shop.orderId}/address`, {
    headers: { 'x-order-key': shop.accessKey },
    body: { email: NEW },
  });
  expect(byLink.status).toBe(401);
  for (const email of ['no address', 'a@b', 'x@example.test\r\nBcc: y@example.test', 7])
    expect((await shop.correct(email as string)).status, String(email)).toBe(400);
  const held = (await startCheckout(shop, {}, {})).body;
  const early = await call(shop.url, 'PUT', `/api/orders/${held.orderId}/address`, {
    ...{ token: shop.organizer, body: { email: NEW } },
  });
  expect([early.status, early.body.code]).toEqual([409, 'not-bought']);
  const statuses = [];
  for (let n = 0; n < 6; n++) statuses.push((await shop.correct(`a${n}@example.test`)).status);
  expect(statuses).toEqual([204, 204, 204, 204, 204, 429]);
  await shop.rows(`update checkouts set holder_email = '' where order_id = $1`, [shop.orderId]);
  expect((await shop.correct(NEW)).body.code).toBe('buyer-erased');
});

test('after a crash before the email address was written, the worker completes the correction', async () => {
  const shop = await sold();
  const data = { email: NEW, accountId: 7, role: 'organizer' as const };
  const queue = { name: 'address-correction' } as Parameters<typeof enqueue>[1];
  await enqueue(shop.deps.pool, queue, [{ key: shop.orderId, data }]);
  later(startCorrections(shop.deps).stop);
  await eventually(async () => (await shop.rows('select holder_email from checkouts'))[0]!['holder_email'] === NEW);
  await eventually(async () => (await shop.rows(`select from jobs where queue = 'address-correction'`)).length === 0);
  expect((await opened(shop, shop.orderId, shop.accessKey)).status).toBe(404);
});

test('no mail is sent between the steps of a correction, because it would bring the new link to the old email address', async () => {
  const shop = await sold();
  await eventually(() => wereSent(shop, 1), { timeoutMs: 40_000 });
  const data = { email: NEW, accountId: 7, role: 'organizer' as const };
  const queue = { name: 'address-correction' } as Parameters<typeof enqueue>[1];
  await enqueue(shop.deps.pool, queue, [{ key: shop.orderId, data, afterSeconds: 600 }]);
  await call(shop.url, 'POST', `/api/orders/${shop.orderId}/mail`, { token: shop.organizer });
  await eventually(async () => (await mailsIn(shop, 'tickets:again'))[0]!.error !== null, { timeoutMs: 40_000 });
  expect(await mailsTo(shop, OLD)).toHaveLength(1);
  await shop.correct(NEW);
  await eventually(() => wereSent(shop, 4), { timeoutMs: 60_000 });
  expect((await mailsTo(shop, OLD)).map(({ id }) => id.split('-')[0]).toSorted()).toEqual(['address', 'tickets']);
});

test('organizers and admins can mail the tickets again, strangers cannot', async () => {
  const shop = await sold();
  const again = (token: string) => call(shop.url, 'POST', `/api/orders/${shop.orderId}/mail`, { token });
  expect((await again(shop.organizer)).status).toBe(204);
  expect((await again(shop.admin)).status).toBe(204);
  expect((await again(await shop.identity.tokenFor({ id: 99 }))).status).toBe(404);
  expect(await mailsIn(shop, 'tickets:again')).toHaveLength(2);
});

test('a notice to a mistyped address that does not exist is dropped, not given up', async () => {
  const shop = await sold();
  await shop.mail.stop();
  await shop.correct(NEW);
  const worker = startMailWorker(shop.deps.pool, shop.deps.log, {
    compose: async (orderId, kind) => ({
      ...{ id: kind, to: kind.startsWith('address-corrected') ? OLD : NEW },
      ...{ subject: orderId, text: '', html: '', attachments: [] },
    }),
    deliver: async ({ to }) => {
      if (to === OLD) throw new AddressRefused('550 5.1.1');
    },
  });
  later(worker.stop);
  await eventually(async () => (await mailsIn(shop, 'address-corrected'))[0]?.status === 'dropped', {
    timeoutMs: 40_000,
  });
});
