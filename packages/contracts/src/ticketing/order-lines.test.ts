import fc from 'fast-check';
import { expect, test } from 'vitest';
import { eachTicket, ticketCount, totalCents, type OrderLine } from './order-lines.ts';

const line: fc.Arbitrary<OrderLine> = fc.record({
  type: fc.constantFrom('general', 'vip', 'child'),
  name: fc.string(),
  quantity: fc.integer({ min: 1, max: 10 }),
  priceCents: fc.integer({ min: 0, max: 99_999_999 }),
});

test('an order of two types costs the sum of its tickets', () => {
  const lines = [
    { type: 'general', name: 'General admission', quantity: 2, priceCents: 2_550 },
    { type: 'child', name: 'Child', quantity: 3, priceCents: 1_000 },
  ];
  expect([totalCents(lines), ticketCount(lines)]).toEqual([8_100, 5]);
  expect(eachTicket(lines).map(({ priceCents }) => priceCents)).toEqual([2_550, 2_550, 1_000, 1_000, 1_000]);
});

test('the tickets of an order have the prices and the numbers of its lines', () =>
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      const tickets = eachTicket(lines);
      expect(tickets).toHaveLength(ticketCount(lines));
      expect(tickets.reduce((sum, { priceCents }) => sum + priceCents, 0)).toBe(totalCents(lines));
    }),
  ));
