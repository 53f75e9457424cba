import { expect, test } from 'vitest';
import type { PaymentEvent } from '../payment/events.ts';
import { english } from './step-texts.en.ts';
import { spanish } from './step-texts.es.ts';

const of = (type: PaymentEvent['type'], data: object = {}) => ({ type, data }) as PaymentEvent;

test.each([
  [of('PaymentFailed'), 'A card was declined.', 'Se rechazó una tarjeta.'],
  [of('PaymentPartlyRefunded', { partCents: 1_000 }), '$10.00 was refunded.', 'Se reembolsaron $10.00.'],
  [
    of('RefundFailed', { isOwed: true }),
    'The bank refused a refund. We’re trying again.',
    'El banco rechazó un reembolso. Lo intentamos de nuevo.',
  ],
  [of('DisputeOpened', { disputedCents: 5_099 }), 'A bank is disputing $50.99.', 'Un banco disputa $50.99.'],
  [
    of('DisputeLost', { partCents: 5_099 }),
    'The dispute was lost: the bank took $50.99.',
    'La disputa se perdió: el banco retiró $50.99.',
  ],
  [
    of('ShareTransferred', { cents: 4_844 }),
    '$48.44 went to the organizer’s account.',
    '$48.44 pasaron a la cuenta de quien organiza.',
  ],
  [of('PaymentFulfilled'), null, null],
  [of('ProviderFeeCharged', { cents: 9 }), null, null],
])('a step of a payment is said in each language: %j', (event, en, es) => {
  expect(english(event)).toBe(en);
  expect(spanish(event)).toBe(es);
});
