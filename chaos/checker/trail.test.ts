import { expect, test } from 'vitest';
import { goodStory, story } from './story.ts';
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

test('the trail of an unjustified refusal has the call and what was in the log of its sale before it', () => {
  const tell = story();
  tell.opens(5);
  tell.later(10_000);
  tell.holds('ann', 5);
  tell.expires('ann', 5);
  tell.later(1_000);
  const { n } = tell.refused(2, 'all-held');
  tell.holds('bob', 1);
  const what = `call ${n} of 2 for sale 1 was refused as all-held, and at least 5 were left all the time`;
  expect(trailOf(tell.evidence(), [{ kind: 'undersold', what }])).toEqual([
    expect.stringMatching(/Z sale-1 2 TicketsHeld /),
    expect.stringMatching(/Z sale-1 3 HoldReleased /),
    expect.stringMatching(/^call: .*"code":"all-held"/),
  ]);
});
