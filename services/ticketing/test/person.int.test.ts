import { expect, test } from 'vitest';
import { endOf } from '@beltway/contracts/common/times';
import { eventually } from '@beltway/kit/testing';
import { highestAccountOf } from '@beltway/kit/personal-data';
import { PERSONAL, erasePerson } from '../src/person.ts';
import { queueTicketsAgain } from '../src/mail/queue.ts';
import { rebuild } from '../src/rebuild.ts';
import {
  TOKEN,
  call,
  eventState,
  onSale,
  pay,
  putOnSale,
  startCheckout,
  type Ticketing,
  mailsIn,
  wereSent,
} from './support.ts';

const ann = { id: 31, email: 'ann-erased@example.test' };
const bob = { id: 32, email: 'bob@example.test' };
const internal = { headers: { 'x-internal-token': TOKEN } };

async function buys(ticketing: Ticketing, who: typeof ann, name: string, eventId = 42) {
  const token = await ticketing.identity.tokenFor({ id: who.id });
  const { body } = await startCheckout(
    ticketing,
    { eventId, ticketHolderName: name, ticketHolderEmail: who.email },
    { token },
  );
  const paymentId = String(body['paymentIntentId']);
  return { token, orderId: String(body['orderId']), accessKey: String(body['accessKey']), paymentId };
}
const obstacles = async ({ url }: Ticketing, { id }: { id: number }) =>
  (
    (await call(url, 'GET', `/internal/people/${id}/obstacles`, internal)).body['obstacles'] as Array<{ text: string }>
  ).map(({ text }) => text);

/** All contents of ticketing's database, as text. */
async function everything({ rows }: Ticketing): Promise<string> {
  const tables = await rows(`select table_name as name from information_schema.tables where table_schema = 'public'`);
  const contents = await Promise.all(
    tables.map(({ name }) => rows(`select to_json(t)::text as row from "${String(name)}" t`)),
  );
  return JSON.stringify(contents);
}

test('erasure removes a buyer from their orders; tickets, link and money stay, and no mail is sent', async () => {
  const ticketing = await onSale(100);
  const order = await buys(ticketing, ann, 'Ann Erased');
  expect((await pay(ticketing, order.paymentId, { token: order.token })).status).toBe(200);
  const others = await buys(ticketing, bob, 'Bob Stays');
  expect((await pay(ticketing, others.paymentId, { token: others.token })).status).toBe(200);

  await eventually(() => wereSent(ticketing, 2));
  const part = (await call(ticketing.url, 'GET', `/internal/people/${ann.id}`, internal)).body as {
    orders: Array<{ tickets: unknown[]; mails: unknown[]; holderEmail: string }>;
  };
  expect(part.orders).toHaveLength(1);
  expect(part.orders[0]).toMatchObject({ holderEmail: ann.email, holderName: 'Ann Erased', status: 'fulfilled' });
  expect([part.orders[0]!.tickets.length, part.orders[0]!.mails.length]).toEqual([2, 1]);
  expect((await call(ticketing.url, 'GET', `/internal/people/${ann.id}`)).status).toBe(403);

  expect(await ticketing.rows(`select (${highestAccountOf(PERSONAL)}) >= ${bob.id} as is_known`)).toEqual([
    { is_known: true },
  ]);
  await ticketing.rows(
    `update jobs set status = 'failed', last_error = 'no such mailbox: ann-erased@example.test' where key like $1`,
    [`${order.orderId}/%`],
  );
  const codes = await ticketing.rows('select code, refund_id from tickets order by code');
  await erasePerson(ticketing.deps.pool, ann.id);
  await erasePerson(ticketing.deps.pool, ann.id);
  expect(await everything(ticketing)).not.toMatch(/ann-erased|Ann Erased/);
  expect(await everything(ticketing)).toContain(bob.email);
  expect(await ticketing.rows('select code, refund_id from tickets order by code')).toEqual(codes);
  const opened = await call(ticketing.url, 'GET', `/api/orders/${order.orderId}`, {
    headers: { 'x-order-key': order.accessKey },
  });
  expect(opened.body).toMatchObject({
    status: 'fulfilled',
    ticketHolderName: 'Deleted account',
    ticketHolderEmail: '',
  });
  expect((await mailsIn(ticketing)).map(({ orderId }) => orderId)).toEqual([others.orderId]);
  const { tables } = await rebuild(ticketing.databaseUrl);
  for (const { table, before, after } of tables) expect(after, table).toBe(before);
});

test('a mail that is queued after the erasure is dropped', async () => {
  const ticketing = await onSale(100);
  const order = await buys(ticketing, ann, 'Ann Erased');
  await pay(ticketing, order.paymentId, { token: order.token });
  await erasePerson(ticketing.deps.pool, ann.id);
  expect(await queueTicketsAgain(ticketing.deps.pool, order.orderId)).toBe(true);
  await eventually(async () => (await mailsIn(ticketing, 'tickets:again-1'))[0]?.status === 'dropped');
});

test('refunds in progress and upcoming events with sold tickets are obstacles until they are over', async () => {
  const ticketing = await onSale(100);
  const organizer = { id: 7 };
  expect(await obstacles(ticketing, organizer)).toEqual([]);
  expect(await obstacles(ticketing, ann)).toEqual([]);
  const order = await buys(ticketing, ann, 'Ann');
  expect(await obstacles(ticketing, ann)).toEqual(['checkout-under-way']);
  await pay(ticketing, order.paymentId, { token: order.token });
  expect(await obstacles(ticketing, ann)).toEqual([]);
  expect(await obstacles(ticketing, organizer)).toEqual(['events-to-come']);
  const { eventDate, eventStartTime, eventEndTime } = eventState(42, 100);
  ticketing.time.offsetMs = endOf({ eventDate, eventStartTime, eventEndTime }).getTime() - Date.now() + 60_000;
  expect(await obstacles(ticketing, organizer)).toEqual([]);
});

test('data that is written during an erasure is removed by the next run', async () => {
  const ticketing = await onSale(100);
  await putOnSale(ticketing, eventState(43, 10));
  await erasePerson(ticketing.deps.pool, ann.id);
  const late = await buys(ticketing, ann, 'Ann Erased', 43);
  expect(await everything(ticketing)).toContain(ann.email);
  await erasePerson(ticketing.deps.pool, ann.id);
  expect(await everything(ticketing)).not.toMatch(/ann-erased|Ann Erased/);
  expect(late.orderId).toBeTruthy();
});
