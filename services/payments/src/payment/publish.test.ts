import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { PaymentFailedV1, PaymentRefundedV1, PaymentSucceededV1 } from '@beltway/contracts/payments';
import { messageId, type Logged } from '@beltway/event-store';
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
const golden = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../../../packages/contracts/golden/${name}.v1.json`, import.meta.url), 'utf8'));

const told: Array<[string, PaymentEvent, { parse(message: unknown): unknown }]> = [
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
];

test.each(told)('%s is written as its golden file', (name, event, schema) => {
  const of = logged(event, 2);
  const [one, ...others] = publishPayments([of]);
  expect(others).toEqual([]);
  if (!one) throw new Error('nothing was told');
  const { type, version, data } = one;
  const message = {
    ...{
      id: messageId('payments.events', one),
      type,
      version,
      key: one.key ?? of.stream,
      occurredAt: of.occurredAt.toISOString(),
    },
    ...{ correlationId: of.correlationId, causationId: of.causationId, data },
  };
  expect(message).toEqual(golden(name));
  expect(schema.parse(golden(name))).toEqual(message);
});

test('what is ours alone is not told', () => {
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
  ];
  expect(publishPayments(ours.map(logged))).toEqual([]);
});

test('what the organiser gets and the fee stay inside', () => {
  const [one] = publishPayments([logged({ type: 'PaymentSucceeded', data: { ...facts, ...split } }, 2)]);
  expect(one?.data).toEqual(facts);
});
