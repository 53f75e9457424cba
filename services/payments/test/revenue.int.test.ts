import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MoneyAnalytics, OWN_SALES_DAYS, OwnSales, PlatformRevenue } from '@beltway/contracts/payments/platform';
import type { Role } from '@beltway/contracts/common/basics';
import { dayAt, daysAfter, instantOf } from '@beltway/contracts/common/times';
import { PLANS_FOR_ARRAYS } from '@beltway/event-store';
import { openPool } from '@beltway/kit/postgres';
import { testDatabase } from '@beltway/kit/testing';
import { fillTables } from '@beltway/kit/testing-plans';
import { requestPayment, settlePayment } from '../src/payment/actions.ts';
import type { Bought } from '../src/payment/bought.ts';
import { followRevenue } from '../src/revenue/follow.ts';
import { moneyAnalytics, revenueOf } from '../src/revenue/queries.ts';
import { rebuild } from '../src/rebuild.ts';
import { rebuildRevenue } from '../src/revenue/rebuild.ts';
import { ordersOf, type Orders } from './orders.ts';
import { ownMigrations, startStack, type Stack } from './stack.ts';

const CHECK = 'the revenue of days agrees with the payments';

let stack: Stack;
let paid: Orders['paid'];
beforeAll(async () => {
  // These tests expect the payments of one day in New York. If the day ends soon, they wait for the next one.
  const leftMs = instantOf(daysAfter(dayAt(new Date()), 1)).getTime() - Date.now();
  if (leftMs < 120_000) await pause(leftMs + 1_000);
  stack = await startStack();
  ({ paid } = ordersOf(stack));
}, 240_000);
afterAll(() => stack.stop());

const get = async (path: string, person?: { id: number; role: Role }) =>
  stack.call('GET', path, undefined, person && { authorization: `Bearer ${await stack.identity.tokenFor(person)}` });
const revenue = async (person: { id: number; role: Role }) => {
  await stack.revenue.caughtUp();
  const { status, headers, body } = await get('/api/platform/revenue', person);
  expect([status, headers.get('cache-control')]).toEqual([200, 'private, no-store']);
  return PlatformRevenue.parse(body);
};
const admin = { id: 1, role: 'admin' as const };
const organizer = (id: number) => ({ id, role: 'business' as const });

async function buy(bought: Bought, amountCents: number) {
  const terms = { id: randomUUID(), amountCents, bought, organizerId: null, buyerId: 9 };
  const asked = { terms, description: 'x', receiptEmail: 'olga@example.com' };
  const { paymentId } = await requestPayment(stack.deps, asked, terms.id);
  await stack.pay(paymentId);
  await settlePayment(stack.deps, paymentId);
}

test('an organizer sees the revenue of the organizer’s own events, an admin all revenue; refunds are subtracted', async () => {
  const asked: string[] = [];
  stack.ticketing.get = async (path) => (asked.push(path), { tickets: path.includes('=31') ? 4 : 11 });
  await paid('pm_card_visa', { organizerId: 31, eventId: 310, amountCents: 5_099 });
  const back = await paid('pm_card_visa', { organizerId: 31, eventId: 310, amountCents: 1_050 });
  await paid('pm_card_visa', { organizerId: 32, eventId: 320, amountCents: 10_000 });
  await buy({ purpose: 'promotion', eventId: 310, level: 'featured' }, 2_999);
  await buy({ purpose: 'ad', packageId: 'banner-7d' }, 4_999);
  const own = {
    ...{ totalRevenue: 61.49, monthlyRevenue: 61.49, todayRevenue: 61.49, totalTicketsSold: 4 },
    // Fees of 2.55 and 0.53, each rounded separately.
    ...{ platformFee: 3.08, organizerShare: 58.41, platformSales: null },
  };
  expect(await revenue(organizer(31))).toEqual(own);
  expect(await revenue(admin)).toMatchObject({ totalRevenue: 161.49, totalTicketsSold: 11, platformSales: 79.98 });
  expect(await revenue(organizer(33))).toMatchObject({ totalRevenue: 0, todayRevenue: 0, organizerShare: 0 });
  expect(asked).toContain('/internal/tickets-sold?organizerId=31');
  expect(asked).toContain('/internal/tickets-sold');

  // Staff refund a part by hand in the provider's dashboard, then the rest.
  await stack.dashboard(`/intents/${back.paymentId}/refund`, { amount: 50 });
  for (const event of await stack.providerEvents(back.paymentId)) await stack.tell(event);
  expect(await revenue(organizer(31))).toMatchObject({ totalRevenue: 60.99, todayRevenue: 60.99 });
  await stack.dashboard(`/intents/${back.paymentId}/refund`);
  for (const event of await stack.providerEvents(back.paymentId)) await stack.tell(event);
  expect(await revenue(organizer(31))).toMatchObject({ totalRevenue: 50.99, platformFee: 2.55, organizerShare: 48.44 });

  // A lost dispute.
  const disputed = await paid('pm_card_createDispute', { organizerId: 31, eventId: 310, amountCents: 2_000 });
  expect(await revenue(organizer(31))).toMatchObject({ totalRevenue: 70.99 });
  const [dispute] = (await stack.stripe.disputes.list()).data;
  await stack.stripe.disputes.close(dispute!.id);
  for (const event of await stack.providerEvents(disputed.paymentId)) await stack.tell(event);
  expect(await revenue(organizer(31))).toMatchObject({ totalRevenue: 50.99, platformFee: 2.55 });
  expect(await stack.invariants()).toMatchObject({ [CHECK]: 0 });
});

test('two instances, one of them interrupted in the middle, count each log event once', async () => {
  const second = followRevenue(stack.store);
  const payments = Promise.all(
    Array.from({ length: 20 }, () => paid('pm_card_visa', { organizerId: 40, eventId: 400, amountCents: 1_000 })),
  );
  for (let n = 0; n < 5; n++)
    await stack.query(
      // Ends the connections of the relay and of the sums' follower, which hold a lock. Other test files have databases
      // on this server.
      `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and granted
        and database = (select oid from pg_database where datname = current_database())`,
    );
  await payments;
  expect(await revenue(organizer(40))).toMatchObject({ totalRevenue: 200, platformFee: 10 });
  await second.stop();
  expect(await stack.invariants()).toMatchObject({ [CHECK]: 0 });
  await stack.query(`update revenue_days set cents = cents + 1 where organizer_id = 40`);
  expect(await stack.invariants()).toMatchObject({ [CHECK]: 1 });
  await stack.query(`update revenue_days set cents = cents - 1 where organizer_id = 40`);
});

test('a rebuild sums the log again, while sales continue, and repairs wrong rows', async () => {
  await paid('pm_card_visa', { organizerId: 45, eventId: 450, amountCents: 1_000 });
  await stack.revenue.caughtUp();
  const of = async () => (await rebuild(stack.databaseUrl)).tables.find(({ table }) => table === 'revenue_days')!;
  const [same] = await Promise.all([
    of(),
    ...Array.from({ length: 5 }, () => paid('pm_card_visa', { organizerId: 45, eventId: 450, amountCents: 1_000 })),
  ]);
  expect(same.rows).toBeGreaterThan(0);
  expect(same.after).toBe(same.before);
  expect(await revenue(organizer(45))).toMatchObject({ totalRevenue: 60, platformFee: 3 });
  await stack.query('update revenue_days set cents = cents + 7, payments = 99 where organizer_id = 45');
  await stack.query(`insert into revenue_days values ('2026-01-01', 'tickets', 451, 45, 100, 5, 1)`);
  const mended = await of();
  expect(mended.after).not.toBe(mended.before);
  expect(await revenue(organizer(45))).toMatchObject({ totalRevenue: 60, platformFee: 3 });
  expect(await stack.invariants()).toMatchObject({ [CHECK]: 0 });
  const again = await of();
  expect(again.after).toBe(again.before);
  // The result is the same if only a few log events are read at a time.
  const paged = await rebuildRevenue(stack.pool, 3);
  expect([paged.before, paged.after]).toEqual([again.after, again.after]);
});

test('money analytics has every day, the best-selling events, promotions and ads; each caller sees only permitted sales', async () => {
  const title = (eventId: number, ownerId: number) =>
    stack.query(
      `insert into promotable_events values ($1::int, $2, 'Night ' || $1::int::text, 'published', now(), 1) on conflict do nothing`,
      [eventId, ownerId],
    );
  await title(500, 50);
  await title(510, 51);
  await paid('pm_card_visa', { organizerId: 50, eventId: 500, amountCents: 3_000 });
  await paid('pm_card_visa', { organizerId: 50, eventId: 501, amountCents: 9_000 });
  await paid('pm_card_visa', { organizerId: 51, eventId: 510, amountCents: 7_000 });
  await buy({ purpose: 'promotion', eventId: 500, level: 'premium' }, 4_999);
  const times = { startTime: '2099-12-05T23:00:00.000Z', endTime: '2099-12-06T01:00:00.000Z', eventStartsAt: null };
  const livestream = { ...times, maxViewers: 100, chatEnabled: true, recordingEnabled: false };
  await buy({ purpose: 'livestream', eventId: 510, livestream }, 9_999);
  await stack.revenue.caughtUp();
  const read = async (person: { id: number; role: Role }, days = 7) =>
    MoneyAnalytics.parse((await get(`/api/platform/analytics/money?days=${days}`, person)).body);
  const own = await read(organizer(50));
  expect(own.days).toHaveLength(7);
  expect(own.days.at(-1)).toEqual({ day: dayAt(new Date()), revenue: 120, payments: 2 });
  expect(own.days.slice(0, -1).every(({ revenue: of, payments }) => of === 0 && payments === 0)).toBe(true);
  expect(own.topEvents).toEqual([
    { eventId: 501, title: '', revenue: 90, payments: 1 },
    { eventId: 500, title: 'Night 500', revenue: 30, payments: 1 },
  ]);
  expect(own.promotions).toEqual([{ level: 'premium', payments: 1, revenue: 49.99 }]);
  expect(own.ads).toEqual([]);
  const all = await read(admin);
  expect(all.topEvents.map(({ eventId }) => eventId)).toEqual(expect.arrayContaining([500, 501, 510]));
  expect(all.promotions.map(({ level }) => level)).toEqual(expect.arrayContaining(['premium', 'livestream']));
  expect(all.ads).toEqual([{ packageId: 'banner-7d', payments: 1, revenue: 49.99 }]);
});

test('an account without a business role sees its own ticket sales for each day; an admin also sees only the admin’s own sales', async () => {
  await paid('pm_card_visa', { organizerId: 61, eventId: 610, amountCents: 2_500 });
  await stack.revenue.caughtUp();
  const read = async (person: { id: number; role: Role }) =>
    OwnSales.parse((await get('/api/me/sales', person)).body).days;
  const days = await read({ id: 61, role: 'user' });
  expect(days).toHaveLength(OWN_SALES_DAYS);
  expect(days.at(-1)).toEqual({ day: dayAt(new Date()), revenue: 25, payments: 1 });
  expect((await read(admin)).every(({ revenue: of }) => of === 0)).toBe(true);
  expect((await get('/api/me/sales')).status).toBe(401);
});

describe('access', () => {
  const paths = ['/api/platform/revenue', '/api/platform/analytics/money'];
  test.each(paths)('%s: 401 without a token, 403 for an account that sells nothing', async (path) => {
    expect((await get(path)).status).toBe(401);
    expect((await get(path, { id: 31, role: 'user' })).status).toBe(403);
  });
  test.each(['days=6', 'days=367', 'days=x', 'days=1e9', 'days=7.5'])(
    'an invalid time span is refused: %s',
    async (query) => {
      const { status, body } = await get(`${paths[1]}?${query}`, admin);
      expect([status, body.errors?.[0]?.field]).toEqual([400, 'days']);
    },
  );
  test('an organizer cannot request another’s scope', async () => {
    const { body } = await get('/api/platform/revenue?organizerId=32&role=admin', organizer(33));
    expect(body).toMatchObject({ totalRevenue: 0, platformSales: null });
  });
  test('while ticketing does not respond, 503 instead of a partial result', async () => {
    const { get: before } = stack.ticketing;
    stack.ticketing.get = () => Promise.reject(Object.assign(new Error('fetch failed'), { transient: true }));
    const { status, body } = await get('/api/platform/revenue', admin);
    expect([status, body.totalRevenue]).toEqual([503, undefined]);
    stack.ticketing.get = before;
  });
});

describe('with two years of sums of 2,000 events', () => {
  const today = '2026-12-01';
  test('an organizer’s figures read only the organizer’s rows through an index; months begin and end in New York time', async () => {
    const database = await testDatabase(ownMigrations);
    const pool = openPool(database.url, { options: PLANS_FOR_ARRAYS, statement_timeout: 0, query_timeout: 0 });
    await fillTables(
      pool,
      `
      insert into revenue_days select '2024-12-01'::date + (n % 731), 'tickets', n % 2000, n % 500, 1000, 50, 1
      from generate_series(1, 200000) n on conflict do nothing;
      insert into revenue_days values ('2026-12-01', 'tickets', 9001, 777, 100, 5, 1), ('2026-11-30', 'tickets', 9001, 777, 10, 1, 1),
        ('2026-11-01', 'tickets', 9001, 777, 1, 0, 1), ('2026-12-02', 'tickets', 9001, 777, 7, 0, 1)`,
    );
    const plans: string[] = [];
    const explaining = {
      query: async (query: string | { text: string; values: unknown[] }, unprepared: unknown[]) => {
        const { text, values } = typeof query === 'string' ? { text: query, values: unprepared } : query;
        // Numbered in call order, because some queries run concurrently.
        const at = plans.push('') - 1;
        const { rows } = await pool.query<{ 'QUERY PLAN': string }>(`explain (analyze, buffers) ${text}`, values);
        plans[at] = rows.map((row) => row['QUERY PLAN']).join('\n');
        return pool.query(text, values);
      },
    } as never;
    expect(await revenueOf(explaining, { organizerId: 777 }, today)).toMatchObject({
      ...{ totalRevenue: 1.18, monthlyRevenue: 1.07, todayRevenue: 1 },
    });
    await moneyAnalytics(explaining, { organizerId: 777 }, today, 30);
    // The plans of the sums, the days and the best events; the fourth query covers the platform's own products.
    for (const plan of plans.slice(0, 3)) {
      expect(plan).toContain('revenue_days_of_organizer');
      const scans = plan
        .split('\n')
        .filter((line) => /Scan.* on revenue_days/.test(line) && !line.includes('never executed'));
      expect(scans.filter((line) => !/Bitmap Heap Scan|revenue_days_of_organizer/.test(line))).toEqual([]);
    }
    // On the day before, the current month is November.
    expect(await revenueOf(pool, { organizerId: 777 }, '2026-11-30')).toMatchObject({ todayRevenue: 0.1 });
    await pool.end();
    await database.drop();
  });
});
