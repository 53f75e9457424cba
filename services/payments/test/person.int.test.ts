import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keepAdOrder } from '../src/ads/orders.ts';
import { highestAccountOf } from '@beltway/kit/personal-data';
import { PERSONAL, erasePerson } from '../src/person.ts';
import { queueAdMail } from '../src/work/ad-mails.ts';
import { rebuild } from '../src/rebuild.ts';
import { recordPartRefund } from './orders.ts';
import { anOrder, startStack, type Stack } from './stack.ts';

const ANN = 7_001;
const ORGANIZER = 7_002;

let stack: Stack;
beforeAll(async () => void (stack = await startStack()));
afterAll(() => stack.stop());

const obstacles = async (userId: number) =>
  ((await stack.call('GET', `/internal/people/${userId}/obstacles`)).body.obstacles as Array<{ text: string }>).map(
    ({ text }) => text,
  );

/** All contents of the payments database, as text. */
async function everything(): Promise<string> {
  const tables = await stack.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public'`,
  );
  return JSON.stringify(
    await Promise.all(tables.map(({ name }) => stack.query(`select to_json(t)::text as row from "${name}" t`))),
  );
}

test('erasure removes a person’s ads and the provider’s customer; payments and the ledger are unchanged to the cent', async () => {
  const order = anOrder({ buyerId: ANN });
  const { paymentId } = (await stack.request(order)).body as { paymentId: string };
  await stack.pay(paymentId);
  await stack.settle(paymentId);
  const adId = randomUUID();
  await keepAdOrder(stack.pool, {
    ...({ id: adId, packageId: 'basic', userId: ANN, language: 'en' } as const),
    ...{ businessName: 'Ann Erased & Daughters', contactEmail: 'ann-erased@example.test', phone: '202-555-0187' },
    ...{ eventTitle: 'Salsa', eventDescription: 'Call Ann Erased', specialRequests: 'Ann Erased wants red' },
  });
  for (const kind of ['ready', 'booked'] as const)
    await queueAdMail(stack.pool, { messageId: randomUUID(), adId, kind });
  const part = (await stack.call('GET', `/internal/people/${ANN}`)).body;
  expect(part).toMatchObject({
    payments: [{ id: order.orderId, amountCents: order.amountCents, status: 'succeeded' }],
    ads: [{ contactEmail: 'ann-erased@example.test' }],
    ...{ payouts: [], payoutAccount: null, isComplete: true },
  });
  expect((await stack.call('GET', `/internal/people/${ANN}`, undefined, { 'x-internal-token': 'guess' })).status).toBe(
    403,
  );
  expect(await stack.query('select user_id from customers where user_id = $1', [ANN])).toHaveLength(1);

  expect(await stack.query(`select (${highestAccountOf(PERSONAL)}) >= ${ANN} as is_known`)).toEqual([
    { is_known: true },
  ]);
  const money = () => stack.query('select * from ledger_entries order by 1, 2, 3');
  const before = await money();
  await erasePerson(stack.pool, ANN);
  await erasePerson(stack.pool, ANN);
  expect(await everything()).not.toMatch(/ann-erased|Ann Erased|555-0187/);
  // The team still gets its mail.
  expect(await stack.query(`select data->>'kind' as kind from jobs`)).toEqual([{ kind: 'booked' }]);
  expect(await stack.query('select user_id from customers where user_id = $1', [ANN])).toEqual([]);
  expect(await money()).toEqual(before);
  expect(
    (await stack.query<{ status: string }>('select status from payments where id = $1', [order.orderId]))[0]?.status,
  ).toBe('succeeded');
  const { tables } = await rebuild(stack.databaseUrl);
  for (const { table, before: was, after } of tables) expect(after, table).toBe(was);
});

test('owed money, refunds and disputes prevent an erasure until they are settled', async () => {
  expect(await obstacles(ORGANIZER)).toEqual([]);
  const order = anOrder({ buyerId: 7_003, organizerId: ORGANIZER });
  const { paymentId } = (await stack.request(order)).body as { paymentId: string };
  expect(await obstacles(7_003)).toEqual([]);
  await stack.pay(paymentId);
  await stack.settle(paymentId);
  expect(await obstacles(ORGANIZER)).toEqual(['money-owed.to-you']);
  const { message } = (await stack.call('GET', `/internal/people/${ORGANIZER}/obstacles`)).body.obstacles[0];
  expect(message).toMatch(/^We owe you \$\d+\.\d\d\./);
  await stack.query(`insert into alerts (payment_id, kind, subject, amount_cents, detail, raised_at)
    values ('${order.orderId}', 'dispute-opened', 'dp_1', 100, 'x', now())`);
  expect(await obstacles(7_003)).toEqual(['dispute-under-way']);
  await stack.query(`update alerts set resolved_at = now() where subject = 'dp_1'`);
  await recordPartRefund(stack, { paymentId: order.orderId, cents: 100 });
  expect(await obstacles(7_003)).toEqual(['refund-under-way']);
});
