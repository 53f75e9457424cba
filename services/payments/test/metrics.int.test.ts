import { afterAll, beforeAll, expect, test } from 'vitest';
import { metricsText } from '@beltway/kit/metrics';
import { openPool } from '@beltway/kit/postgres';
import { showMoney } from '../src/metrics.ts';
import { ordersOf, recordPartRefund } from './orders.ts';
import { startStack, type Stack } from './stack.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.stop());

async function shown(): Promise<Record<string, number>> {
  const lines = (await metricsText()).split('\n').filter((line) => /^payments_/.test(line));
  return Object.fromEntries(lines.map((line) => [line.split(' ')[0]!.slice(9), Number(line.split(' ')[1])]));
}

test('metrics show unfulfilled payments and due refunds, with their ages', async () => {
  const { paid, purchased, until } = ordersOf(stack);
  const pool = openPool(stack.databaseUrl);
  const end = showMoney(pool);
  const nothing = { unfulfilled: 0, unfulfilled_cents: 0, refunds_due: 0, refunds_due_cents: 0, alerts_open: 0 };
  expect(await shown()).toMatchObject({ ...nothing, unfulfilled_seconds: 0, refunds_due_seconds: 0 });

  const one = await paid();
  const { orderId, amountCents } = one.order;
  await stack.query(`update payments set succeeded_at = now() - interval '400 seconds' where id = $1`, [orderId]);
  const taken = await shown();
  expect(taken).toMatchObject({ ...nothing, unfulfilled: 1, unfulfilled_cents: amountCents });
  expect(taken['unfulfilled_seconds']).toBeGreaterThanOrEqual(400);

  await recordPartRefund(stack, { paymentId: orderId, cents: 250, hoursAgo: 2 });
  await stack.query(
    `insert into alerts (payment_id, kind, subject, amount_cents, detail, raised_at, resolved_at)
     values ($1, 'RefundDelayed', '', 250, '', now(), null), ($1, 'DisputeOpened', 'dp_1', 250, '', now(), now())`,
    [orderId],
  );
  const owed = await shown();
  expect(owed).toMatchObject({ refunds_due: 1, refunds_due_cents: 250, alerts_open: 1 });
  expect(owed['refunds_due_seconds']).toBeGreaterThanOrEqual(7_200);

  await stack.query('delete from part_refunds');
  await purchased(one);
  await until(orderId, 'PaymentFulfilled');
  expect(await shown()).toMatchObject({ unfulfilled: 0, unfulfilled_cents: 0, unfulfilled_seconds: 0 });
  end();
  await pool.end();
});
