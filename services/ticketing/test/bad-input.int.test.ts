import { expect, test } from 'vitest';
import { eventually } from '@beltway/kit/testing';
import { call, eventState, guestKey, message, startCheckout, startTicketing, TOKEN } from './support.ts';

async function setup(capacity: number) {
  const ticketing = await startTicketing();
  await ticketing.bus.publish('catalog.events', [
    message('catalog.event-published', 'event-42', eventState(42, capacity)),
    message('catalog.event-published', 'event-43', eventState(43, capacity)),
    message('catalog.event-published', 'event-44', eventState(44, capacity)),
    message('catalog.event-canceled', 'event-44', { eventId: 44, ownerId: 7, version: 9 }),
    message(
      'catalog.event-published',
      'event-45',
      eventState(45, capacity, { eventDate: '2020-01-01T05:00:00.000Z', salesEnd: '2100-01-01T05:00:00.000Z' }),
    ),
  ]);
  await eventually(
    async () => (await ticketing.bus.lag('ticketing.catalog', ['catalog.events']))['catalog.events'] === 0,
  );
  const untouched = async () =>
    expect(await ticketing.rows('select sum(sold)::int as sold, sum(held)::int as held from availability')).toEqual([
      { sold: 0, held: 0 },
    ]);
  return { ...ticketing, untouched };
}

test('quantities, prices and ids that make no sense are refused with the field that is wrong, and take nothing', async () => {
  const { url, untouched } = await setup(20);
  const refusals: Array<[object, string]> = [
    ...[11, 0, -1, 1.5, '2; drop', '2', null, Infinity, [1]].map((quantity): [object, string] => [
      { eventId: 42, quantity },
      'quantity',
    ]),
    ...['42', -1, 0, 1.5, 2_147_483_648, null].map((eventId): [object, string] => [
      { eventId, quantity: 1 },
      'eventId',
    ]),
    [{ eventId: 42, quantity: 1, price: 0.01 }, 'price'],
    [{ eventId: 42, quantity: 1, amount: 1 }, 'amount'],
    [{ eventId: 42, quantity: 1, priceCents: 1 }, 'priceCents'],
    [{ eventId: 42, quantity: 1, orderId: 'mine' }, 'orderId'],
  ];
  for (const [body, field] of refusals) {
    const answer = await call(url, 'POST', '/api/holds', { body });
    expect(
      [answer.status, answer.headers.get('content-type'), answer.body.errors?.[0]?.field],
      JSON.stringify(body),
    ).toEqual([400, 'application/problem+json; charset=utf-8', field]);
  }
  for (const [extra, field] of [
    [{ amount: 1 }, 'amount'],
    [{ ticketPrice: '0.01' }, 'ticketPrice'],
    [{ quantity: 11 }, 'quantity'],
    [{ ticketType: 'VIP' }, 'ticketType'],
    [{ ticketType: 'General' }, 'ticketType'],
    [{ ticketHolderName: '  ' }, 'ticketHolderName'],
    ...['\u200b\0\u202e', 'a\ud800', `Z${'\u0316'.repeat(7)}`].map(
      (ticketHolderName) => [{ ticketHolderName }, 'ticketHolderName'] as const,
    ),
    [{ ticketHolderEmail: 'ann' }, 'ticketHolderEmail'],
  ] as const) {
    const answer = await startCheckout({ url }, { quantity: 1, ...extra });
    expect([answer.status, answer.body.errors?.[0]?.field]).toEqual([400, field]);
  }
  await untouched();
});

test('events that are unknown, canceled or over sell nothing', async () => {
  const { url, untouched } = await setup(20);
  const codes = [];
  for (const eventId of [9_999, 44, 45])
    codes.push((await call(url, 'POST', '/api/holds', { body: { eventId, quantity: 1 } })).body.code);
  expect(codes).toEqual(['not-on-sale', 'not-on-sale', 'event-over']);
  for (const id of ['abc', '-1', '0', '1.5', '99999999999'])
    expect((await call(url, 'GET', `/api/events/${id}/availability`)).status).toBe(400);
  expect((await call(url, 'GET', '/api/events/9999/availability')).status).toBe(404);
  await untouched();
});

test('bodies that are broken, too large or too deep are refused', async () => {
  const { url, untouched } = await setup(20);
  const answers = await Promise.all(
    ['{"eventId":', '"x"', `{"a":"${'x'.repeat(10_000_000)}"}`, `${'{"a":'.repeat(200)}1${'}'.repeat(200)}`, ''].map(
      (raw) => call(url, 'POST', '/api/holds', { raw }),
    ),
  );
  expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
    [400, 'malformed-json'],
    [400, 'malformed-json'],
    [413, 'too-large'],
    [400, 'too-deep'],
    [400, 'invalid'],
  ]);
  await untouched();
});

test('tokens that are expired, forged, unsigned or for another audience open nothing', async () => {
  const { url, identity } = await setup(20);
  const good = await identity.tokenFor({ id: 3 });
  const [header = '', payload = '', signature = ''] = good.split('.');
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
  const bad = [
    await identity.tokenFor({ id: 3 }, { exp: Math.floor(Date.now() / 1000) - 1 }),
    await identity.tokenFor({ id: 3 }, { aud: 'another' }),
    await identity.tokenFor({ id: 3 }, { iss: 'another' }),
    await identity.tokenFor({ id: 3 }, { sub: '3; drop' }),
    `${header}.${encode({ ...claims, sub: '4' })}.${signature}`,
    `${encode({ alg: 'none' })}.${payload}.`,
    `${encode({ alg: 'HS256', kid: 'test' })}.${payload}.${signature}`,
    `${encode({ alg: 'ES256', kid: 'unknown' })}.${payload}.${signature}`,
    'nonsense',
  ];
  expect((await call(url, 'GET', '/api/tickets/my-tickets', { token: good })).status).toBe(200);
  for (const token of bad) {
    expect((await call(url, 'GET', '/api/tickets/my-tickets', { token })).status, token.slice(0, 40)).toBe(401);
    // A route that guests may call does not treat a caller with a bad token as a guest.
    expect((await call(url, 'POST', '/api/holds', { token, body: { eventId: 42, quantity: 1 } })).status).toBe(401);
  }
  expect((await call(url, 'GET', '/api/tickets/my-tickets')).status).toBe(401);
});

test('someone else’s order does not exist: not for strangers, not for other members, not with another order’s key', async () => {
  const { url, identity } = await setup(20);
  const [ann, bob] = [await identity.tokenFor({ id: 3 }), await identity.tokenFor({ id: 4 })];
  const mine = (await startCheckout({ url }, { quantity: 1 }, { token: ann })).body;
  const other = (await call(url, 'POST', '/api/holds', { body: { eventId: 42, quantity: 1 } })).body;
  const strangers = [
    {},
    { token: bob },
    { headers: { 'x-order-key': other.accessKey } },
    { headers: { 'x-order-key': '' } },
  ];
  for (const who of strangers) {
    for (const [method, path] of [
      ['GET', `/api/orders/${mine.orderId}`],
      ['GET', `/api/orders/${mine.orderId}/tickets.pdf`],
      ['GET', `/api/orders/${mine.orderId}/event.ics`],
      ['POST', `/api/holds/${mine.orderId}/extension`],
      ['DELETE', `/api/holds/${mine.orderId}`],
    ] as const)
      expect((await call(url, method, path, who)).status, `${method} ${path}`).toBe(404);
    expect(
      (
        await call(url, 'POST', '/api/process-ticket-purchase', {
          ...who,
          body: { paymentIntentId: mine.paymentIntentId },
        })
      ).status,
    ).toBe(403);
    const change = { quantity: 1, orderId: mine.orderId, accessKey: other.accessKey };
    expect((await startCheckout({ url }, change, who)).status).toBe(404);
  }
  expect(
    (
      await call(url, 'POST', '/api/holds', {
        token: bob,
        body: { eventId: 42, quantity: 1, replaces: { orderId: mine.orderId, accessKey: other.accessKey } },
      })
    ).status,
  ).toBe(404);
  expect((await call(url, 'GET', `/api/orders/${mine.orderId}`, { token: ann })).status).toBe(200);
  expect(
    (await call(url, 'GET', `/api/orders/${mine.orderId}`, { headers: { 'x-order-key': mine.accessKey } })).status,
  ).toBe(200);
});

test('an idempotency key used with another body is refused; with the same it is the same order', async () => {
  const { url, rows } = await setup(20);
  const headers = { 'idempotency-key': guestKey('my-order-of-today-1') };
  const [first, second] = await Promise.all(
    [0, 1].map(() => call(url, 'POST', '/api/holds', { headers, body: { eventId: 42, quantity: 2 } })),
  );
  expect([first?.status, second?.status]).toEqual([201, 201]);
  expect(second?.body).toEqual(first?.body);
  const other = await call(url, 'POST', '/api/holds', { headers, body: { eventId: 42, quantity: 3 } });
  const elsewhere = await call(url, 'POST', '/api/holds', { headers, body: { eventId: 43, quantity: 2 } });
  expect([other.status, other.body.code, elsewhere.status]).toEqual([422, 'idempotency-key-reused', 422]);
  expect(await rows('select count(*)::int as orders, sum(quantity)::int as held from orders')).toEqual([
    { orders: 1, held: 2 },
  ]);
  expect(
    (
      await call(url, 'POST', '/api/holds', {
        headers: { 'idempotency-key': 'short' },
        body: { eventId: 42, quantity: 1 },
      })
    ).status,
  ).toBe(400);
});

test('internal routes need the services’ token', async () => {
  const { url } = await setup(20);
  expect((await call(url, 'GET', '/internal/invariants')).status).toBe(403);
  expect((await call(url, 'GET', '/internal/invariants', { headers: { 'x-internal-token': 'guess' } })).status).toBe(
    403,
  );
  const answer = await call(url, 'GET', '/internal/invariants', { headers: { 'x-internal-token': TOKEN } });
  expect(answer.body.checks.every(({ ok }: { ok: boolean }) => ok)).toBe(true);
});

test('2,000 holds at two instances for 100 tickets: exactly 100 are held, and no request gets two responses', async () => {
  const ticketing = await setup(100);
  const second = await ticketing.instance();
  const outcomes = await Promise.all(
    Array.from({ length: 2_000 }, async (_, n) => {
      const { url } = n % 2 ? ticketing : second;
      const { status, body } = await call(url, 'POST', '/api/holds', { body: { eventId: 42, quantity: 1 } });
      return status === 201 ? 'held' : (body.code as string);
    }),
  );
  const tally = Map.groupBy(outcomes, (outcome) => outcome);
  expect(tally.get('held')).toHaveLength(100);
  expect([...tally.keys()].filter((outcome) => !['held', 'all-held', 'unavailable'].includes(outcome))).toEqual([]);
  expect(await ticketing.rows('select sold, held, capacity from availability where event_id = 42')).toEqual([
    { sold: 0, held: 100, capacity: 100 },
  ]);
  expect(await ticketing.rows(`select count(*)::int as n from orders where status = 'held'`)).toEqual([{ n: 100 }]);
});
