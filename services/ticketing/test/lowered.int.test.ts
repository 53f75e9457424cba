import { ticketCount } from '@beltway/contracts/ticketing/order-lines';
import { expect, test } from 'vitest';
import { eventually } from '@beltway/kit/testing';
import { rebuild } from '../src/rebuild.ts';
import type { SaleEvent } from '../src/sale/events.ts';
import { eventState, message, onSale, pay, startCheckout, stockOf } from './support.ts';

test('in a rush of sales with a changing capacity, each hold is within the capacity when it is granted, and no sold ticket is taken back', async () => {
  const ticketing = await onSale(60, { version: 1 });
  const said = (version: number, capacity: number) =>
    message('catalog.event-updated', 'event-42', eventState(42, capacity, { version }));
  const totals = [50, 12, 30, 9, 25];
  const buy = async (buyer: number) => {
    const { status, body } = await startCheckout(ticketing, {
      quantity: 1 + (buyer % 2),
      ticketHolderEmail: `buyer${buyer}@example.test`,
    });
    if (status >= 400) return [status, body.code];
    return [200, (await pay(ticketing, body.paymentIntentId)).body.status];
  };
  // Buyers come in five waves. The capacity changes in the middle of each.
  const answers = [];
  for (const [wave, total] of totals.entries()) {
    const buyers = Array.from({ length: 12 }, (_, n) => buy(wave * 12 + n));
    await ticketing.bus.publish('catalog.events', [said(wave + 2, total)]);
    answers.push(...(await Promise.all(buyers)));
  }
  await eventually(async () => (await stockOf(ticketing)).capacity === totals.at(-1));

  const log = (await ticketing.rows(
    `select type, data from events where stream = 'sale-42' order by version`,
  )) as unknown as SaleEvent[];
  let [capacity, sold, held] = [0, 0, 0];
  const lowest = { room: Infinity };
  for (const { type, data } of log) {
    if (type === 'SaleOpened' || type === 'SaleChanged') capacity = data.capacity;
    if (type === 'TicketsHeld') {
      held += ticketCount(data.lines);
      lowest.room = Math.min(lowest.room, capacity - sold - held);
    }
    if (type === 'HoldReleased') held -= ticketCount(data.lines);
    if (type === 'TicketsSold') {
      held -= ticketCount(data.fromHold);
      sold += ticketCount(data.lines);
    }
  }
  expect(log.filter(({ type }) => type === 'SaleChanged')).toHaveLength(totals.length);
  expect(lowest.room).toBeGreaterThanOrEqual(0);
  expect(await stockOf(ticketing)).toEqual({ sold, held, capacity: 25 });
  // Buyers who had holds when the capacity was lowered could pay for them and have their tickets.
  expect(log.some(({ type }) => type === 'HoldReleased' || type === 'TicketsReturned')).toBe(false);
  const outcomes = new Set(answers.map(String));
  for (const outcome of outcomes)
    expect(['200,fulfilled', '409,sold-out', '409,all-held', '409,not-enough-left']).toContain(outcome);
  expect(outcomes.has('200,fulfilled')).toBe(true);
  expect(outcomes.size).toBeGreaterThan(1);
  const { tables } = await rebuild(ticketing.databaseUrl);
  for (const { table, before, after } of tables) expect(after, table).toBe(before);
});
