import { expect, test } from 'vitest';
import { goodStory } from './story.ts';
import { trailOf } from './trail.ts';

test('the trail of an order with a violation lists all known facts by time', () => {
  const tell = goodStory();
  const id = '5089095e-6dc5-8c5b-984e-e880db155837';
  tell.log('payments', `payment-${id}`, 'PaymentSucceeded', { amountCents: 3_700 });
  tell.rows.ledger.push({ paymentId: id, event: 'PaymentSucceeded', account: 'provider', cents: 3_700 });
  const trail = trailOf(tell.evidence(), [{ kind: 'ledger', what: `payment pi_1 of order ${id} has 3700 cents` }]);
  expect(trail).toEqual([
    expect.stringMatching(/^\S+Z payment-5089095e\S+ 1 PaymentSucceeded \{"amountCents":3700\}$/),
    'booked PaymentSucceeded: provider 3700',
  ]);
  expect(trailOf(tell.evidence(), [])).toEqual([]);
});
