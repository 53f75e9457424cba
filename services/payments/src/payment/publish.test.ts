import { expect, test } from 'vitest';
import {
  MoneyReinstatedV1,
  MoneyWithdrawnV1,
  PaymentFailedV1,
  PaymentPartlyRefundedV1,
  PaymentRefundedV1,
  PaymentSucceededV1,
  RefundReversedV1,
} from '@beltway/contracts/payments';
import { golden } from '@beltway/contracts/testing/golden';
import { messageOf, type Logged } from '@beltway/event-store';
import type { PaymentEvent } from './events.ts';
import { publishPayments } from './publish.ts';

const orderId = '0b9e6f2c-5d0a-4f53-9c1e-0a6d4c9c7f10';
const facts = { paymentId: 'pi_3ann', orderId, eventId: 7, amountCents: 5_099 };
const split = { organiserId: 3, feeCents: 255 };
const logged = (event: PaymentEvent, version: number): Logged => ({
  ...event,
  stream: `payment-${orderId}`,
  id: orderId,
  version,
  userId: null,
  correlationId: orderId,
  causationId: 'evt_1ann',
  occurredAt: new Date('2026-03-07T20:00:00.000Z'),
});
const part = { partCents: 1_000, partFeeCents: 50, returnedCents: 1_000 };
const published: Array<[string, PaymentEvent, { parse(message: unknown): unknown }]> = [
  [
    'payments.payment-failed',
    { type: 'PaymentFailed', data: { ...facts, attempt: 'ch_1', code: 'insufficient_funds' } },
    PaymentFailedV1,
  ],
  ['payments.payment-succeeded', { type: 'PaymentSucceeded', data: { ...facts, ...split } }, PaymentSucceededV1],
  [
    'payments.payment-refunded',
    { type: 'PaymentRefunded', data: { ...facts, ...split, refundId: 're_3ann' } },
    PaymentRefundedV1,
  ],
  [
    'payments.payment-partly-refunded',
    { type: 'PaymentPartlyRefunded', data: { ...facts, organiserId: 3, refundId: 're_3ann', ...part } },
    PaymentPartlyRefundedV1,
  ],
  [
    'payments.refund-reversed',
    {
      type: 'RefundReversed',
      data: {
        ...{ ...facts, organiserId: 3, refundId: 're_3ann', code: 'expired_or_canceled_card', isOwed: true },
        ...{ ...part, returnedCents: 0 },
      },
    },
    RefundReversedV1,
  ],
  [
    'payments.money-reinstated',
    {
      type: 'DisputeWon',
      data: { ...facts, organiserId: 3, disputeId: 'dp_3ann', partCents: 5_099, partFeeCents: 255, returnedCents: 0 },
    },
    MoneyReinstatedV1,
  ],
];

test.each(published)('%s is written as its golden file', (name, event, schema) => {
  const of = logged(event, 2);
  const [one, ...others] = publishPayments([of]);
  expect(others).toEqual([]);
  if (!one) throw new Error('nothing was published');
  const message = messageOf('payments.events', one);
  expect(message).toEqual(golden(`${name}.v1`));
  expect(schema.parse(golden(`${name}.v1`))).toEqual(message);
});

test('what is ours alone is not published', () => {
  const ours: PaymentEvent[] = [
    {
      type: 'PaymentRequested',
      data: { ...facts, purpose: 'tickets', organiserId: 3, buyerId: null, clientSecret: 'sealed' },
    },
    { type: 'PaymentProcessing', data: facts },
    { type: 'PaymentCancelled', data: facts },
    { type: 'PaymentFulfilled', data: { orderId } },
    { type: 'RefundRequested', data: { orderId, reason: 'too-late', afterFulfilment: false, due: true } },
    { type: 'RefundFailed', data: { ...facts, refundId: 're_1', code: 'declined' } },
    { type: 'DisputeOpened', data: { ...facts, disputeId: 'dp_1', disputedCents: 5_099, reason: 'fraudulent' } },
    { type: 'DisputeWon', data: { ...facts, disputeId: 'dp_1', organiserId: 3, ...part } },
    // A part that came back was never said to have gone.
    {
      type: 'RefundReversed',
      data: { ...facts, organiserId: 3, refundId: 're_1', code: 'closed', isOwed: false, ...part },
    },
    {
      type: 'DisputeLost',
      data: { ...facts, disputeId: 'dp_1', organiserId: 3, isWhole: false, ...part, unasked: true },
    },
  ];
  expect(publishPayments(ours.map(logged))).toEqual([]);
});

test('what the organiser gets and the fee stay inside', () => {
  const [one] = publishPayments([logged({ type: 'PaymentSucceeded', data: { ...facts, ...split } }, 2)]);
  expect(one?.data).toEqual(facts);
});

test('money that went back unasked is said to be back and to be withdrawn, in this order', () => {
  const of = logged({ type: 'PaymentRefunded', data: { ...facts, ...split, refundId: 're_3ann', unasked: true } }, 2);
  const messages = publishPayments([of]);
  expect(messages.map(({ type }) => type)).toEqual(['payments.payment-refunded', 'payments.money-withdrawn']);
  const message = MoneyWithdrawnV1.parse(golden('payments.money-withdrawn.v1'));
  expect(messageOf('payments.events', messages[1]!)).toMatchObject({ id: message.id, data: message.data });
});

/** Asked for, the refund cannot go out while the dispute is open, and is not made once it is lost: nothing else says that the money is back. */
test.each([{ unasked: true as const }, {}])('a lost dispute withdraws the money (%o)', (asked) => {
  const lost: PaymentEvent = {
    type: 'DisputeLost',
    data: { ...facts, disputeId: 'dp_1', organiserId: 3, isWhole: true, ...asked, ...part },
  };
  expect(publishPayments([logged(lost, 2)])).toMatchObject([
    { type: 'payments.money-withdrawn', data: { ...facts, cause: 'dispute-lost' } },
  ]);
});
