import fc from 'fast-check';
import { expect, test } from 'vitest';
import { feeDueCents, owedCents, payment } from './decider.ts';
import type { PaymentCommand, PaymentEvent, PaymentTerms } from './events.ts';
import { legsOf } from './ledger.ts';

const orderId = '0b9e6f2c-5d0a-4f53-9c1e-0a6d4c9c7f10';
const paymentId = 'pi_ann';
const termsOf = (amountCents: number, destination?: string): PaymentTerms => ({
  ...{ id: orderId, paymentId, amountCents, organizerId: 3, buyerId: null },
  bought: { purpose: 'tickets', orderId, eventId: 7 },
  ...(destination !== undefined && { destination }),
});

/** A payment, and a fake provider with its own record of transfers, reversals and refunds. */
function life(amountCents: number, hasDestination: boolean) {
  let state = payment.initial();
  const events: PaymentEvent[] = [];
  const sums = new Map<string, number>();
  const feeCents = Math.round(amountCents * 0.05);
  const provider = { organizer: 0, platform: 0, feeLeft: hasDestination ? feeCents : 0 };
  let ids = 0;

  const send = (command: PaymentCommand): void => {
    for (const event of payment.decide(command, state)) {
      events.push(event);
      state = payment.evolve(state, event);
      const legs = legsOf(event);
      expect(legs.reduce((sum, leg) => sum + leg.amountCents, 0)).toBe(0);
      for (const leg of legs) sums.set(leg.account, (sums.get(leg.account) ?? 0) + leg.amountCents);
    }
  };
  const sum = (account: string) => sums.get(account) ?? 0;
  return {
    events,
    provider,
    send,
    sum,
    state: () => state,
    update: { paymentId, terms: termsOf(amountCents, hasDestination ? 'acct_3' : undefined) },
    id: () => `x_${ids++}`,
    feeCents,
    /** One step of the worker, as in `work/shares.ts`. Returns false if there is nothing to move. */
    step(): boolean {
      const [owed, feeDue] = [owedCents(state), feeDueCents(state)];
      if (owed === 0) return false;
      if (feeDue > 0) {
        // The provider returns at most the fee it took.
        expect(feeDue).toBeLessThanOrEqual(provider.feeLeft);
        provider.feeLeft -= feeDue;
        provider.organizer += feeDue;
        provider.platform -= feeDue;
        send({ type: 'RecordFeeReturn', paymentId, feeRefundId: this.id(), cents: feeDue });
      } else if (owed < 0) {
        // The account has enough for the reversal.
        expect(-owed).toBeLessThanOrEqual(provider.organizer);
        provider.organizer += owed;
        provider.platform -= owed;
        send({ type: 'RecordReversal', paymentId, reversalId: this.id(), transferId: 'tr', cents: -owed });
      } else {
        provider.organizer += owed;
        provider.platform -= owed;
        send({ type: 'RecordTransfer', paymentId, transferId: this.id(), destination: 'acct_3', cents: owed });
      }
      return true;
    },
  };
}

const anything = fc.record({
  amountCents: fc.integer({ min: 50, max: 1_000_000 }),
  hasDestination: fc.boolean(),
  steps: fc.array(
    fc.record({
      kind: fc.constantFrom('refund', 'refund', 'fail', 'lose', 'win', 'work', 'work', 'fee', 'again'),
      share: fc.integer({ min: 1, max: 100 }),
    }),
    { maxLength: 25 },
  ),
});

test('in any sequence of payments, refunds, failed refunds, disputes, fees and transfers, each share ends in the right account, to the cent', () => {
  fc.assert(
    fc.property(anything, ({ amountCents, hasDestination, steps }) => {
      const one = life(amountCents, hasDestination);
      one.send({ type: 'RecordSuccess', ...one.update, amountCents });
      one.provider.platform += amountCents;
      if (hasDestination) {
        one.provider.organizer += amountCents - one.feeCents;
        one.provider.platform -= amountCents - one.feeCents;
      }
      let refunded = 0;
      let disputed = 0;
      let taken = 0;
      let last: PaymentCommand | undefined;
      const refunds: Array<{ refundId: string; cents: number }> = [];
      const lost: Array<{ disputeId: string; cents: number }> = [];
      for (const { kind, share } of steps) {
        const cents = Math.min(Math.ceil((amountCents * share) / 100), amountCents - refunded);
        if (kind === 'refund' && cents > 0) {
          const refundId = one.id();
          one.send((last = { type: 'RecordRefund', ...one.update, refundId, amountCents: cents }));
          refunds.push({ refundId, cents });
          refunded += cents;
          one.provider.platform -= cents;
        }
        const failing = kind === 'fail' ? refunds.pop() : undefined;
        if (failing) {
          const { refundId, cents: back } = failing;
          one.send({ type: 'RecordRefundFailure', ...one.update, refundId, code: 'closed', amountCents: back });
          refunded -= back;
          one.provider.platform += back;
        }
        if (kind === 'lose') {
          const disputeId = one.id();
          // A bank takes the disputed amount: a part, the whole even if some was refunded, or more than was paid.
          const cents = Math.ceil((amountCents * share) / 70);
          one.send({
            ...{ type: 'RecordDispute', ...one.update, disputeId, amountCents: cents, reason: '', outcome: 'lost' },
          });
          lost.push({ disputeId, cents });
          disputed += cents;
          one.provider.platform -= cents;
        }
        const winning = kind === 'win' ? lost.pop() : undefined;
        if (winning) {
          const { disputeId, cents: back } = winning;
          one.send({
            ...{ type: 'RecordDispute', ...one.update, disputeId, amountCents: back, reason: '', outcome: 'won' },
          });
          disputed -= back;
          one.provider.platform += back;
        }
        if (kind === 'work') one.step();
        if (kind === 'fee') {
          one.send((last = { type: 'RecordProviderFee', paymentId, transactionId: one.id(), cents: share }));
          taken += share;
          one.provider.platform -= share;
        }
        // A repeated report changes nothing.
        if (kind === 'again' && last) one.send(last);

        const returned = refunded + disputed;
        const held = one.sum('provider') + one.sum('provider:transfers') + one.sum('provider:fees');
        expect(held).toBe(one.provider.platform);
        expect(one.sum('provider')).toBe(amountCents - returned);
        expect(one.sum('provider-fee')).toBe(taken);
        // The cents owed plus the cents in the account are the organizer's part of the cents that were not returned.
        // The sum is never negative.
        const shared = Math.min(returned, amountCents);
        const fee = one.feeCents - Math.round((one.feeCents * shared) / amountCents) - (returned - shared);
        expect(-one.sum('platform') + 0).toBe(fee);
        expect(-one.sum('organizer:3') + one.provider.organizer).toBe(amountCents - returned - fee);
        expect(-one.sum('organizer:3') + one.provider.organizer).toBeGreaterThanOrEqual(0);
        expect(owedCents(one.state())).toBe(-one.sum('organizer:3') + 0);
      }
      for (let left = 5; one.step(); left--) expect(left).toBeGreaterThan(0);
      expect(one.sum('organizer:3') + 0).toBe(0);
      // The provider's fee matches ours. A cent may remain if rounding left nothing else to move.
      const returned = Math.min(refunded + disputed, amountCents);
      const feeReturned = hasDestination ? one.feeCents - one.provider.feeLeft : 0;
      const feeDue = hasDestination ? Math.round((one.feeCents * returned) / amountCents) : 0;
      expect(feeDue - feeReturned).toBeLessThanOrEqual(1);
      // The platform's account then has exactly the cents that it lost beyond the payment.
      if (returned === amountCents)
        expect([one.provider.organizer, one.sum('platform')]).toEqual([0, refunded + disputed - amountCents]);
    }),
    { numRuns: 2_000 },
  );
});

test('a move is recorded once, however it is reported, and only for a payment that succeeded', () => {
  const one = life(1_000, false);
  one.send({ type: 'RequestPayment', terms: one.update.terms, clientSecret: null });
  const move: PaymentCommand = {
    type: 'RecordTransfer',
    paymentId,
    transferId: 'tr_1',
    destination: 'acct_3',
    cents: 950,
  };
  expect(() => one.send(move)).toThrow('An unpaid payment moves no money.');
  one.send({ type: 'RecordSuccess', ...one.update, amountCents: 1_000 });
  one.send(move);
  one.send(move);
  expect(one.events.map(({ type }) => type)).toEqual(['PaymentRequested', 'PaymentSucceeded', 'ShareTransferred']);
  expect(() => one.send({ ...move, transferId: 'tr_2', cents: 0 })).toThrow('Enter whole cents above zero.');
  expect(() => one.send({ ...move, transferId: 'tr_2', paymentId: 'pi_other' })).toThrow(
    'Another payment intent pays this order.',
  );
});

test('when a refund and a lost dispute together took more than was paid, the fee is returned only once', () => {
  const { send, state, update, id, feeCents } = life(1_000, true);
  send({ type: 'RecordSuccess', ...update, amountCents: 1_000 });
  send({ type: 'RecordRefund', ...update, refundId: id(), amountCents: 500 });
  send({ type: 'RecordDispute', ...update, disputeId: id(), amountCents: 1_000, reason: '', outcome: 'lost' });
  // A higher amount would be refused each time, and the transfer would never be reversed.
  expect(feeDueCents(state())).toBe(feeCents);
  send({ type: 'RecordFeeReturn', paymentId, feeRefundId: id(), cents: feeCents });
  expect(feeDueCents(state())).toBe(0);
  // Only the whole transfer comes back, because the organizer never had more than that.
  expect(owedCents(state())).toBe(-1_000);
});
