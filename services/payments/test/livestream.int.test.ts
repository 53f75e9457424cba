import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LivestreamConfig } from '@beltway/contracts/catalog/livestream-config';
import { cancelPayment, settlePayment } from '../src/payment/actions.ts';
import { rebuild } from '../src/rebuild.ts';
import { reconcile } from '../src/work/reconciler.ts';
import { anOrder, startStack, type Stack } from './stack.ts';

let stack: Stack;
const olga = { id: 3 };
const eve = { id: 4 };
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.stop());

let events = 500;
const state = (eventId: number, more: object = {}) => ({
  ...{ eventId, version: 1, ownerId: olga.id, title: 'Go-Go Night', location: 'DC', imageUrl: null },
  ...{ eventDate: '2099-12-05T05:00:00.000Z', eventStartTime: '19:00', eventEndTime: null, description: 'x', tags: [] },
  ...{ hasTickets: false, salesEnabled: false, salesStart: null, salesEnd: null, priceCents: null, capacity: null },
  refundDeadlineHours: 24,
  ...more,
});
const hear = async (type: string, data: { eventId: number; version: number }) => {
  await stack.say(type, data, randomUUID(), 'catalog');
  await stack.eventually(
    async () =>
      (
        await stack.query(
          "select 1 from promotable_events where event_id = $1 and (version = $2 or status = 'canceled')",
          [data.eventId, data.version],
        )
      ).length === 1,
  );
};
async function published(): Promise<number> {
  const eventId = ++events;
  await hear('event-published', state(eventId));
  return eventId;
}
/** The event's hours: 7 to 10 PM on December 5, 2099, in New York. */
const config: LivestreamConfig = {
  ...{ startTime: '2099-12-06T00:00:00.000Z', endTime: '2099-12-06T03:00:00.000Z', maxViewers: 500 },
  ...{ chatEnabled: true, recordingEnabled: false },
};
const as = async (person: { id: number }, path: string, body: object) =>
  stack.call('POST', path, body, { authorization: `Bearer ${await stack.identity.tokenFor(person)}` });
const create = (eventId: number, livestreamConfig: object | undefined = config, more: object = {}, person = olga) =>
  as(person, '/api/create-promotion-payment', { promotionLevel: 'livestream', eventId, livestreamConfig, ...more });
const confirm = (paymentIntentId: string, more: object = {}, person = olga) =>
  as(person, '/api/confirm-promotion-payment', { paymentIntentId, ...more });
const intentOf = (clientSecret: string): string => clientSecret.slice(0, clientSecret.indexOf('_secret'));
const intent = async (eventId: number, of: object = config) => intentOf((await create(eventId, of)).body.clientSecret);
const idOf = async (paymentId: string) =>
  (await stack.query<{ id: string }>('select id from payments where stripe_payment_intent_id = $1', [paymentId]))[0]!
    .id;
const told = async (paymentId: string) => {
  const key = `payment-${await idOf(paymentId)}`;
  return (await stack.heard()).filter((message) => message.key === key).map(({ type, data }) => ({ type, data }));
};

test('a live stream costs its catalogue price, and its intent contains the whole configuration', async () => {
  const eventId = await published();
  const { status, body } = await create(eventId);
  expect([status, body.amount]).toEqual([200, 9_999]);
  const { metadata, amount } = await stack.stripe.paymentIntents.retrieve(intentOf(body.clientSecret));
  expect([amount, metadata['purpose'], metadata['eventId']]).toEqual([9_999, 'livestream', String(eventId)]);
  expect(JSON.parse(metadata['livestream']!)).toEqual({ ...config, eventStartsAt: config.startTime });
  expect((await create(eventId)).body).toEqual(body);
});

test.each([
  [{ livestreamConfig: { ...config, endTime: config.startTime } }, 400, 'livestreamConfig.endTime'],
  [{ livestreamConfig: { ...config, endTime: '2099-12-06T12:00:01.000Z' } }, 400, 'livestreamConfig.endTime'],
  [{ livestreamConfig: { ...config, startTime: 'soon' } }, 400, 'livestreamConfig.startTime'],
  [{ livestreamConfig: { ...config, maxViewers: 0 } }, 400, 'livestreamConfig.maxViewers'],
  [{ livestreamConfig: { ...config, maxViewers: 10_001 } }, 400, 'livestreamConfig.maxViewers'],
  [{ livestreamConfig: { ...config, maxViewers: '500' } }, 400, 'livestreamConfig.maxViewers'],
  [{ livestreamConfig: { ...config, chatEnabled: 'yes' } }, 400, 'livestreamConfig.chatEnabled'],
  [
    { livestreamConfig: { ...config, startTime: '2020-12-06T00:00:00Z', endTime: '2020-12-06T03:00:00Z' } },
    422,
    'livestreamConfig.startTime',
  ],
  // Hours of another event.
  [
    { livestreamConfig: { ...config, startTime: '2099-12-07T00:00:00Z', endTime: '2099-12-07T03:00:00Z' } },
    422,
    'livestreamConfig.startTime',
  ],
  [
    { livestreamConfig: { ...config, startTime: '2099-12-04T00:00:00Z', endTime: '2099-12-04T03:00:00Z' } },
    422,
    'livestreamConfig.endTime',
  ],
  [{ amount: 2_999 }, 422, 'amount'],
])('a request that was tampered with is refused with the name of the field: %o', async (more, status, field) => {
  const eventId = await published();
  expect(await create(eventId, config, more)).toMatchObject({ status, body: { errors: [{ field }] } });
  expect(await stack.query('select 1 from payments where event_id = $1', [eventId])).toEqual([]);
});

describe('without a configuration', () => {
  const plain = (eventId: number) =>
    as(olga, '/api/create-promotion-payment', { promotionLevel: 'livestream', eventId });
  const usual = { ...config, recordingEnabled: true };
  const paid = async (eventId: number) => {
    const { status, body } = await plain(eventId);
    expect([status, body.amount]).toEqual([200, 9_999]);
    const paymentId = intentOf(body.clientSecret);
    await stack.pay(paymentId);
    return paymentId;
  };
  const webhook = async (paymentId: string) => {
    for (const event of await stack.providerEvents(paymentId)) await stack.tell(event);
  };
  const streams = async (paymentId: string) =>
    (await told(paymentId)).map(({ type, data }) => [type, (data as { livestream: object }).livestream]);
  const asPaid = { ...usual, eventStartsAt: config.startTime, isUsual: true };

  test('a live stream has the event’s hours if no confirmation arrives', async () => {
    const paymentId = await paid(await published());
    await webhook(paymentId);
    expect(await streams(paymentId)).toEqual([['payments.livestream-paid', asPaid]]);
  });

  test('repeated requests are one payment; null counts as no configuration, and a reloaded page keeps the configuration', async () => {
    const eventId = await published();
    const { body } = await plain(eventId);
    expect((await plain(eventId)).body).toEqual(body);
    expect((await create(eventId, undefined, { livestreamConfig: null })).body).toEqual(body);
    const configured = await create(eventId);
    expect(configured.body.clientSecret).not.toBe(body.clientSecret);
    expect((await plain(eventId)).body).toEqual(configured.body);
    await stack.pay(intentOf(configured.body.clientSecret));
    expect((await plain(eventId)).body.code).toBe('livestream-exists');
  });

  test('the configuration comes with the confirmation, before or after the webhook, and counts once', async () => {
    for (const isWebhookFirst of [true, false]) {
      const paymentId = await paid(await published());
      if (isWebhookFirst) await webhook(paymentId);
      const wanted = { ...config, maxViewers: 40 };
      const answers = await Promise.all([1, 2].map(() => confirm(paymentId, { livestreamConfig: wanted })));
      for (const { status, body } of answers)
        expect([status, body.status, body.livestreamConfig]).toEqual([200, 'paid', wanted]);
      const late = await confirm(paymentId, { livestreamConfig: { ...wanted, maxViewers: 41 } });
      expect(late.body.livestreamConfig).toEqual(wanted);
      await webhook(paymentId);
      expect(await streams(paymentId)).toEqual([
        ['payments.livestream-paid', asPaid],
        ['payments.livestream-configured', { ...wanted, eventStartsAt: config.startTime }],
      ]);
    }
  });

  test('an invalid configuration is refused with the name of the field, and the payment still counts', async () => {
    const paymentId = await paid(await published());
    for (const [wanted, status, field] of [
      [{ ...config, maxViewers: 0 }, 400, 'livestreamConfig.maxViewers'],
      ['at seven', 400, 'livestreamConfig'],
      [
        { ...config, startTime: '2099-12-07T00:00:00Z', endTime: '2099-12-07T03:00:00Z' },
        422,
        'livestreamConfig.startTime',
      ],
    ] as const)
      expect(await confirm(paymentId, { livestreamConfig: wanted })).toMatchObject({
        ...{ status, body: { errors: [{ field }] } },
      });
    expect(await streams(paymentId)).toEqual([['payments.livestream-paid', asPaid]]);
    expect((await confirm(paymentId, {}, eve)).status).toBe(404);
    expect((await confirm(paymentId)).body.livestreamConfig).toEqual(usual);
  });

  test('a rebuild keeps what the confirmation configured', async () => {
    const paymentId = await paid(await published());
    await confirm(paymentId, { livestreamConfig: { ...config, maxViewers: 40 } });
    const row = () => stack.query('select livestream from payments where stripe_payment_intent_id = $1', [paymentId]);
    const before = await row();
    await rebuild(stack.databaseUrl);
    expect(await row()).toEqual(before);
  });

  test('a live stream can be bought for an event in progress, for at most twelve hours, but not for an event about to end', async () => {
    const on = { eventDate: new Date(Date.now() - 3 * 86_400_000).toISOString() };
    const eventId = ++events;
    const now = Date.now();
    await stack.query(
      `insert into promotable_events (event_id, owner_id, title, status, starts_at, ends_at, version) values ($1, $2, 'On', 'published', $3, $4, 1)`,
      [eventId, olga.id, new Date(on.eventDate), new Date(now + 40 * 3_600_000)],
    );
    const { body } = await plain(eventId);
    const { metadata } = await stack.stripe.paymentIntents.retrieve(intentOf(body.clientSecret));
    const { startTime, endTime } = JSON.parse(metadata['livestream']!) as LivestreamConfig;
    expect(Date.parse(startTime)).toBeGreaterThan(now);
    expect(Date.parse(endTime) - Date.parse(startTime)).toBe(12 * 3_600_000);
    await stack.query('update promotable_events set ends_at = $2 where event_id = $1', [
      eventId,
      new Date(now + 60_000),
    ]);
    expect((await plain(eventId)).body.code).toBe('event-over');
  });
});

test('only the owner of an event can buy its live stream', async () => {
  const eventId = await published();
  expect((await create(eventId, config, {}, eve)).status).toBe(403);
  const paymentId = await intent(eventId);
  expect((await confirm(paymentId, {}, eve)).status).toBe(404);
});

test.each(['page', 'webhook', 'reconciler'])(
  'by the %s alone the configuration that was paid is told, once',
  async (way) => {
    const eventId = await published();
    const paymentId = await intent(eventId);
    await stack.pay(paymentId);
    const events = await stack.providerEvents(paymentId);
    if (way === 'page') expect((await confirm(paymentId)).status).toBe(200);
    if (way === 'webhook') for (const event of events) await stack.tell(event);
    if (way === 'reconciler')
      while ((await told(paymentId)).length === 0) await reconcile(stack.deps, 0, { pauseMs: 1, maxPauseMs: 1 });
    // A second confirmation with another configuration changes nothing: the paid configuration counts.
    const again = await confirm(paymentId, { livestreamConfig: { ...config, maxViewers: 9_999 } });
    expect(again).toMatchObject({ status: 200, body: { status: 'paid', livestreamConfig: config } });
    await Promise.all(events.map((event) => stack.tell(event)));
    expect(await told(paymentId)).toEqual([
      {
        type: 'payments.livestream-paid',
        data: {
          ...{ promotionId: await idOf(paymentId), paymentId, eventId, amountCents: 9_999 },
          livestream: { ...config, eventStartsAt: config.startTime },
        },
      },
    ]);
  },
);

test('a payment that was not recorded here is recorded with its configuration when only a webhook arrives', async () => {
  const id = randomUUID();
  const bought = {
    purpose: 'livestream' as const,
    eventId: await published(),
    livestream: { ...config, eventStartsAt: null },
  };
  const terms = { id, amountCents: 9_999, bought, organizerId: null, buyerId: olga.id };
  const wording = { description: 'Promotion', receiptEmail: 'olga@example.com' };
  const { id: paymentId } = await stack.deps.provider.request(terms, wording, `beltway-payment-${id}`);
  await stack.pay(paymentId);
  for (const event of await stack.providerEvents(paymentId)) await stack.tell(event);
  expect(await told(paymentId)).toMatchObject([{ data: { promotionId: id, livestream: bought.livestream } }]);
});

test('a new configuration cancels the previous payment; returning to the old configuration makes another payment', async () => {
  const eventId = await published();
  const [a, b] = [await intent(eventId), await intent(eventId, { ...config, maxViewers: 50 })];
  expect(b).not.toBe(a);
  expect((await stack.stripe.paymentIntents.retrieve(a)).status).toBe('canceled');
  expect(await stack.pay(a)).toBe('payment_intent_unexpected_state');
  const c = await intent(eventId);
  expect(new Set([a, b, c]).size).toBe(3);
  await stack.pay(c);
  expect((await confirm(c)).body).toMatchObject({ status: 'paid', livestreamConfig: config });
  expect((await stack.stripe.paymentIntents.retrieve(b)).status).toBe('canceled');
});

test('a live stream paid in another tab is neither configured again nor paid twice', async () => {
  const eventId = await published();
  const paymentId = await intent(eventId);
  await stack.pay(paymentId);
  for (const of of [{ ...config, maxViewers: 50 }, config])
    expect(await create(eventId, of)).toMatchObject({ status: 409, body: { code: 'livestream-exists' } });
  expect(await told(paymentId)).toHaveLength(1);
});

test('when the event’s hours change, an open payment is for the new hours', async () => {
  const eventId = await published();
  const before = await intent(eventId);
  await hear(
    'event-updated',
    state(eventId, { version: 2, eventStartTime: '20:00' }) as { eventId: number; version: number },
  );
  const after = await intent(eventId);
  expect(after).not.toBe(before);
  const { metadata } = await stack.stripe.paymentIntents.retrieve(after);
  expect(JSON.parse(metadata['livestream']!)).toMatchObject({ eventStartsAt: '2099-12-06T01:00:00.000Z' });
});

test('a live stream refused by the catalog is refunded completely; then it can be bought again', async () => {
  const eventId = await published();
  const paymentId = await intent(eventId);
  await stack.pay(paymentId);
  await confirm(paymentId);
  const id = await idOf(paymentId);
  const { paymentId: _, ...data } = { promotionId: id, paymentId, eventId, level: 'livestream', amountCents: 9_999 };
  for (let n = 0; n < 2; n++)
    await stack.say('promotion-refused', { ...data, paymentId, reason: 'livestream-over' }, randomUUID(), 'catalog');
  await stack.eventually(async () => (await stack.events(id)).includes('PaymentRefunded'));
  expect((await stack.stripe.refunds.list({ payment_intent: paymentId })).data.map(({ amount }) => amount)).toEqual([
    9_999,
  ]);
  expect((await confirm(paymentId)).body.status).toBe('refunded');
  expect((await create(eventId)).status).toBe(200);
});

test('a rebuild keeps the configuration of a live stream', async () => {
  const paymentId = await intent(await published());
  const row = () => stack.query('select livestream from payments where stripe_payment_intent_id = $1', [paymentId]);
  const before = await row();
  await rebuild(stack.databaseUrl);
  const parsed = (rows: object[]) => JSON.parse((rows[0] as { livestream: string }).livestream) as object;
  expect(parsed(await row())).toEqual(parsed(before));
});

test('a success in another currency never counts as paid, on any path, and raises an alert', async () => {
  const eventId = await published();
  const paymentId = await intent(eventId);
  await stack.pay(paymentId);
  const [success] = (await stack.providerEvents(paymentId)).filter(({ type }) => type === 'payment_intent.succeeded');
  const charged = (await stack.providerEvents(paymentId)).filter(({ type }) => type === 'charge.succeeded');
  const inEuros = (event: object) => JSON.parse(JSON.stringify(event).replaceAll('"usd"', '"eur"')) as object;
  for (const event of [success!, ...charged]) expect((await stack.tell(inEuros(event))).status).toBe(200);
  const id = await idOf(paymentId);
  expect(await stack.events(id)).toEqual(['PaymentRequested', 'OtherCurrencyReported']);
  expect(await told(paymentId)).toEqual([]);
  const { body } = await stack.call('GET', '/internal/alerts');
  expect(body.alerts).toContainEqual(
    expect.objectContaining({ kind: 'other-currency', paymentId, amountCents: 9_999, detail: 'eur', resolvedAt: null }),
  );
  expect(await stack.query('select 1 from ledger_entries where payment_id = $1', [id])).toEqual([]);
});

test.each(['tickets', 'livestream'])(
  '%s paid in another currency also does not count as paid when the provider is asked for the state',
  async (of) => {
    const paymentId =
      of === 'livestream'
        ? await intent(await published())
        : ((await stack.request(anOrder())).body as { paymentId: string }).paymentId;
    await stack.pay(paymentId);
    const { provider } = stack.deps;
    const retrieve = async (asked: string) => ({ ...(await provider.retrieve(asked)), currency: 'eur' });
    const deps = { ...stack.deps, provider: { ...provider, retrieve, cancel: retrieve } };
    for (let n = 0; n < 2; n++) expect((await settlePayment(deps, paymentId)).status).toBe('processing');
    expect((await cancelPayment(deps, paymentId)).status).toBe('processing');
    expect(await stack.events(await idOf(paymentId))).toEqual(['PaymentRequested', 'OtherCurrencyReported']);
    expect(await told(paymentId)).toEqual([]);
  },
);
