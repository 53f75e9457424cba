import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Rejected } from '@beltway/event-store';
import { payment } from './decider.ts';
import type { PaymentCommand, PaymentEvent, PaymentTerms } from './events.ts';
import { legsOf } from './ledger.ts';

const orderId = '0b9e6f2c-5d0a-4f53-9c1e-0a6d4c9c7f10';
const paymentId = 'pi_ann';

/** Any command in any order, reported rightly or wrongly. */
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
  const update = fc.constantFrom(
    { paymentId, terms },
    { paymentId, terms: null },
    { paymentId: 'pi_other', terms: null },
  );
  const amount = fc.constantFrom(amountCents, amountCents, amountCents, 1);
  const id = fc.constantFrom('1', '2');
  return fc.array(
    fc.oneof(
      fc.constant<PaymentCommand>({ type: 'RequestPayment', terms, clientSecret: null }),
      fc
        .tuple(update, amount)
        .map(([t, cents]): PaymentCommand => ({ type: 'RecordSuccess', ...t, amountCents: cents })),
      fc
        .tuple(update, amount, id)
        .map(([t, cents, refundId]): PaymentCommand => ({ type: 'RecordRefund', ...t, refundId, amountCents: cents })),
      fc
        .tuple(update, id)
        .map(([t, attempt]): PaymentCommand => ({ type: 'RecordFailure', ...t, attempt, code: 'declined' })),
      fc.tuple(update, amount, id).map(([t, cents, refundId]): PaymentCommand => ({
        type: 'RecordRefundFailure',
        ...{ ...t, refundId, code: 'declined', amountCents: cents },
      })),
      fc
        .tuple(update, amount, id, fc.constantFrom('open' as const, 'won' as const, 'lost' as const))
        .map(([t, cents, disputeId, outcome]): PaymentCommand => ({
          type: 'RecordDispute',
          ...{ ...t, disputeId, amountCents: cents, reason: 'fraudulent', outcome },
        })),
      update.map((t): PaymentCommand => ({ type: 'RecordCancellation', ...t })),
      update.map((t): PaymentCommand => ({ type: 'RecordProcessing', ...t })),
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

function live(commands: PaymentCommand[]): PaymentEvent[] {
  let state = payment.initial();
  return commands.flatMap((command) => {
    try {
      const events = payment.decide(command, state);
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
    fc.property(anyLife, (commands) => {
      for (const event of live(commands)) {
        const legs = legsOf(event);
        expect(legs.every(({ amountCents }) => Number.isInteger(amountCents))).toBe(true);
        expect(legs.reduce((sum, leg) => sum + leg.amountCents, 0)).toBe(0);
      }
    }),
    { numRuns: 2_000 },
  );
});

test('whatever is reported in whatever order, a payment succeeds once, and each account holds the share of what has not gone back', () => {
  fc.assert(
    fc.property(anyLife, (commands) => {
      const events = live(commands);
      const state = events.reduce((payment_, event) => payment.evolve(payment_, event), payment.initial());
      const count = (type: PaymentEvent['type']) => events.filter((event) => event.type === type).length;
      expect(count('PaymentRequested')).toBeLessThanOrEqual(1);
      expect(count('PaymentSucceeded')).toBeLessThanOrEqual(1);
      const { paid, returnedCents } = state;
      if (!paid) return void expect(balances(events).size).toBe(0);
      const sums = balances(events);
      const { amountCents, feeCents } = paid;
      const returnedFee = Math.round((feeCents * returnedCents) / amountCents);
      expect(sums.get('provider')).toBe(amountCents - returnedCents);
      expect(sums.get('platform')).toBe(returnedFee - feeCents + 0);
      if (returnedCents === amountCents) expect([...sums.values()].every((cents) => cents === 0)).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});

/** What the provider can truly report of one payment: refunds of which some fail later, and a dispute with one outcome. */
const history = fc
  .record({
    amountCents: fc.integer({ min: 10, max: 100_000 }),
    shares: fc.array(fc.record({ share: fc.integer({ min: 1, max: 100 }), fails: fc.boolean() }), { maxLength: 4 }),
    outcome: fc.constantFrom('none' as const, 'open' as const, 'won' as const, 'lost' as const),
  })
  .chain(({ amountCents, shares, outcome }) => {
    const terms: PaymentTerms = {
      ...{ paymentId, orderId, eventId: 7, amountCents, purpose: 'tickets', organiserId: 3, buyerId: null },
    };
    const update = { paymentId, terms };
    const refunds = shares.map(({ share, fails }, n) => ({
      ...{ refundId: `re_${n}`, amountCents: Math.ceil((amountCents * share) / 400), fails },
    }));
    const dispute = (now: 'open' | 'won' | 'lost'): PaymentCommand => ({
      type: 'RecordDispute',
      ...{ ...update, disputeId: 'dp', amountCents: Math.ceil(amountCents / 5), reason: '', outcome: now },
    });
    const reports: PaymentCommand[] = [
      { type: 'RecordSuccess', ...update, amountCents },
      ...refunds.flatMap(({ refundId, amountCents: cents, fails }): PaymentCommand[] => [
        { type: 'RecordRefund', ...update, refundId, amountCents: cents },
        ...(fails
          ? [{ type: 'RecordRefundFailure' as const, ...update, refundId, code: 'closed', amountCents: cents }]
          : []),
      ]),
      ...(outcome === 'none' ? [] : [dispute('open'), ...(outcome === 'open' ? [] : [dispute(outcome)])]),
    ];
    const gone =
      refunds.reduce((sum, refund) => sum + (refund.fails ? 0 : refund.amountCents), 0) +
      (outcome === 'lost' ? Math.ceil(amountCents / 5) : 0);
    return fc
      .shuffledSubarray([...reports, ...reports], { minLength: reports.length * 2 })
      .map((commands) => ({ commands, gone, amountCents }));
  });

test('reports of refunds and disputes lead to the same books in any order, each of them twice', () => {
  fc.assert(
    fc.property(history, ({ commands, gone, amountCents }) => {
      const sums = balances(live(commands));
      expect(sums.get('provider')).toBe(amountCents - gone);
      expect([...sums.values()].reduce((sum, cents) => sum + cents, 0)).toBe(0);
    }),
    { numRuns: 3_000 },
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
