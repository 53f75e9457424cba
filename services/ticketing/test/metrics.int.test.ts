import { expect, test } from 'vitest';
import { metricsText } from '@beltway/kit/metrics';
import { showHolds } from '../src/metrics.ts';
import { onSale, pay, startCheckout } from './support.ts';

async function shown(prefix: string): Promise<Record<string, number>> {
  const lines = (await metricsText()).split('\n').filter((line) => line.startsWith(prefix));
  return Object.fromEntries(lines.map((line) => [line.split(' ')[0]!, Number(line.split(' ')[1])]));
}

test('metrics have the number and value of holds, and how long a lapsed hold waits to be released', async () => {
  const ticketing = await onSale(20);
  const end = showHolds(ticketing.deps.pool);
  const held = (change: object) => ({
    ticketing_holds_open: 0,
    ticketing_tickets_held: 0,
    ticketing_held_cents: 0,
    ticketing_hold_overdue_seconds: 0,
    ...change,
  });
  expect(await shown('ticketing_h')).toEqual({
    ticketing_holds_open: 0,
    ticketing_held_cents: 0,
    ticketing_hold_overdue_seconds: 0,
  });
  const { paymentIntentId } = (await startCheckout(ticketing, { quantity: 2 })).body as { paymentIntentId: string };
  await startCheckout(ticketing, { quantity: 3, ticketHolderEmail: 'ben@example.test' });
  expect(await shown('ticketing_')).toMatchObject(
    held({ ticketing_holds_open: 2, ticketing_tickets_held: 5, ticketing_held_cents: 5 * 2_550 }),
  );
  await pay(ticketing, paymentIntentId);
  expect(await shown('ticketing_')).toMatchObject(
    held({ ticketing_holds_open: 1, ticketing_tickets_held: 3, ticketing_held_cents: 3 * 2_550 }),
  );
  await ticketing.rows(`update orders set hold_until = now() - interval '90 seconds' where status = 'held'`);
  const { ticketing_hold_overdue_seconds: overdue } = await shown('ticketing_');
  expect(overdue).toBeGreaterThanOrEqual(90);
  expect(overdue).toBeLessThan(300);
  end();
  expect(await shown('ticketing_')).toEqual({});
});
