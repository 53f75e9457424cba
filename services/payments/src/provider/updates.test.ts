import { expect, test } from 'vitest';
import { Intent } from './objects.ts';
import { statusOf, updateFromIntent } from './updates.ts';

const intent = (currency: string) =>
  Intent.parse({ object: 'payment_intent', id: 'pi_1', amount: 5_099, currency, status: 'succeeded', metadata: {} });

test('a success says its currency, and only in ours the payment has succeeded', () => {
  expect(updateFromIntent(intent('eur'))).toMatchObject({ type: 'RecordSuccess', amountCents: 5_099, currency: 'eur' });
  expect(statusOf(intent('usd'))).toBe('succeeded');
  expect(statusOf(intent('eur'))).toBe('processing');
});
