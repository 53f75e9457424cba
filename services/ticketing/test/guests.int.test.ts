import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { GuestKey, Hold, MyTickets, Order, OrderLink } from '@beltway/contracts/ticketing/tickets';
import { eventually } from '@beltway/kit/testing';
import { rebuild } from '../src/rebuild.ts';
import { call, onSale, pay, startCheckout, type Ticketing } from './support.ts';

const hold = ({ url }: Ticketing, key?: string, token?: string, quantity = 2) =>
  call(url, 'POST', '/api/holds', {
    body: { eventId: 42, quantity },
    ...(key !== undefined && { headers: { 'idempotency-key': key } }),
    ...(token !== undefined && { token }),
  });
const newKey = async ({ url }: Ticketing) => {
  const answer = await call(url, 'POST', '/api/order-keys');
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([201, 'private, no-store']);
  return GuestKey.parse(answer.body).key;
};
const holder = { ticketHolderName: 'Gail Guest', ticketHolderEmail: 'gail@example.test' };

/** Buys tickets with the calls that the page makes (hold, intent, process), as a guest unless there is a token. */
async function bought(ticketing: Ticketing, token?: string): Promise<Hold> {
  const signed = token === undefined ? {} : { token };
  const held = Hold.parse((await hold(ticketing, token ? undefined : `${await newKey(ticketing)}.1`, token)).body);
  const { orderId, accessKey } = held;
  const intent = await startCheckout(ticketing, { ...holder, orderId, accessKey }, signed);
  const done = await pay(ticketing, intent.body.paymentIntentId, signed);
  expect(done.body.status).toBe('fulfilled');
  return held;
}

type Way = { token?: string; key?: string };
const headersOf = ({ token, key }: Way) => ({
  ...(token !== undefined && { token }),
  ...(key !== undefined && { headers: { 'x-order-key': key } }),
});
/** Requests an order, its PDF and its calendar file; returns the statuses. */
const opens = async ({ url }: Ticketing, orderId: string, way: Way) => {
  const answers = await Promise.all(
    ['', '/tickets.pdf', '/event.ics'].map((file) => call(url, 'GET', `/api/orders/${orderId}${file}`, headersOf(way))),
  );
  return answers.map(({ status }) => status);
};
const claim = ({ url }: Ticketing, orderId: string, way: Way) =>
  call(url, 'POST', `/api/orders/${orderId}/claim`, headersOf(way));
const renew = ({ url }: Ticketing, orderId: string, { token, key }: Way, idempotencyKey?: string) =>
  call(url, 'POST', `/api/orders/${orderId}/link`, {
    ...(token !== undefined && { token }),
    headers: {
      ...(key !== undefined && { 'x-order-key': key }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    },
  });
const myTickets = async ({ url }: Ticketing, token: string) =>
  MyTickets.parse((await call(url, 'GET', '/api/tickets/my-tickets', { token })).body).map(
    ({ ticket }) => ticket.orderId,
  );

test('a guest who guesses the key of another guest gets no data of that guest’s order', async () => {
  const ticketing = await onSale(50);
  const first = await newKey(ticketing);
  expect((await hold(ticketing, first)).status).toBe(201);
  const guesses = [
    'tickets1', // chosen by a client, not made by the server
    'x'.repeat(48),
    first.slice(0, 24), // the random half alone
    `${first.slice(0, -1)}${first.endsWith('A') ? 'B' : 'A'}`,
    `${first.slice(24)}${first.slice(0, 24)}`,
    `${first}x`,
    `.${first}`,
  ];
  for (const guess of guesses) {
    const { status, body } = await hold(ticketing, guess);
    expect([status, body.errors?.[0]?.field], guess).toEqual([400, 'Idempotency-Key']);
    expect(JSON.stringify(body)).not.toContain('accessKey');
    const intent = await startCheckout(ticketing, holder, { headers: { 'idempotency-key': guess } });
    expect([intent.status, intent.body.errors?.[0]?.field], guess).toEqual([400, 'Idempotency-Key']);
  }
  expect(await ticketing.rows('select count(*)::int as n from orders')).toEqual([{ n: 1 }]);
});

test('server keys are long and never repeat; only the same key returns the same order', async () => {
  const ticketing = await onSale(50);
  const keys = await Promise.all(Array.from({ length: 50 }, () => newKey(ticketing)));
  expect(new Set(keys.map((key) => key.slice(0, 24))).size).toBe(50);
  expect(keys.every((key) => /^[\w-]{48}$/.test(key))).toBe(true);
  const [ann = '', bob = ''] = keys;
  const answers = [
    await hold(ticketing, `${ann}.first`),
    await hold(ticketing, `${ann}.first`),
    await hold(ticketing, `${ann}.second`),
    await hold(ticketing, `${bob}.first`),
  ];
  const [one, again, two, other] = answers.map(({ body }) => body as Hold);
  expect(again).toEqual(one);
  expect(new Set([one, two, other].map((held) => held?.orderId)).size).toBe(3);
});

test('two accounts that choose the same idempotency key get separate orders', async () => {
  const ticketing = await onSale(50);
  const [ann, bob] = [await ticketing.identity.tokenFor({ id: 3 }), await ticketing.identity.tokenFor({ id: 4 })];
  const [mine, again, others] = [
    await hold(ticketing, 'tickets1', ann),
    await hold(ticketing, 'tickets1', ann),
    await hold(ticketing, 'tickets1', bob),
  ];
  expect(again.body).toEqual(mine.body);
  expect(others.body.orderId).not.toBe(mine.body.orderId);
});

test('a guest saves bought tickets to an account: the tickets are in My Tickets, and the link no longer opens them', async () => {
  const ticketing = await onSale(50);
  const { orderId, accessKey } = await bought(ticketing);
  const ann = await ticketing.identity.tokenFor({ id: 3 });
  expect(await myTickets(ticketing, ann)).toEqual([]);
  expect(
    (await call(ticketing.url, 'GET', `/api/orders/${orderId}`, headersOf({ key: accessKey }))).body.claimable,
  ).toBe(true);

  const claimed = await claim(ticketing, orderId, { token: ann, key: accessKey });
  expect(claimed.status).toBe(200);
  expect(Order.parse(claimed.body)).toMatchObject({ orderId, claimable: false, quantity: 2 });
  expect(await myTickets(ticketing, ann)).toEqual([orderId, orderId]);
  expect(await opens(ticketing, orderId, { token: ann })).toEqual([200, 200, 200]);
  expect(await opens(ticketing, orderId, { key: accessKey })).toEqual([404, 404, 404]);
  // A repeat, with or without the same key, returns the same order and appends no log event.
  expect((await claim(ticketing, orderId, { token: ann, key: accessKey })).body).toEqual(claimed.body);
  expect((await claim(ticketing, orderId, { token: ann })).status).toBe(200);
  expect(await ticketing.rows(`select data from events where type = 'OrderClaimed'`)).toEqual([
    { data: { orderId, quantity: 2, buyerId: 3, linkGeneration: 1 } },
  ]);
});

test('a claimed order cannot be claimed by a second account', async () => {
  const ticketing = await onSale(50);
  const { orderId, accessKey } = await bought(ticketing);
  const [ann, bob] = [await ticketing.identity.tokenFor({ id: 3 }), await ticketing.identity.tokenFor({ id: 4 })];
  await claim(ticketing, orderId, { token: ann, key: accessKey });
  expect((await claim(ticketing, orderId, { token: bob, key: accessKey })).status).toBe(404);
  // Ann gives Bob her current link. He may view the order but not claim it.
  const { accessKey: present } = OrderLink.parse((await renew(ticketing, orderId, { token: ann })).body);
  const refused = await claim(ticketing, orderId, { token: bob, key: present });
  expect([refused.status, refused.body.code]).toEqual([409, 'order-claimed']);
  expect(await myTickets(ticketing, bob)).toEqual([]);
  expect(await myTickets(ticketing, ann)).toHaveLength(2);
});

test('an order is claimed only with its key: not with its id, with another order’s key, or when signed out', async () => {
  const ticketing = await onSale(50);
  const [{ orderId, accessKey }, other] = [await bought(ticketing), await bought(ticketing)];
  const bob = await ticketing.identity.tokenFor({ id: 4 });
  expect((await claim(ticketing, orderId, { token: bob })).status).toBe(404);
  expect((await claim(ticketing, orderId, { token: bob, key: other.accessKey })).status).toBe(404);
  expect((await claim(ticketing, orderId, { key: accessKey })).status).toBe(401);
  expect(
    (await call(ticketing.url, 'POST', `/api/orders/${orderId}/claim?key=${accessKey}`, { token: bob })).status,
  ).toBe(404);
  expect(await opens(ticketing, orderId, { key: accessKey })).toEqual([200, 200, 200]);
});

test('two accounts claim the same order concurrently: one gets it', async () => {
  const ticketing = await onSale(50);
  for (let round = 0; round < 5; round++) {
    const { orderId, accessKey } = await bought(ticketing);
    const ids = [10 + round, 30 + round, 50 + round];
    const tokens = await Promise.all(ids.map((id) => ticketing.identity.tokenFor({ id })));
    const answers = await Promise.all(tokens.map((token) => claim(ticketing, orderId, { token, key: accessKey })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
    const winner = ids[answers.findIndex(({ status }) => status === 200)];
    expect(await ticketing.rows('select buyer_id as buyer from orders where order_id = $1', [orderId])).toEqual([
      { buyer: winner },
    ]);
  }
});

test('an order cannot be claimed before it is paid, or if it belongs to an account', async () => {
  const ticketing = await onSale(50);
  const [ann, bob] = [await ticketing.identity.tokenFor({ id: 3 }), await ticketing.identity.tokenFor({ id: 4 })];
  const held = (await hold(ticketing)).body as Hold;
  const early = await claim(ticketing, held.orderId, { token: ann, key: held.accessKey });
  expect([early.status, early.body.code]).toEqual([409, 'not-bought']);
  const { orderId, accessKey } = await bought(ticketing, ann);
  const taken = await claim(ticketing, orderId, { token: bob, key: accessKey });
  expect([taken.status, taken.body.code]).toEqual([409, 'order-claimed']);
});

test('after a renewal the previous link opens neither the order nor its files, and can be used neither to claim nor to renew', async () => {
  const ticketing = await onSale(50);
  const { orderId, accessKey: old } = await bought(ticketing);
  const ann = await ticketing.identity.tokenFor({ id: 3 });
  const answer = await renew(ticketing, orderId, { key: old }, 'renewal-of-today');
  const { accessKey } = OrderLink.parse(answer.body);
  expect(await opens(ticketing, orderId, { key: old })).toEqual([404, 404, 404]);
  expect((await claim(ticketing, orderId, { token: ann, key: old })).status).toBe(404);
  expect((await renew(ticketing, orderId, { key: old })).status).toBe(404);
  expect((await renew(ticketing, orderId, { key: old }, 'another-renewal')).status).toBe(404);
  expect(await opens(ticketing, orderId, { key: accessKey })).toEqual([200, 200, 200]);
  // A client that lost the response repeats the request with the old access key and gets the same link.
  expect((await renew(ticketing, orderId, { key: old }, 'renewal-of-today')).body).toEqual(answer.body);
  expect(await ticketing.rows(`select data from events where type = 'LinkRenewed'`)).toEqual([
    { data: { orderId, linkGeneration: 1 } },
  ]);
});

test('a link can be renewed five times an hour, even concurrently; the buyer’s account more often', async () => {
  const ticketing = await onSale(50);
  const ann = await ticketing.identity.tokenFor({ id: 3 });
  const order = await bought(ticketing, ann);
  const { orderId } = order;
  let key = order.accessKey;
  for (let turn = 0; turn < 5; turn++) {
    const answers = await Promise.all(Array.from({ length: 5 }, () => renew(ticketing, orderId, { key })));
    const granted = answers.filter(({ status }) => status === 200);
    expect(granted).toHaveLength(1);
    ({ accessKey: key } = OrderLink.parse(granted[0]!.body));
  }
  const sixth = await renew(ticketing, orderId, { key });
  expect([sixth.status, sixth.body.code]).toEqual([429, 'too-many-links']);
  const seconds = Number(sixth.headers.get('retry-after'));
  expect(seconds).toBeGreaterThan(3_000);
  expect(seconds).toBeLessThanOrEqual(3_600);
  expect(await opens(ticketing, orderId, { key })).toEqual([200, 200, 200]);

  // The holder of the link cannot keep the buyer from revoking it.
  const own = OrderLink.parse((await renew(ticketing, orderId, { token: ann })).body);
  expect(await opens(ticketing, orderId, { key })).toEqual([404, 404, 404]);
  ticketing.time.offsetMs = 3_601_000;
  expect((await renew(ticketing, orderId, { key: own.accessKey })).status).toBe(200);
});

test('after a link was revoked, repeating the hold or the intent returns no working link', async () => {
  const ticketing = await onSale(50);
  const key = await newKey(ticketing);
  const headers = { 'idempotency-key': key };
  const ask = () => startCheckout(ticketing, holder, { headers });
  const { orderId, accessKey: old, paymentIntentId } = (await ask()).body;
  await pay(ticketing, paymentIntentId);
  const { accessKey } = OrderLink.parse((await renew(ticketing, orderId, { key: old })).body);
  for (const { body } of [await ask(), await hold(ticketing, key)]) {
    expect(JSON.stringify(body)).not.toContain(accessKey);
    if (body.accessKey) expect(await opens(ticketing, orderId, { key: body.accessKey })).toEqual([404, 404, 404]);
  }
});

test('after a concurrent claim and renewal, in either order, no earlier link works', async () => {
  const ticketing = await onSale(50);
  const ann = await ticketing.identity.tokenFor({ id: 3 });
  for (let round = 0; round < 8; round++) {
    const { orderId, accessKey } = await bought(ticketing);
    const [claimed, renewed] = await Promise.all([
      claim(ticketing, orderId, { token: ann, key: accessKey }),
      renew(ticketing, orderId, { key: accessKey }),
    ]);
    expect([claimed?.status, renewed?.status].sort()).toEqual([200, 404]);
    expect(await opens(ticketing, orderId, { key: accessKey })).toEqual([404, 404, 404]);
    if (claimed?.status === 404)
      expect((await claim(ticketing, orderId, { token: ann, key: renewed?.body.accessKey })).status).toBe(200);
    expect(await opens(ticketing, orderId, { token: ann })).toEqual([200, 200, 200]);
  }
});

test('the new link is mailed to the buyer, with its key in the fragment', async () => {
  const ticketing = await onSale(50);
  const { orderId, accessKey: old } = await bought(ticketing);
  const { accessKey } = OrderLink.parse((await renew(ticketing, orderId, { key: old })).body);
  const mails = async () => {
    const folder = join(ticketing.dataDir, 'mail');
    const names = (await readdir(folder)).filter((name) => name.endsWith('.json'));
    return Promise.all(
      names.map(async (name) => JSON.parse(await readFile(join(folder, name), 'utf8')) as Record<string, string>),
    );
  };
  const mail = await eventually(async () => (await mails()).find(({ id }) => id?.startsWith('new-link-')) ?? false);
  expect(mail).toMatchObject({ to: 'gail@example.test', subject: 'Your new link for Night 42' });
  expect(mail['text']).toContain(`orderId=${orderId}#key=${accessKey}`);
  for (const { text = '' } of await mails()) expect(text).not.toMatch(/\?[^#\s]*key=/);
});

test('claims and renewed links survive a rebuild', async () => {
  const ticketing = await onSale(50);
  const [claimed, renewed] = [await bought(ticketing), await bought(ticketing)];
  const ann = await ticketing.identity.tokenFor({ id: 3 });
  await renew(ticketing, claimed.orderId, { key: claimed.accessKey }, 'a-renewal');
  const { accessKey: second } = (await renew(ticketing, claimed.orderId, { key: claimed.accessKey }, 'a-renewal')).body;
  await claim(ticketing, claimed.orderId, { token: ann, key: second });
  const { accessKey } = (await renew(ticketing, renewed.orderId, { key: renewed.accessKey })).body;
  const { tables } = await rebuild(ticketing.databaseUrl);
  for (const { table, before, after } of tables) expect(after, table).toBe(before);
  expect(await myTickets(ticketing, ann)).toEqual([claimed.orderId, claimed.orderId]);
  expect(await opens(ticketing, claimed.orderId, { key: second })).toEqual([404, 404, 404]);
  expect(await opens(ticketing, renewed.orderId, { key: accessKey })).toEqual([200, 200, 200]);
});

test('an order’s key in a query grants nothing, since queries are logged in transit', async () => {
  const ticketing = await onSale(50);
  const { orderId, accessKey } = await bought(ticketing);
  for (const file of ['', '/tickets.pdf', '/event.ics'])
    expect((await call(ticketing.url, 'GET', `/api/orders/${orderId}${file}?key=${accessKey}`)).status).toBe(404);
});
