import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Rejected } from '@beltway/event-store';
import { payment } from './decider.ts';
import type { PaymentCommand, PaymentEvent, PaymentTerms } from './events.ts';
import { legsOf } from './ledger.ts';

const orderId = '0b9e6f2c-5d0a-4f53-9c1e-0a6d4c9c7f10';
const paymentId = 'pi_ann';

/** Any command in any order, told rightly or wrongly. */
const commands = (amountCents: number): fc.Arbitrary<PaymentCommand[]> => {
  const terms: PaymentTerms = {
    paymentId,
    orderId,
    eventId: 7,
    amountCents,
    purpose: 'tickets',
    organiserId: 3,
    buyerId: null,
  };
  const told = fc.constantFrom(
    { paymentId, terms },
    { paymentId, terms: null },
    { paymentId: 'pi_other', terms: null },
  );
  const amount = fc.constantFrom(amountCents, amountCents, amountCents, 1);
  const id = fc.constantFrom('1', '2');
  return fc.array(
    fc.oneof(
      fc.constant<PaymentCommand>({ type: 'RequestPayment', terms, clientSecret: null }),
      fc.tuple(told, amount).map(([t, cents]): PaymentCommand => ({ type: 'RecordSuccess', ...t, amountCents: cents })),
      fc
        .tuple(told, amount, id)
        .map(([t, cents, refundId]): PaymentCommand => ({ type: 'RecordRefund', ...t, refundId, amountCents: cents })),
      fc
        .tuple(told, id)
        .map(([t, attempt]): PaymentCommand => ({ type: 'RecordFailure', ...t, attempt, code: 'declined' })),
      told.map((t): PaymentCommand => ({ type: 'RecordCancellation', ...t })),
      told.map((t): PaymentCommand => ({ type: 'RecordProcessing', ...t })),
      amount.map((cents): PaymentCommand => ({
        type: 'RequestRefund',
        orderId,
        paymentId,
        amountCents: cents,
        reason: 'too-late',
      })),
      fc.constant<PaymentCommand>({ type: 'RecordFulfilment', orderId, paymentId }),
    ),
    { maxLength: 25 },
  );
};

function live(wishes: PaymentCommand[]): PaymentEvent[] {
  let state = payment.initial();
  return wishes.flatMap((wish) => {
    try {
      const events = payment.decide(wish, state);
      for (const event of events) state = payment.evolve(state, event);
      return events;
    } catch (error) {
      if (error instanceof Rejected) return [];
      throw error;
    }
  });
}

const balances = (events: PaymentEvent[]): Map<string, number> => {
  const sums = new Map<string, number>();
  for (const { account, amountCents } of events.flatMap(legsOf))
    sums.set(account, (sums.get(account) ?? 0) + amountCents);
  return sums;
};

const anyLife = fc.integer({ min: 1, max: 99_999_999 }).chain((amountCents) => commands(amountCents));

test('the legs of every event sum to zero, in whole cents', () => {
  fc.assert(
    fc.property(anyLife, (wishes) => {
      for (const event of live(wishes)) {
        const legs = legsOf(event);
        expect(legs.every(({ amountCents }) => Number.isInteger(amountCents))).toBe(true);
        expect(legs.reduce((sum, leg) => sum + leg.amountCents, 0)).toBe(0);
      }
    }),
    { numRuns: 2_000 },
  );
});

test('whatever is told in whatever order, a payment succeeds once, goes back once, and then no account holds a cent of it', () => {
  fc.assert(
    fc.property(anyLife, (wishes) => {
      const events = live(wishes);
      const count = (type: PaymentEvent['type']) => events.filter((event) => event.type === type).length;
      expect(count('PaymentRequested')).toBeLessThanOrEqual(1);
      expect(count('PaymentSucceeded')).toBeLessThanOrEqual(1);
      expect(count('PaymentRefunded')).toBeLessThanOrEqual(count('PaymentSucceeded'));
      const sums = [...balances(events).values()];
      if (count('PaymentRefunded') > 0) expect(sums.every((cents) => cents === 0)).toBe(true);
      else if (count('PaymentSucceeded') > 0) expect(balances(events).get('provider')).toBeGreaterThan(0);
    }),
    { numRuns: 2_000 },
  );
});

test.each([
  [1, 0, 1],
  [9, 0, 9],
  [10, 1, 9],
  [2_550, 128, 2_422],
  [10_000, 500, 9_500],
])('%i cents: the platform keeps %i, the organiser is owed %i', (amountCents, fee, share) => {
  const terms: PaymentTerms = {
    paymentId,
    orderId,
    eventId: 7,
    amountCents,
    purpose: 'tickets',
    organiserId: 3,
    buyerId: null,
  };
  const sums = balances(live([{ type: 'RecordSuccess', paymentId, terms, amountCents }]));
  expect(
    [sums.get('provider'), sums.get('platform'), sums.get('organiser:3')].map((cents) => Math.abs(cents ?? 0)),
  ).toEqual([amountCents, fee, share]);
});
