import { expect, test } from 'vitest';
import { legsOf } from '../payment/ledger.ts';
import type { PaymentEvent } from '../payment/events.ts';
import { MONEY_EVENTS, movedBy, sumsOf } from './sums.ts';

const orderId = '0b9e6f2c-5d0a-4f53-9c1e-0a6d4c9c7f10';
const facts = {
  ...{ paymentId: 'pi_1', amountCents: 5_099, organizerId: 3 },
  bought: { purpose: 'tickets', orderId, eventId: 7 } as const,
};
const part = { partCents: 1_000, partFeeCents: 50, returnedCents: 1_000 };
const paid: PaymentEvent = { type: 'PaymentSucceeded', data: { ...facts, feeCents: 255 } };
const at = (event: PaymentEvent, when: string) => ({ ...event, occurredAt: new Date(when) });

const moving: PaymentEvent[] = [
  paid,
  { type: 'PaymentRefunded', data: { ...facts, feeCents: 255, refundId: 're_2', ...part } },
  { type: 'PaymentPartlyRefunded', data: { ...facts, refundId: 're_1', ...part } },
  { type: 'RefundReversed', data: { ...facts, refundId: 're_1', code: 'x', isOwed: true, ...part } },
  { type: 'DisputeLost', data: { ...facts, disputeId: 'dp_1', isWhole: false, ...part } },
  { type: 'DisputeWon', data: { ...facts, disputeId: 'dp_1', ...part } },
];

test('a payment’s sums match its ledger bookings', () => {
  expect([...new Set(moving.map(({ type }) => type))]).toEqual(MONEY_EVENTS);
  for (const event of moving) {
    const { cents, feeCents } = movedBy(event as never);
    const booked = (account: string) => legsOf(event).find((leg) => leg.account === account)?.amountCents;
    expect([cents, -feeCents], event.type).toEqual([booked('provider'), booked('platform')]);
  }
});

test.each([
  ['the last minute of a month', '2026-12-01T04:59:59.999Z', '2026-11-30'],
  ['the first of the next', '2026-12-01T05:00:00.000Z', '2026-12-01'],
  ['the last minute of a month in summer', '2026-06-01T03:59:59.999Z', '2026-05-31'],
  ['the first of the next in summer', '2026-06-01T04:00:00.000Z', '2026-06-01'],
  ['the end of a day of 25 hours', '2026-11-02T04:59:59.999Z', '2026-11-01'],
  ['its repeated hour', '2026-11-01T06:30:00.000Z', '2026-11-01'],
  ['the end of a day of 23 hours', '2026-03-09T03:59:59.999Z', '2026-03-08'],
  ['the day after it', '2026-03-09T04:00:00.000Z', '2026-03-09'],
  ['the last of a year', '2027-01-01T04:59:59.999Z', '2026-12-31'],
])('%s belongs to its day in New York', (_what, when, day) =>
  expect(sumsOf([at(paid, when)]).map((sum) => sum.day)).toEqual([day]),
);

test('one sum per day and item; a refund is subtracted on its own day, and counts as no payment', () => {
  const promoted: PaymentEvent = {
    type: 'PaymentSucceeded',
    data: {
      ...{ paymentId: 'pi_2', amountCents: 2_999, feeCents: 2_999, organizerId: null },
      bought: { purpose: 'promotion', eventId: 7, level: 'featured' },
    },
  };
  const ad: PaymentEvent = {
    type: 'PaymentSucceeded',
    data: { ...promoted.data, bought: { purpose: 'ad', packageId: 'banner-7d' } },
  } as PaymentEvent;
  const sums = sumsOf([
    at(paid, '2026-11-30T12:00:00Z'),
    at(paid, '2026-11-30T23:00:00Z'),
    at(promoted, '2026-11-30T23:00:00Z'),
    at(ad, '2026-11-30T23:00:00Z'),
    at(moving[2]!, '2026-12-01T12:00:00Z'),
  ]);
  expect(sums).toEqual([
    { day: '2026-11-30', item: 'tickets', eventId: 7, organizerId: 3, cents: 10_198, feeCents: 510, payments: 2 },
    {
      ...{ day: '2026-11-30', item: 'promotion:featured', eventId: 7, organizerId: 0 },
      ...{ cents: 2_999, feeCents: 2_999, payments: 1 },
    },
    {
      ...{ day: '2026-11-30', item: 'ad:banner-7d', eventId: 0, organizerId: 0 },
      ...{ cents: 2_999, feeCents: 2_999, payments: 1 },
    },
    { day: '2026-12-01', item: 'tickets', eventId: 7, organizerId: 3, cents: -1_000, feeCents: -50, payments: 0 },
  ]);
});
