import { request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { CustomerList, CustomerPage, CustomerTotals, type Customer } from '@beltway/contracts/ticketing/customers';
import { GENERAL } from '@beltway/contracts/ticketing/order-lines';
import { OrderAnalytics } from '@beltway/contracts/payments/platform';
import { logger } from '@beltway/kit/logger';
import { openPool } from '@beltway/kit/postgres';
import { eventually } from '@beltway/kit/testing';
import { fillTables } from '@beltway/kit/testing-plans';
import { openReportPool } from '../src/customer/pool.ts';
import { customersOf, prepareSearch } from '../src/customer/queries.ts';
import {
  call,
  eventState,
  message,
  pay,
  putOnSale,
  startCheckout,
  startTicketing,
  TOKEN,
  type Ticketing,
} from './support.ts';

const PATH = '/api/tickets/customers';
/** SQL that derives an order id, a UUID of version 4, from `n`. */
const idOf = (prefix: string) =>
  `overlay(overlay(md5('${prefix}' || n) placing '4' from 13) placing '8' from 17)::uuid`;
/** SQL for the lines of a general admission order. */
const lines = (quantity: number, priceCents: number) =>
  `'${JSON.stringify([{ ...GENERAL, quantity, priceCents }])}'::jsonb`;
const ORGANIZER = 7;

async function onSale() {
  const ticketing = await startTicketing();
  await putOnSale(
    ticketing,
    eventState(42, 100, { ownerId: ORGANIZER, title: 'Go-Go 100% Night', location: '9:30 Club' }),
    eventState(43, 100, { ownerId: ORGANIZER, title: 'Jazz' }),
    eventState(44, 100, { ownerId: 8, title: 'Elsewhere' }),
  );
  const { identity, url } = ticketing;
  const tokens = {
    organizer: await identity.tokenFor({ id: ORGANIZER, role: 'business' }),
    other: await identity.tokenFor({ id: 8, role: 'business' }),
    admin: await identity.tokenFor({ id: 1, role: 'admin' }),
    user: await identity.tokenFor({ id: ORGANIZER, role: 'user' }),
  };
  type Who = keyof typeof tokens;
  const get = (path: string, who?: Who) => call(url, 'GET', path, who ? { token: tokens[who] } : {});
  const list = async (who: Who = 'organizer') => CustomerList.parse((await get(PATH, who)).body);
  const page = async (query: Record<string, string>, who: Who = 'organizer') =>
    CustomerPage.parse((await get(`${PATH}?${new URLSearchParams(query).toString()}`, who)).body);
  const names = async (q: string, who: Who = 'organizer') =>
    (await page({ q }, who)).items.map(({ customerName }) => customerName);
  return { ...ticketing, get, list, page, names };
}

async function buy(ticketing: Pick<Ticketing, 'url' | 'fake'>, name: string, change: object = {}) {
  const who = { ticketHolderName: name, ticketHolderEmail: `${Math.random()}@example.test`, quantity: 1, ...change };
  const { body } = await startCheckout(ticketing, who);
  expect((await pay(ticketing, body.paymentIntentId)).body.status).toBe('fulfilled');
  return body as { orderId: string; paymentIntentId: string };
}

/** Publishes a full refund made in the provider's dashboard and waits until the order is refunding. */
async function withdraw({ bus, rows }: Ticketing, { orderId, paymentIntentId }: Awaited<ReturnType<typeof buy>>) {
  const facts = { orderId, eventId: 42, paymentId: paymentIntentId, amountCents: 2550 };
  const data = { ...facts, cause: 'refunded-by-provider' };
  await bus.publish('payments.events', [message('payments.money-withdrawn', `payment-${orderId}`, data)]);
  await eventually(
    async () => (await rows(`select 1 from orders where order_id = $1 and status = 'refunding'`, [orderId])).length,
  );
}

test('organizers see the buyers of their own events, admins see all; newest first, with the specification’s field names', async () => {
  const ticketing = await onSale();
  const { list, page } = ticketing;
  expect(await list()).toEqual([]);
  const first = await buy(ticketing, 'Ann', { quantity: 2, ticketHolderEmail: 'Ann@Example.test' });
  await buy(ticketing, 'Bob', { eventId: 43 });
  await buy(ticketing, 'Cid', { eventId: 44 });
  const pending = await startCheckout(ticketing, {
    ticketHolderName: 'Dee',
    ticketHolderEmail: 'dee@example.test',
    quantity: 3,
  });
  // A hold without a name is not listed.
  await call(ticketing.url, 'POST', '/api/holds', { body: { eventId: 42, quantity: 1 } });
  const rows = await list();
  expect(rows.map(({ customerName, paymentStatus }) => [customerName, paymentStatus])).toEqual([
    ['Dee', 'pending'],
    ['Bob', 'completed'],
    ['Ann', 'completed'],
  ]);
  expect(rows[0]).toMatchObject({ id: pending.body.orderId, ticketId: null, quantity: 3, totalAmount: 76.5 });
  expect(rows[2]).toMatchObject({
    ...{ id: first.orderId, customerName: 'Ann', customerEmail: 'Ann@Example.test', eventTitle: 'Go-Go 100% Night' },
    ...{
      ticketPrice: 25.5,
      quantity: 2,
      totalAmount: 51,
      paymentStatus: 'completed',
      refund: null,
      returnedTickets: 0,
    },
    ...{ eventLocation: '9:30 Club', ticketId: expect.any(String) },
  });
  expect(JSON.stringify(rows)).not.toMatch(/BW1\.|accessKey|ticketCode|pi_/);
  expect((await list('other')).map(({ customerName }) => customerName)).toEqual(['Cid']);
  expect((await list('admin')).map(({ customerName }) => customerName)).toEqual(['Dee', 'Cid', 'Bob', 'Ann']);
  const byStatus = async (status: string) => (await page({ status })).items.map(({ customerName }) => customerName);
  expect(await byStatus('paid')).toEqual(['Bob', 'Ann']);
  expect(await byStatus('pending')).toEqual(['Dee']);
  await withdraw(ticketing, first);
  expect((await page({ q: 'ann' })).items[0]).toMatchObject({ paymentStatus: 'completed', refund: 'refunding' });
});

test('across pages each order appears once, even orders of the same instant and orders bought in between', async () => {
  const ticketing = await onSale();
  const { page, rows } = ticketing;
  for (let n = 0; n < 7; n++) await buy(ticketing, `B${n}`, { eventId: n % 2 ? 42 : 43 });
  await startCheckout(ticketing, { ticketHolderName: 'P', quantity: 1 });
  await rows(`update orders set held_at = '2026-11-01T05:30:00.123456Z' where status = 'fulfilled'`);
  for (const who of ['organizer', 'admin'] as const) {
    const seen: Customer[] = [];
    let cursor: string | null = '';
    for (let turn = 0; cursor !== null; turn++) {
      const { items, nextCursor }: CustomerPage = await page({ limit: '2', ...(cursor && { cursor }) }, who);
      seen.push(...items);
      cursor = nextCursor;
      if (turn === 0) await buy(ticketing, `Late ${who}`);
    }
    const known = seen.filter(({ customerName }) => !customerName.startsWith('Late'));
    expect([known.length, new Set(known.map(({ id }) => id)).size]).toEqual([8, 8]);
    expect(seen[0]!.customerName).not.toBe(`Late ${who}`);
  }
});

test('a search finds parts of names, addresses, titles and order numbers, as text and nothing else', async () => {
  const ticketing = await onSale();
  const { names, page, list } = ticketing;
  await buy(ticketing, 'Zoë "Z" O’Neil', { ticketHolderEmail: 'zoe_100@example.test' });
  await buy(ticketing, "Robert'); drop table orders;--", { eventId: 43, ticketHolderEmail: 'bob@example.test' });
  await buy(ticketing, 'דנה כהן', { ticketHolderEmail: 'dana@example.test' });
  await buy(ticketing, '=SUM(A1)', { eventId: 44 });
  await startCheckout(ticketing, { ticketHolderName: 'At the checkout', eventId: 43, quantity: 1 });
  expect(await names('ZOË')).toEqual(['Zoë "Z" O’Neil']);
  for (const q of ['zoe', 'o’neil zoë', "o'neil", 'oneil Zoe', 'zoe_100 oneil'])
    expect(await names(q), q).toHaveLength(1);
  expect(await names('neil zoe')).toEqual([]);
  expect(await names('’')).toEqual([]);
  expect(await names('night 100%')).toEqual(await names('100% night'));
  expect(await names('zoe_100@')).toEqual(['Zoë "Z" O’Neil']);
  expect(await names('zoe?100')).toEqual([]);
  expect(await names('%%%')).toEqual([]);
  expect(await names('___')).toEqual([]);
  expect(await names('\\\\\\')).toEqual([]);
  expect(await names("'); drop")).toEqual(["Robert'); drop table orders;--"]);
  expect(await names('כהן')).toEqual(['דנה כהן']);
  expect(await names('100% night')).toEqual(['דנה כהן', 'Zoë "Z" O’Neil']);
  expect(await names('%')).toEqual(['דנה כהן', 'Zoë "Z" O’Neil']);
  expect(await names('jazz')).toEqual(['At the checkout', "Robert'); drop table orders;--"]);
  expect((await page({ q: 'jazz', status: 'paid' })).items).toHaveLength(1);
  expect((await page({ q: 'jazz', status: 'pending' })).items).toHaveLength(1);
  const [row] = (await list()).slice(-1);
  expect(await names(row!.orderNumber!.toLowerCase())).toEqual([row!.customerName]);
  // Another organizer's order is not found by name, title or number.
  const [foreign] = await list('other');
  for (const q of ['=SUM(A1)', 'elsewhere', foreign!.orderNumber!]) {
    expect(await names(q), q).toEqual([]);
    expect(await names(q, 'admin'), q).toEqual(['=SUM(A1)']);
  }
  // Invisible characters are ignored, as in every text that users send; a line break counts as a space.
  for (const q of ['zo\0ë', '\u202EZoë', 'zoë\n"z"']) expect(await names(q), q).toEqual(['Zoë "Z" O’Neil']);
  const tooLong = new URLSearchParams({ q: 'x'.repeat(101) }).toString();
  expect((await ticketing.get(`${PATH}?${tooLong}`, 'organizer')).status).toBe(400);
});

test('a text that thousands of orders match is still found page by page', async () => {
  const ticketing = await onSale();
  await buy(ticketing, 'Ann Common');
  await ticketing.rows(`
    insert into checkouts (order_id, holder_name, holder_email)
      select ${idOf('c')}, 'Common ' || n, 'common' || n || '@example.test' from generate_series(1, 2500) n;
    insert into orders (order_id, event_id, quantity, lines, total_cents, status, held_at, hold_until)
      select ${idOf('c')}, 44, 1, ${lines(1, 100)}, 100, 'fulfilled', now() - n * interval '1 second', now() from generate_series(1, 2500) n`);
  expect(await ticketing.names('common')).toEqual(['Ann Common']);
  const { items, nextCursor } = await ticketing.page({ q: 'common', limit: '100' }, 'admin');
  expect([items.length, nextCursor === null]).toEqual([100, false]);
  expect(await ticketing.names('common 2499', 'admin')).toEqual(['Common 2499']);
});

test('totals cover all purchases, not only the page: money that was not refunded, and buyers counted by email address in any case', async () => {
  const ticketing = await onSale();
  const { get, time } = ticketing;
  const totals = async (who: 'organizer' | 'admin' | 'other' = 'organizer') => {
    time.offsetMs += 11_000;
    return CustomerTotals.parse((await get(`${PATH}/totals`, who)).body);
  };
  expect(await totals()).toEqual({ uniqueBuyers: 0, totalRevenue: 0, totalTickets: 0, averageOrderValue: 0 });
  const ann = await buy(ticketing, 'Ann', { quantity: 2, ticketHolderEmail: 'ann@example.test' });
  await buy(ticketing, 'Ann L.', { ticketHolderEmail: 'ANN@example.test', eventId: 43 });
  const back = await buy(ticketing, 'Bob', { quantity: 4 });
  await buy(ticketing, 'Cid', { eventId: 44 });
  await startCheckout(ticketing, { ticketHolderName: 'Dee' });
  await withdraw(ticketing, back);
  expect(await totals()).toEqual({ uniqueBuyers: 1, totalRevenue: 76.5, totalTickets: 3, averageOrderValue: 38.25 });
  expect(await totals('other')).toEqual({
    uniqueBuyers: 1,
    totalRevenue: 25.5,
    totalTickets: 1,
    averageOrderValue: 25.5,
  });
  expect(await totals('admin')).toEqual({ uniqueBuyers: 2, totalRevenue: 102, totalTickets: 4, averageOrderValue: 34 });
  // One of Ann's two tickets is refunded, so only the other one counts.
  const token = await ticketing.identity.tokenFor({ id: ORGANIZER, role: 'business' });
  const managed = await call(ticketing.url, 'GET', `/api/orders/${ann.orderId}/managed`, { token });
  const ticketIds = [managed.body.tickets[0].id as string];
  const refund = { token, body: { ticketIds }, headers: { 'idempotency-key': crypto.randomUUID() } };
  expect((await call(ticketing.url, 'POST', `/api/orders/${ann.orderId}/refund`, refund)).status).toBe(200);
  expect(await totals()).toEqual({ uniqueBuyers: 1, totalRevenue: 51, totalTickets: 2, averageOrderValue: 25.5 });
  const [row] = (await ticketing.page({ q: 'Ann ', status: 'paid' })).items.slice(-1);
  expect(row).toMatchObject({ quantity: 2, returnedTickets: 1, totalAmount: 51, refund: null });
  const orders = async (who: 'organizer' | 'admin') =>
    OrderAnalytics.parse((await get('/api/platform/analytics/orders', who)).body);
  expect(await orders('organizer')).toEqual({ holds: 4, paid: 3 });
  expect(await orders('admin')).toEqual({ holds: 5, paid: 4 });
  const sold = async (query: string) =>
    (await call(ticketing.url, 'GET', `/internal/tickets-sold${query}`, { headers: { 'x-internal-token': TOKEN } }))
      .body;
  expect(await sold('')).toEqual({ tickets: 3 });
  expect(await sold('?organizerId=8')).toEqual({ tickets: 1 });
  expect((await get('/internal/tickets-sold', 'admin')).status).toBe(403);
});

describe('the CSV file', () => {
  test('has the rows that match the filter, and no field is a formula', async () => {
    const ticketing = await onSale();
    await buy(ticketing, '=HYPERLINK("https://evil.test","Ann")', { ticketHolderEmail: 'ann@example.test' });
    await buy(ticketing, 'Zoë, "Z"', { eventId: 43, quantity: 3 });
    await startCheckout(ticketing, { ticketHolderName: '@SUM(A1)', quantity: 1 });
    const file = await ticketing.get(`${PATH}.csv`, 'organizer');
    expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(file.headers.get('content-disposition')).toBe('attachment; filename="customers.csv"');
    expect(file.headers.get('cache-control')).toBe('private, no-store');
    const lines = String(file.body).split('\r\n');
    expect(lines).toHaveLength(5);
    expect(lines[1]).toContain(`"'@SUM(A1)"`);
    expect(lines[1]).toMatch(/"\d{4}-\d\d-\d\d",.*"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d",/);
    expect(lines[2]).toContain(`"Zoë, ""Z""",`);
    expect(lines[2]).toContain(`"25.50","3","76.50"`);
    expect(lines[3]).toContain(`"'=HYPERLINK(""https://evil.test"",""Ann"")","ann@example.test"`);
    const narrowed = String((await ticketing.get(`${PATH}.csv?q=jazz&status=paid`, 'organizer')).body).split('\r\n');
    expect(narrowed).toHaveLength(3);
    expect(String((await ticketing.get(`${PATH}.csv`, 'other')).body)).not.toContain('ann@example.test');
  });

  test('is not read any further after the client disconnects', async () => {
    const ticketing = await onSale();
    await ticketing.rows(`
      insert into checkouts (order_id, holder_name, holder_email, number)
        select ${idOf('c')}, repeat('Long ', 19), n || '@example.test', n from generate_series(1, 40000) n;
      insert into orders (order_id, event_id, quantity, lines, total_cents, status, held_at, hold_until)
        select ${idOf('c')}, 42, 1, ${lines(1, 100)}, 100, 'fulfilled', now() - n * interval '1 second', now() from generate_series(1, 40000) n`);
    const token = await ticketing.identity.tokenFor({ id: 1, role: 'admin' });
    const pool = ticketing.deps.reportPool;
    let asked = 0;
    const query = pool.query.bind(pool) as (...all: unknown[]) => unknown;
    pool.query = ((...all: unknown[]) => (asked++, query(...all))) as never;
    await new Promise<void>((resolve) => {
      const sent = request(
        `${ticketing.url}${PATH}.csv`,
        { headers: { authorization: `Bearer ${token}` } },
        (answer) => {
          answer.once('data', () => {
            answer.destroy();
            resolve();
          });
        },
      );
      sent.end();
    });
    await eventually(async () => {
      const before = asked;
      await pause(100);
      return asked === before;
    });
    // There are 80 pages of 500 orders, but only those that fit into the socket buffers were read.
    expect(asked).toBeLessThan(60);
  });
});

test('roles: a token is needed, and users and organizers of other events are refused', async () => {
  const ticketing = await onSale();
  await buy(ticketing, 'Ann', { ticketHolderEmail: 'ann@example.test' });
  const paths = [PATH, `${PATH}?limit=1`, `${PATH}/totals`, `${PATH}.csv`, '/api/platform/analytics/orders'];
  for (const path of paths) {
    expect((await ticketing.get(path)).status, path).toBe(401);
    const refused = await ticketing.get(path, 'user');
    expect([refused.status, JSON.stringify(refused.body)], path).toEqual([403, expect.not.stringContaining('Ann')]);
    expect(JSON.stringify((await ticketing.get(path, 'other')).body), path).not.toContain('ann@example.test');
  }
  const tampered = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url');
  const uuid = '0b9e6f2c-5d0a-4f53-9c1e-0a6d4c9c7f10';
  for (const cursor of [
    'rubbish',
    tampered('1'),
    tampered('x', uuid),
    tampered('1', `${uuid}; select`),
    tampered('-1', uuid),
    tampered('999999999999999999', uuid),
  ]) {
    const { status, body } = await ticketing.get(`${PATH}?cursor=${cursor}`, 'organizer');
    expect([status, body.code, body.errors?.[0]?.field], cursor).toEqual([400, 'bad-cursor', 'cursor']);
  }
  // A cursor from another list is well-formed, but gives no access to that list.
  const far = tampered('99999999999999999', uuid);
  expect((await ticketing.page({ cursor: far }, 'other')).items).toEqual([]);
  for (const query of ['limit=0', 'limit=101', 'limit=x', 'status=refunded', 'q=a&q=b', 'organizerId=7&limit=0'])
    expect((await ticketing.get(`${PATH}?${query}`, 'other')).status, query).toBe(400);
  expect((await ticketing.page({ organizerId: '7', limit: '9' }, 'other')).items).toEqual([]);
});

describe('with 200,000 orders', () => {
  const closing: Array<() => unknown> = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  test('no page reads more than a tenth of the orders', async () => {
    const { databaseUrl } = await startTicketing();
    // A thousand events. Organizer 7 has two of them; one of these sold a tenth of all tickets. The orders are numbered
    // in sequence, because two of 200,000 random numbers may be equal.
    const admin = openPool(databaseUrl, { statement_timeout: 0, query_timeout: 0 });
    closing.push(() => admin.end());
    await fillTables(
      admin,
      `
      insert into listings (event_id, organizer_id, title, location, event_date, event_start_time)
        select n, case when n <= 2 then 7 else 100 + n % 50 end, 'Event ' || n, 'DC', now(), '19:00' from generate_series(1, 1000) n;
      insert into orders (order_id, event_id, quantity, lines, total_cents, status, held_at, hold_until)
        select ${idOf('o')}, case when n % 10 = 0 then 1 else 1 + n % 1000 end, 2, ${lines(2, 2500)}, 5000,
          case when n % 50 = 0 then 'refunding' else 'fulfilled' end, now() - n * interval '1 minute', now() from generate_series(1, 200000) n;
      insert into checkouts (order_id, holder_name, holder_email, number)
        select ${idOf('o')}, 'Buyer ' || n || ' Everywhere', 'b' || n || '@example.test', n from generate_series(1, 200000) n`,
    );
    const pool = openReportPool(databaseUrl, logger('test', 'silent'));
    closing.push(() => pool.end());
    interface Plan {
      'Node Type': string;
      'Relation Name'?: string;
      'Actual Rows': number;
      'Actual Loops': number;
      'Rows Removed by Filter'?: number;
      Plans?: Plan[];
    }
    const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
    let read: Array<[what: string, rows: number]> = [];
    const explaining = {
      query: async (text: string, values: unknown[]) => {
        const explained = await pool.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
          `explain (analyze, format json) ${text}`,
          values,
        );
        for (const node of nodesOf(explained.rows[0]!['QUERY PLAN'][0].Plan))
          if (/^(orders|checkouts)$/.test(node['Relation Name'] ?? ''))
            read.push([
              `${node['Node Type']} on ${node['Relation Name']}`,
              (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
            ]);
        return pool.query(text, values);
      },
    } as never;
    const scopes = { admin: { organizerId: null }, organizer: { organizerId: 7 } };
    for (const [who, scope] of Object.entries(scopes))
      for (const q of [undefined, 'buyer 77777 ', 'everywhere', 'event 1', 'uyer', 'nobody has this'])
        for (const status of ['all', 'paid', 'pending'] as const) {
          if (status === 'pending' && (q === 'everywhere' || q === 'uyer')) continue;
          read = [];
          const search = await prepareSearch(explaining, scope, q);
          const { items } = await customersOf(explaining, scope, { search, status, limit: 50 });
          if (status !== 'pending' && q !== 'nobody has this' && !(who === 'organizer' && q?.startsWith('buyer')))
            expect(items, `${who} ${q}`).toHaveLength(q?.startsWith('buyer') ? 1 : 50);
          for (const [what, count] of read)
            expect([who, q, status, what, count <= 20_000], `${what}: ${count}`).toEqual([who, q, status, what, true]);
        }
  });
});
