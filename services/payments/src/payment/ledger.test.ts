import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Rejected } from '@beltway/event-store';
import { platformAccount, type Bought } from './bought.ts';
import { payment } from './decider.ts';
import type { PaymentCommand, PaymentEvent, PaymentTerms } from './events.ts';
import { legsOf } from './ledger.ts';

const orderId = '0b9e6f2c-5d0a-4f53-9c1e-0a6d4c9c7f10';
const paymentId = 'pi_ann';

const tickets: Bought = { purpose: 'tickets', orderId, eventId: 7 };
const anyPurpose = fc.constantFrom<Bought>(
  tickets,
  { purpose: 'promotion', eventId: 7, level: 'featured' },
  {
    purpose: 'livestream',
    eventId: 7,
    livestream: {
      ...{ startTime: '2099-12-06T00:00:00.000Z', endTime: '2099-12-06T03:00:00.000Z', maxViewers: 500 },
      ...{ chatEnabled: true, recordingEnabled: false, eventStartsAt: null },
    },
  },
  { purpose: 'ad', packageId: 'banner-7d' },
);
const termsOf = (bought: Bought, amountCents: number): PaymentTerms => ({
  ...{ id: orderId, paymentId, amountCents, bought, buyerId: null },
  organizerId: bought.purpose === 'tickets' ? 3 : null,
});

/** Any commands in any order, consistent or not. */
const commands = (bought: Bought, amountCents: number): fc.Arbitrary<PaymentCommand[]> => {
  const terms = termsOf(bought, amountCents);
  const update = fc.constantFrom(
    { paymentId, terms },
    { paymentId, terms: null },
    { paymentId: 'pi_other', terms: null },
  );
  const amount = fc.constantFrom(amountCents, amountCents, amountCents, 1);
  const id = fc.constantFrom('1', '2');
  const request = fc.constantFrom('r1', 'r2', 'r3');
  const part = fc.constantFrom(1, Math.ceil(amountCents / 3), Math.ceil(amountCents / 2), amountCents);
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
        .tuple(
          ...([update, fc.oneof(amount, fc.constant(amountCents + 700)), id] as const),
          fc.constantFrom('inquiry' as const, 'open' as const, 'won' as const, 'lost' as const),
        )
        .map(([t, cents, disputeId, outcome]): PaymentCommand => ({
          type: 'RecordDispute',
          ...{ ...t, disputeId, amountCents: cents, reason: 'fraudulent', outcome },
        })),
      update.map((t): PaymentCommand => ({ type: 'RecordCancellation', ...t })),
      update.map((t): PaymentCommand => ({ type: 'RecordProcessing', ...t })),
      amount.map((cents): PaymentCommand => ({
        type: 'RequestRefund',
        paymentId,
        amountCents: cents,
        reason: 'too-late',
      })),
      fc.constant<PaymentCommand>({ type: 'RecordFulfillment', paymentId }),
      fc.tuple(request, part).map(([requestId, cents]): PaymentCommand => ({
        type: 'RequestPartRefund',
        ...{ requestId, paymentId, cents, reason: 'asked' },
      })),
      fc.tuple(update, part, id, request).map(([t, cents, refundId, requestId]): PaymentCommand => ({
        type: 'RecordRefund',
        ...{ ...t, refundId: `part-${refundId}`, amountCents: cents, requestId },
      })),
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

const anyLife = fc
  .tuple(anyPurpose, fc.integer({ min: 1, max: 99_999_999 }))
  .chain(([bought, amountCents]) => commands(bought, amountCents));

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

test('in any order of reports, a payment succeeds once, and each account has its share of the money that was not returned', () => {
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
      // The platform bears everything beyond the payment.
      const shared = Math.min(returnedCents, amountCents);
      const returnedFee = Math.round((feeCents * shared) / amountCents) + returnedCents - shared;
      expect(sums.get('provider')).toBe(amountCents - returnedCents);
      expect(sums.get(platformAccount(paid.bought))).toBe(returnedFee - feeCents + 0);
      // The platform's and the organizer's parts sum to the amount taken, to the cent.
      const owed = sums.get('organizer:3') ?? 0;
      expect(owed + (returnedFee - feeCents)).toBe(-(amountCents - returnedCents) + 0);
      expect(owed).toBeLessThanOrEqual(0);
      if (paid.bought.purpose !== 'tickets') expect([feeCents, sums.has('organizer:3')]).toEqual([amountCents, false]);
      if (returnedCents === amountCents) expect([...sums.values()].every((cents) => cents === 0)).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});

/** Consistent reports about one payment: refunds, some of which fail later, and a dispute with one outcome. */
const history = fc
  .record({
    bought: anyPurpose,
    amountCents: fc.integer({ min: 10, max: 100_000 }),
    shares: fc.array(fc.record({ share: fc.integer({ min: 1, max: 100 }), fails: fc.boolean() }), { maxLength: 4 }),
    outcome: fc.constantFrom('none' as const, 'open' as const, 'won' as const, 'lost' as const),
  })
  .chain(({ bought, amountCents, shares, outcome }) => {
    const update = { paymentId, terms: termsOf(bought, amountCents) };
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

test('reports of refunds and disputes lead to the same ledger in any order, even if each report is repeated', () => {
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
])('%i cents: the platform keeps %i, the organizer is owed %i', (amountCents, fee, share) => {
  const terms = termsOf(tickets, amountCents);
  const sums = balances(live([{ type: 'RecordSuccess', paymentId, terms, amountCents }]));
  expect(
    [sums.get('provider'), sums.get('platform'), sums.get('organizer:3')].map((cents) => Math.abs(cents ?? 0)),
  ).toEqual([amountCents, fee, share]);
});

/**
 * A provider that refunds the requested amount, but never more than it took. Banks refuse some refunds, immediately or
 * later.
 */
const askedParts = fc.record({
  bought: anyPurpose,
  amountCents: fc.integer({ min: 1, max: 100_000 }),
  steps: fc.array(
    fc.record({
      kind: fc.constantFrom('ask' as const, 'ask-all' as const, 'work' as const, 'fail' as const, 'by-hand' as const),
      request: fc.constantFrom('r1', 'r2', 'r3', 'r4'),
      share: fc.integer({ min: 1, max: 100 }),
    }),
    { maxLength: 30 },
  ),
});

test('each requested partial refund is made once and again if it failed; all together never exceed the payment', () => {
  fc.assert(
    fc.property(askedParts, ({ bought, amountCents, steps }) => {
      let state = payment.initial();
      const events: PaymentEvent[] = [];
      const send = (command: PaymentCommand): void => {
        let decided: PaymentEvent[];
        try {
          decided = payment.decide(command, state);
        } catch (error) {
          if (error instanceof Rejected) return;
          throw error;
        }
        for (const event of decided) {
          events.push(event);
          state = payment.evolve(state, event);
          const sums = balances(events);
          expect([...sums.values()].reduce((sum, cents) => sum + cents, 0)).toBe(0);
          // The buyer never gets more than was paid, and never owes anything.
          expect(sums.get('provider') ?? 0).toBeGreaterThanOrEqual(0);
          expect(sums.get('provider') ?? 0).toBeLessThanOrEqual(amountCents);
        }
      };
      const update = { paymentId, terms: termsOf(bought, amountCents) };
      send({ type: 'RecordSuccess', ...update, amountCents });
      /** The refunds in the provider's own records. */
      const refunds: Array<{ id: string; cents: number; requestId?: string; failed: boolean }> = [];
      const left = () => amountCents - refunds.reduce((sum, { cents, failed }) => sum + (failed ? 0 : cents), 0);
      const refund = (cents: number, requestId?: string) => {
        const given = Math.min(cents, left());
        if (given <= 0) return;
        const one = { id: `re_${refunds.length}`, cents: given, failed: false, ...(requestId && { requestId }) };
        refunds.push(one);
        const asked = requestId === undefined ? {} : { requestId };
        send({ type: 'RecordRefund', ...update, refundId: one.id, amountCents: given, ...asked });
      };
      for (const { kind, request, share } of steps) {
        const cents = Math.ceil((amountCents * share) / 100);
        if (kind === 'ask') send({ type: 'RequestPartRefund', requestId: request, paymentId, cents, reason: 'asked' });
        if (kind === 'ask-all') send({ type: 'RequestRefund', paymentId, amountCents, reason: 'event-canceled' });
        if (kind === 'by-hand') refund(cents);
        if (kind === 'work' && state.asked) refund(left());
        if (kind === 'work' && !state.asked)
          for (const [requestId, part] of state.parts) if (part.refundId === null) refund(part.cents, requestId);
        if (kind === 'fail') {
          const one = refunds.find(({ failed }) => !failed);
          if (one) one.failed = true;
          if (one)
            send({ type: 'RecordRefundFailure', ...update, refundId: one.id, code: 'closed', amountCents: one.cents });
        }
        expect(balances(events).get('provider')).toBe(left());
      }
      // Repeats until nothing is due: every requested part has one completed refund, or everything was returned.
      if (state.asked) refund(left());
      else for (const [requestId, part] of state.parts) if (part.refundId === null) refund(part.cents, requestId);
      const standing = refunds.filter(({ failed, requestId }) => !failed && requestId !== undefined);
      expect(new Set(standing.map(({ requestId }) => requestId)).size).toBe(standing.length);
      for (const [requestId] of state.parts)
        expect(left() === 0 || standing.some((one) => one.requestId === requestId)).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});
