import { expect, test } from 'vitest';
import { Intent } from './objects.ts';
import { statusOf, updateFromEvent, updateFromIntent } from './updates.ts';

const intent = (currency: string) =>
  Intent.parse({ object: 'payment_intent', id: 'pi_1', amount: 5_099, currency, status: 'succeeded', metadata: {} });

test('a success has a currency, and counts as paid only in US dollars', () => {
  expect(updateFromIntent(intent('eur'))).toMatchObject({ type: 'RecordSuccess', amountCents: 5_099, currency: 'eur' });
  expect(statusOf(intent('usd'))).toBe('succeeded');
  expect(statusOf(intent('eur'))).toBe('processing');
});

test.each([
  ['warning_needs_response', 'inquiry'],
  ['warning_under_review', 'inquiry'],
  ['warning_closed', 'won'],
  ['prevented', 'won'],
  ['needs_response', 'open'],
  ['under_review', 'open'],
  ['won', 'won'],
  ['lost', 'lost'],
])('a dispute that is %s is recorded as %s', (status, outcome) => {
  const object = {
    ...{
      object: 'dispute',
      id: 'dp_1',
      amount: 5_060,
      currency: 'usd',
      status,
      reason: 'general',
      payment_intent: 'pi_1',
    },
  };
  expect(updateFromEvent({ id: 'evt_1', type: 'charge.dispute.updated', data: { object } })).toMatchObject({
    ...{ type: 'RecordDispute', disputeId: 'dp_1', amountCents: 5_060, outcome },
  });
});
