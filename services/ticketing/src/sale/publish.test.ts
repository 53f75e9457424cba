import { expect, test } from 'vitest';
import {
  OrderClaimedV1,
  OrderValidityChangedV1,
  RefundRequestedV1,
  SoldOutV1,
  StockChangedV1,
  TicketPurchasedV1,
} from '@beltway/contracts/ticketing/tickets';
import { golden } from '@beltway/contracts/testing/golden';
import { linesOf } from '@beltway/contracts/testing/lines';
import { messageOf, type Logged, type Queries } from '@beltway/event-store';
import type { SaleEvent } from './events.ts';
import { publishSales } from './publish.ts';

const orderId = '0b9e6f2c-5d0a-4f53-9c1e-0a6d4c9c7f10';
const at = '2026-03-07T20:00:00.000Z';
const logged = (event: SaleEvent, version: number, eventId = 42): Logged => ({
  ...event,
  stream: `sale-${eventId}`,
  id: String(eventId),
  version,
  userId: null,
  correlationId: orderId,
  causationId: orderId,
  occurredAt: new Date(at),
});
const held: SaleEvent = {
  type: 'TicketsHeld',
  data: {
    ...{ orderId, lines: linesOf(2, 2_550), at, until: '2026-03-07T20:10:00.000Z', buyerId: null },
    refundDeadlineHours: 24,
  },
};
const sold: SaleEvent = {
  type: 'TicketsSold',
  data: {
    ...{ orderId, lines: linesOf(2, 2_550), paymentId: 'pi_3ann', at, buyerId: 3, tickets: [] },
    fromHold: linesOf(2, 2_550),
  },
};

/** A fake read model with these current counts, independent of the log. */
const stock = (now: { capacity: number; sold: number; held: number; version: number }): Queries => ({
  query: async (query: unknown, values = (query as { values?: unknown[] }).values) =>
    ({
      rows: (values?.[0] as number[]).map((eventId) => ({ eventId, ...now, version: String(now.version) })),
    }) as never,
});
const some = stock({ capacity: 20, sold: 2, held: 2, version: 9 });

const published: Array<[string, number, SaleEvent, Queries, { parse(message: unknown): unknown }]> = [
  ['ticketing.ticket-purchased', 1, sold, some, TicketPurchasedV1],
  [
    'ticketing.refund-requested',
    1,
    {
      type: 'PaymentNotFulfilled',
      data: { orderId, quantity: 2, paymentId: 'pi_3ann', amountCents: 5100, reason: 'too-late' },
    },
    some,
    RefundRequestedV1,
  ],
  [
    'ticketing.order-claimed',
    1,
    { type: 'OrderClaimed', data: { orderId, quantity: 2, buyerId: 3, linkGeneration: 2 } },
    some,
    OrderClaimedV1,
  ],
  [
    'ticketing.order-validity-changed',
    1,
    { type: 'OrderVoided', data: { orderId, disputeId: 'dp_1', isFrozen: false } },
    some,
    OrderValidityChangedV1,
  ],
  ['ticketing.stock-changed', 1, held, some, StockChangedV1],
  ['ticketing.sold-out', 1, sold, stock({ capacity: 2, sold: 2, held: 0, version: 9 }), SoldOutV1],
];

test.each(published)('%s, version %i, is written as in its golden file', async (name, version, event, db, schema) => {
  const message = (await publishSales([logged(event, 5)], db))
    .map((one) => messageOf('ticketing.events', one))
    .find(({ type }) => type === name);
  expect(message).toEqual(golden(`${name}.v${version}`));
  expect(schema.parse(golden(`${name}.v${version}`))).toEqual(message);
});

test('an order is valid again when the lost dispute is won in the end, but not while another dispute is lost', async () => {
  const won = (more: object): SaleEvent => ({
    type: 'OrderThawed',
    data: { orderId, disputeId: 'dp_1', isFrozen: false, ...more },
  });
  const messages = await publishSales([logged(won({ isVoid: true }), 5), logged(won({}), 6)], some);
  expect(messages.slice(0, 2).map(({ data }) => data)).toEqual([
    { orderId, eventId: 42, isVoid: true, version: 5 },
    { orderId, eventId: 42, isVoid: false, version: 6 },
  ]);
});

test('a batch of the log publishes the stock of each sale once, and no hold', async () => {
  const events = Array.from({ length: 1_000 }, (_, n) => logged(held, n + 1));
  const messages = await publishSales([...events, logged(held, 1, 43)], some);
  expect(messages.map(({ of, type }) => [type, of.stream, of.version])).toEqual([
    ['ticketing.stock-changed', 'sale-42', 1_000],
    ['ticketing.stock-changed', 'sale-43', 1],
  ]);
});

test('returning some tickets requests a refund of their price; returning the last tickets requests a refund of the whole order', async () => {
  const requestId = 'b1b0f4d0-9d0b-4b6e-8e0a-0d6a4c9c7f11';
  const returned = (standing: number): SaleEvent => ({
    type: 'TicketsReturned',
    data: {
      ...{ orderId, paymentId: 'pi_3ann', amountCents: 2550, reason: 'canceled-by-buyer', refundId: requestId },
      tickets: [{ place: 1, type: 'general', priceCents: 2550 }],
      order: { quantity: 2, totalCents: 5100, standing, standingCents: standing * 2550 },
    },
  });
  const messages = await publishSales([logged(returned(1), 5), logged(returned(0), 6)], some);
  expect(messages.slice(0, 2).map(({ data }) => data)).toEqual([
    expect.objectContaining({ orderId, quantity: 1, amountCents: 2550, requestId }),
    expect.objectContaining({ orderId, quantity: 2, amountCents: 5100, requestId: null }),
  ]);
});

test('sold-out is published when the last ticket is sold, not when it is held', async () => {
  const full = stock({ capacity: 2, sold: 0, held: 2, version: 9 });
  expect((await publishSales([logged(held, 5)], full)).map(({ type }) => type)).toEqual(['ticketing.stock-changed']);
});
