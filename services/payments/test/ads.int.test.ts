import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AD_PACKAGES, AdPaidV1 } from '@beltway/contracts/payments/ads';
import { golden } from '@beltway/contracts/testing/golden';
import type { Mail } from '@beltway/kit/mail';
import { hashOfKey, forgetUnpaid } from '../src/ads/orders.ts';
import { reconcile } from '../src/work/reconciler.ts';
import { startAdMails } from '../src/work/ad-mails.ts';
import { forgiveUnfulfilled } from './orders.ts';
import { startStack, type Stack } from './stack.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.stop());

const business = {
  ...{ businessName: 'The Wharf <b>', contactEmail: 'ann@example.com', phone: '+1 202 555 0100' },
  ...{ eventTitle: 'Go-Go Night', eventDescription: 'Three bands\nOne pier', specialRequests: '' },
};
const create = (more: object = {}, headers: Record<string, string> = {}) =>
  stack.call(
    'POST',
    '/api/create-ad-payment-intent',
    { packageId: 'premium', amount: 4_999, businessInfo: business, ...more },
    headers,
  );
const keyed = (key: string, more: object = {}) => create(more, { 'idempotency-key': key });
const stateOf = (clientSecret: string) => stack.call('POST', '/api/ad-payment-state', { clientSecret });
const intentOf = (clientSecret: string): string => clientSecret.slice(0, clientSecret.indexOf('_secret'));
const idOf = async (clientSecret: string) =>
  (
    await stack.query<{ id: string }>('select id from payments where stripe_payment_intent_id = $1', [
      intentOf(clientSecret),
    ])
  )[0]!.id;
const orderOf = async (id: string) =>
  (await stack.query<Record<string, string>>('select * from ad_orders where id = $1', [id]))[0]!;
const paidMessages = async (id: string) =>
  (await stack.heard()).filter(({ key, type }) => key === `payment-${id}` && type === 'payments.ad-paid');
const site = { publicUrl: 'https://beltway.test', support: 'help@beltway.test' };
const queuedMails = (adId: string) =>
  stack.query<{ data: object; status: string; last_error: string }>(`select * from jobs where data->>'adId' = $1`, [
    adId,
  ]);
/** Sends all mails that are due. */
async function sendMails(mailer: { send: (mail: Mail) => Promise<void> }) {
  const worker = startAdMails(stack.deps, mailer, site);
  await worker.work();
  await worker.stop();
}
async function bought(more: object = {}) {
  const clientSecret: string = (await create(more)).body.clientSecret;
  await stack.pay(intentOf(clientSecret));
  expect((await stateOf(clientSecret)).body.status).toBe('paid');
  return { clientSecret, id: await idOf(clientSecret) };
}

test('the list of ad packages is public, and the charged price is the listed price', async () => {
  const { status, headers, body } = await stack.call('GET', '/api/ad-packages');
  expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=60']);
  expect(body).toHaveLength(8);
  for (const { id, price, priceCents } of body) {
    expect(priceCents).toBe(Math.round(price * 100));
    const { body: answer } = await create({ packageId: id, amount: priceCents });
    const intent = await stack.stripe.paymentIntents.retrieve(intentOf(answer.clientSecret));
    expect(intent).toMatchObject({ amount: priceCents, currency: 'usd', metadata: { purpose: 'ad', packageId: id } });
    expect(intent.receipt_email).toBeNull();
  }
});

test.each([
  [{ packageId: 'free' }, 422, 'unknown-package', 'packageId'],
  [{ packageId: '__proto__' }, 422, 'unknown-package', 'packageId'],
  [{ amount: 1 }, 422, 'wrong-amount', 'amount'],
  [{ amount: 49.99 }, 422, 'wrong-amount', 'amount'],
  [{ amount: -4_999 }, 422, 'wrong-amount', 'amount'],
  [{ amount: AD_PACKAGES[0]!.cents + 0.5 }, 422, 'wrong-amount', 'amount'],
  [{ amount: '4999' }, 400, 'invalid', 'amount'],
  [{ businessInfo: { ...business, contactEmail: 'nobody' } }, 400, 'invalid', 'businessInfo.contactEmail'],
  [{ businessInfo: { ...business, businessName: ' ' } }, 400, 'invalid', 'businessInfo.businessName'],
  [
    { businessInfo: { ...business, specialRequests: 'a'.repeat(2_001) } },
    400,
    'invalid',
    'businessInfo.specialRequests',
  ],
])('an invalid $3 is refused ($#), and nothing is stored', async (more, status, code, field) => {
  const count = async () => (await stack.query<{ n: number }>('select count(*)::int as n from ad_orders'))[0]!.n;
  const before = await count();
  const answer = await create(more);
  expect(answer).toMatchObject({ status, body: { code, errors: [{ field }] } });
  expect(await count()).toBe(before);
});

test('requests with the same key, even concurrent, share one payment for each package; the latest details are stored', async () => {
  const key = randomUUID();
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, n) =>
      keyed(key, { businessInfo: { ...business, contactEmail: `ann${n}@example.com` } }),
    ),
  );
  // While the provider processes the first call, a repeat that waits too long gets 503 with Retry-After.
  expect(answers.filter(({ status }) => status !== 200 && status !== 503)).toEqual([]);
  const made = answers.filter(({ status }) => status === 200);
  expect(new Set(made.map(({ body }) => body.clientSecret)).size).toBe(1);
  const last = await keyed(key, { businessInfo: { ...business, eventTitle: 'Salsa' } });
  expect(last.body).toEqual(made[0]!.body);
  expect(await orderOf(await idOf(last.body.clientSecret))).toMatchObject({
    contact_email: 'ann@example.com',
    event_title: 'Salsa',
  });
  const other = await keyed(key, { packageId: 'basic', amount: 2_999 });
  expect(other.body.clientSecret).not.toBe(last.body.clientSecret);
});

test('an account and a guest with the same key have separate payments; a guessable key is refused', async () => {
  const key = randomUUID();
  const guest = await keyed(key);
  const authorization = `Bearer ${await stack.identity.tokenFor({ id: 3 })}`;
  const account = await create({}, { authorization, 'idempotency-key': key });
  expect(account.status).toBe(200);
  expect(account.body).not.toEqual(guest.body);
  expect(await orderOf(await idOf(account.body.clientSecret))).toMatchObject({ user_id: 3 });
  expect(await keyed('12345678')).toMatchObject({ status: 400, body: { errors: [{ field: 'Idempotency-Key' }] } });
  expect((await create({}, { authorization: 'Bearer forged' })).status).toBe(401);
});

test("only the holder of a payment's secret reads its state", async () => {
  const { clientSecret } = (await create()).body;
  expect((await stateOf(clientSecret)).body).toEqual({ status: 'open', packageId: 'premium' });
  expect(await stack.pay(intentOf(clientSecret), 'pm_card_chargeDeclined')).toBe('card_declined');
  expect((await stateOf(clientSecret)).body.status).toBe('open');
  expect((await stateOf(`${clientSecret.slice(0, -1)}~`)).status).toBe(400);
  const forged = clientSecret.slice(0, -1) + (clientSecret.endsWith('a') ? 'b' : 'a');
  expect((await stateOf(forged)).status).toBe(404);
  expect((await stateOf('pi_unknown1_secret_unknown1')).status).toBe(404);
  const tickets = await stack.request({
    ...{ orderId: randomUUID(), eventId: 7, organizerId: 3, buyerId: null, amountCents: 5_000 },
    ...{ description: '2 tickets', receiptEmail: 'ann@example.com' },
  });
  expect((await stateOf(tickets.body.clientSecret)).status).toBe(404);
});

test('webhooks alone mark an ad as paid, even repeated or out of order; a forged webhook does nothing', async () => {
  const { clientSecret } = (await create()).body;
  await stack.pay(intentOf(clientSecret));
  const id = await idOf(clientSecret);
  const told = await stack.providerEvents(intentOf(clientSecret));
  for (const event of told) expect((await stack.tell(event, { secret: 'whsec_another1' })).status).toBe(400);
  expect(await paidMessages(id)).toEqual([]);
  for (const event of [...told, ...told.reverse()]) expect((await stack.tell(event)).status).toBe(200);
  const [message, ...others] = await paidMessages(id);
  expect(others).toEqual([]);
  const { link_key: linkKey } = await orderOf(id);
  expect(AdPaidV1.parse(message).data).toEqual({
    ...{ adId: id, paymentId: intentOf(clientSecret), packageId: 'premium', amountCents: 4_999, userId: null },
    ...{ paidAt: message!.occurredAt, businessName: 'The Wharf <b>', eventTitle: 'Go-Go Night' },
    keyHash: hashOfKey(linkKey!),
  });
  // Messages on the bus are stored longer than the order, so no message contains the email address or the key.
  const said = JSON.stringify(await stack.heard());
  for (const secret of ['ann@example.com', '202 555', 'Three bands', linkKey!]) expect(said).not.toContain(secret);
});

test('the reconciler marks an ad as paid without a webhook and after the browser was closed', async () => {
  const { clientSecret } = (await create()).body;
  await stack.pay(intentOf(clientSecret));
  const id = await idOf(clientSecret);
  await stack.query(`delete from provider_tasks`);
  while (!(await stack.events(id)).includes('PaymentSucceeded'))
    await reconcile(stack.deps, 0, { pauseMs: 1, maxPauseMs: 1 });
  expect(await paidMessages(id)).toHaveLength(1);
});

test('a repeat with the key of a paid ad is refused and changes nothing', async () => {
  const key = randomUUID();
  const { clientSecret } = (await keyed(key)).body;
  await stack.pay(intentOf(clientSecret));
  await stateOf(clientSecret);
  const again = await keyed(key, { businessInfo: { ...business, contactEmail: 'eve@example.com' } });
  expect(again).toMatchObject({ status: 409, body: { code: 'already-paid' } });
  expect(await orderOf(await idOf(clientSecret))).toMatchObject({ contact_email: 'ann@example.com' });
});

test('a repeated ready message fulfills the ad once and sends one mail with the link’s key, whose hash the catalog has', async () => {
  const { id, clientSecret } = await bought();
  const paymentId = intentOf(clientSecret);
  const message = randomUUID();
  for (let n = 0; n < 2; n++) await stack.say('ad-ready', { adId: id, paymentId }, message, 'catalog');
  await stack.say('ad-rejected', { adId: id, paymentId, reason: 'Too <i>loud</i>' }, randomUUID(), 'catalog');
  await stack.say('ad-approved', { adId: id, paymentId, until: '2030-01-02T05:00:00.000Z' }, randomUUID(), 'catalog');
  await stack.eventually(async () => (await stack.events(id)).includes('PaymentFulfilled'));
  await stack.eventually(async () => (await queuedMails(id)).length === 4);
  expect((await stack.events(id)).filter((type) => type === 'PaymentFulfilled')).toHaveLength(1);

  const mails: Mail[] = [];
  let isDown = true;
  const mailer = {
    send: (mail: Mail) =>
      isDown ? Promise.reject(new Error('no mail server')) : Promise.resolve(void mails.push(mail)),
  };
  await sendMails(mailer);
  expect(mails).toEqual([]);
  expect((await queuedMails(id)).map(({ status, last_error }) => [status, last_error])).toEqual(
    Array(4).fill(['waiting', 'no mail server']),
  );
  isDown = false;
  await stack.query(`update jobs set run_at = now()`);
  await sendMails(mailer);
  const ofThis = mails.filter(({ text, to }) => text.includes(id) || to === site.support);
  expect(ofThis.map(({ to, subject }) => [to, subject]).sort()).toEqual([
    ['ann@example.com', 'Your ad is live on Beltway'],
    ['ann@example.com', 'Your ad needs a change'],
    ['ann@example.com', 'Your ad on Beltway: send us your photo and link'],
    ['help@beltway.test', 'An ad was booked'],
  ]);
  // The team can reply to the mail, but the mail has no link that could change the ad.
  const booked = ofThis.find(({ subject }) => subject === 'An ad was booked')!;
  expect(booked.replyTo).toBe('ann@example.com');
  expect(booked.html).toContain('Three bands<br>One pier');
  expect(booked.text + booked.html).not.toContain('/ad/');
  const ready = ofThis.find(({ id: mailId }) => mailId === `ad-ready-${message}`)!;
  const link = new URL(/https:\S+/.exec(ready.text)![0]);
  expect([link.origin, link.pathname]).toEqual(['https://beltway.test', `/ad/${id}`]);
  const [paid] = await paidMessages(id);
  expect(hashOfKey(new URLSearchParams(link.hash.slice(1)).get('key')!)).toBe(
    (paid!.data as { keyHash: string }).keyHash,
  );
  const html = ofThis.map((mail) => mail.html).join();
  expect(html).not.toMatch(/<b>|<i>/);
  expect(html).toContain('Wednesday, January 2, 2030');

  await stack.query(`update payments set succeeded_at = succeeded_at - interval '61 seconds' where id = $1`, [id]);
  const unsettled = await stack.query(
    `select id from payments where id = $1 and (fulfilled_at is null or status <> 'succeeded')`,
    [id],
  );
  expect(unsettled).toEqual([]);
});

test('ad mails are in the language of the last request before payment; unsupported languages get English', async () => {
  const key = randomUUID();
  const inLanguage = (language: string) => create({}, { 'idempotency-key': key, 'accept-language': language });
  const languageOf = async (clientSecret: string) => (await orderOf(await idOf(clientSecret)))['language'];
  const { clientSecret } = (await inLanguage('en-US,en')).body;
  expect(await languageOf(clientSecret)).toBe('en');
  expect((await inLanguage('es-MX,es;q=0.9,en;q=0.8')).body.clientSecret).toBe(clientSecret);
  expect(await languageOf(clientSecret)).toBe('es');
  for (const language of ['fr', '*'])
    expect(await languageOf((await create({}, { 'accept-language': language })).body.clientSecret)).toBe('en');
  await stack.pay(intentOf(clientSecret));
  expect((await stateOf(clientSecret)).body.status).toBe('paid');
  // A paid ad's language no longer changes.
  expect((await inLanguage('en')).status).toBe(409);
  const id = await idOf(clientSecret);
  await stack.say('ad-ready', { adId: id, paymentId: intentOf(clientSecret) }, randomUUID(), 'catalog');
  await stack.eventually(async () => (await queuedMails(id)).length === 2);
  const mails: Mail[] = [];
  await sendMails({ send: async (mail) => void mails.push(mail) });
  expect(mails.find(({ text }) => text.includes(id))!.subject).toBe(
    'Tu anuncio en Beltway: envíanos la imagen y el enlace',
  );
  expect(mails.filter(({ to }) => to === 'help@beltway.test').map(({ subject }) => subject)).toContain(
    'An ad was booked',
  );
});

test('an order with a canceled payment is deleted after a few days; orders with open or paid payments are kept', async () => {
  const { id: paid } = await bought();
  const open = await idOf((await create()).body.clientSecret);
  const canceled = await idOf((await create()).body.clientSecret);
  await stack.query(`update payments set status = 'canceled' where id = $1`, [canceled]);
  await forgetUnpaid(stack.pool);
  expect(await orderOf(canceled)).toBeDefined();
  await stack.query(`update ad_orders set changed_at = now() - interval '4 days'`);
  await forgetUnpaid(stack.pool);
  expect([await orderOf(paid), await orderOf(open), await orderOf(canceled)].map(Boolean)).toEqual([true, true, false]);
});

test('the ad-paid message has the fields of its golden file', async () => {
  const { id } = await bought();
  const [message] = await paidMessages(id);
  const written = AdPaidV1.parse(golden('payments.ad-paid.v1'));
  expect(Object.keys(written.data).sort()).toEqual(Object.keys(message!.data as object).sort());
  expect(AdPaidV1.parse(message)).toEqual(message);
});

test('an ad that is finally refused is refunded completely, once, and its buyer gets a mail', async () => {
  const { clientSecret, id } = await bought();
  const paymentId = intentOf(clientSecret);
  await stack.say('ad-ready', { adId: id, paymentId }, randomUUID(), 'catalog');
  const refused = { adId: id, paymentId, amountCents: 4_999, reason: 'We show no such ads' };
  const message = randomUUID();
  for (let n = 0; n < 2; n++) await stack.say('ad-refused', refused, message, 'catalog');
  await stack.eventually(async () => (await stack.events(id)).includes('PaymentRefunded'), { what: 'the refund' });
  expect((await stack.stripe.refunds.list({ payment_intent: paymentId })).data.map(({ amount }) => amount)).toEqual([
    4_999,
  ]);
  const mail = { adId: id, kind: 'refused', detail: refused.reason };
  const isMail = ({ data }: { data: object }) => isDeepStrictEqual(data, mail);
  await stack.eventually(async () => (await queuedMails(id)).filter(isMail).length === 1);
  expect((await stateOf(clientSecret)).body.status).toBe('refunded');
  await forgiveUnfulfilled(stack);
  expect(new Set(Object.values(await stack.invariants()))).toEqual(new Set([0]));
});
