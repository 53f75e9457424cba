import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Rejected, type Logged } from '@beltway/event-store';
import type { ProviderEvent } from '../provider/objects.ts';
import { updateFromEvent } from '../provider/updates.ts';
import { payment } from './decider.ts';
import type { PaymentCommand, PaymentEvent, PaymentTerms } from './events.ts';
import { legsOf } from './ledger.ts';
import { publishPayment } from './publish.ts';

const orderId = '0b9e6f2c-5d0a-4f53-9c1e-0a6d4c9c7f10';
const paymentId = 'pi_1';
const paidCents = 5_100;
const terms: PaymentTerms = {
  ...{ id: orderId, paymentId, amountCents: paidCents, organizerId: 7, buyerId: null },
  bought: { purpose: 'tickets', orderId, eventId: 42 },
};

interface RefundObject {
  id: string;
  amount: number;
  status: 'pending' | 'succeeded' | 'failed';
  metadata: { refundRequestId?: string };
}
interface DisputeObject {
  id: string;
  amount: number;
  status: 'warning_needs_response' | 'needs_response' | 'warning_closed' | 'won' | 'lost';
}
const isOpen = ({ status }: DisputeObject) => status === 'needs_response' || status === 'warning_needs_response';

/** The provider's record of one payment: what happened to it, and what it reported. */
function provider() {
  const reports: Array<{ id: string; type: string; object: object }> = [];
  const refunds: RefundObject[] = [];
  const disputes: DisputeObject[] = [];
  /** Our requests, and the number of reports before each. */
  const asked: Array<{ after: number; command: PaymentCommand }> = [];
  const emit = (type: string, object: object) =>
    reports.push({ id: `evt_${reports.length}`, type, object: { ...object, currency: 'usd' } });
  const emitRefund = (type: string, refund: RefundObject) =>
    emit(`refund.${type}`, { ...refund, object: 'refund', payment_intent: paymentId });
  const emitDispute = (type: string, dispute: DisputeObject) =>
    emit(`charge.dispute.${type}`, { ...dispute, object: 'dispute', payment_intent: paymentId, reason: 'fraudulent' });
  const cents = (share: number, of: number) => Math.max(1, Math.ceil((of * share) / 100));
  /** The paid amount minus refunds and disputes; a dispute may exceed the rest. */
  const left = () =>
    paidCents -
    refunds.reduce((sum, { amount, status }) => sum + (status === 'failed' ? 0 : amount), 0) -
    disputes.reduce((sum, { amount, status }) => sum + (status === 'won' ? 0 : amount), 0);

  function refund(share: number, by: 'hand' | 'part' | 'whole', isPending: boolean): void {
    if (left() <= 0 || disputes.some(isOpen)) return;
    const amount = by === 'whole' ? left() : cents(share, left());
    const requestId = `00000000-0000-4000-8000-00000000000${refunds.length}`;
    const reason = 'event-canceled';
    if (by === 'whole')
      asked.push({
        after: reports.length,
        command: { type: 'RequestRefund', paymentId, amountCents: paidCents, reason },
      });
    if (by === 'part')
      asked.push({
        after: reports.length,
        command: { type: 'RequestPartRefund', requestId, paymentId, cents: amount, reason },
      });
    const made: RefundObject = {
      ...{ id: `re_${refunds.length}`, amount, status: isPending ? 'pending' : 'succeeded' },
      metadata: by === 'part' ? { refundRequestId: requestId } : {},
    };
    refunds.push(made);
    emitRefund('created', made);
  }

  emit('payment_intent.succeeded', {
    ...{ id: paymentId, object: 'payment_intent', status: 'succeeded', amount: paidCents, amount_received: paidCents },
    ...{ metadata: {}, latest_charge: 'ch_1' },
  });
  return {
    ...{ reports, asked, disputes },
    /** The total that was returned in the end. */
    takenCents: () =>
      [...refunds, ...disputes].reduce(
        (sum, { status, amount }) => sum + (status === 'succeeded' || status === 'lost' ? amount : 0),
        0,
      ),
    does({ kind, share, by, flag }: Step): void {
      const settling = refunds.find(({ status }) => status === (kind === 'settle' ? 'pending' : 'succeeded'));
      const open = disputes.find(isOpen);
      const lost = disputes.find(({ status }) => status === 'lost');
      switch (kind) {
        case 'refund':
          return refund(share, by, flag);
        case 'settle':
        case 'fail-late':
          if (!settling) return;
          settling.status = kind === 'settle' && flag ? 'succeeded' : 'failed';
          return void emitRefund(settling.status === 'failed' ? 'failed' : 'updated', settling);
        case 'dispute': {
          // Usually the charge's amount, but exchange rates and disputes over single tickets change it.
          if (open || disputes.length === 2) return;
          const status = flag ? 'needs_response' : 'warning_needs_response';
          const made: DisputeObject = { id: `dp_${disputes.length}`, amount: cents(share, paidCents * 1.2), status };
          disputes.push(made);
          return void emitDispute('created', made);
        }
        case 'escalate':
          if (open?.status !== 'warning_needs_response') return;
          open.status = 'needs_response';
          return void emitDispute('updated', open);
        case 'close':
          if (!open) return;
          open.status = open.status === 'warning_needs_response' ? 'warning_closed' : flag ? 'lost' : 'won';
          return void emitDispute('closed', open);
        case 'win-late':
          if (!lost) return;
          lost.status = 'won';
          return void emitDispute('funds_reinstated', lost);
      }
    },
  };
}

const step = fc.record({
  kind: fc.constantFrom(
    ...(['refund', 'settle', 'fail-late', 'dispute', 'dispute', 'escalate', 'close', 'close', 'win-late'] as const),
  ),
  share: fc.integer({ min: 1, max: 100 }),
  by: fc.constantFrom('hand' as const, 'part' as const, 'whole' as const),
  flag: fc.boolean(),
});
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

/** How the webhooks of one report arrive: whether never, once or twice, and after how many later reports. */
const delivery = fc.record({
  copies: fc.constantFrom(0, 1, 1, 1, 2),
  late: fc.constantFrom(0, 0, 1, 2, 3),
});

test('when webhooks are lost, repeated or out of order, and the provider’s list is read, ledger and tickets are correct', () => {
  fc.assert(
    fc.property(
      fc.array(step, { minLength: 1, maxLength: 8 }),
      fc.array(delivery, { minLength: 12, maxLength: 12 }),
      (steps, deliveries) => {
        const truth = provider();
        for (const one of steps) truth.does(one);
        const { reports } = truth;
        const arriving = reports
          .flatMap((report, n) => {
            const { copies, late } = deliveries[n % deliveries.length]!;
            return Array.from({ length: copies }, (_, copy) => ({ report, at: n + late * (copy + 1) }));
          })
          .sort((a, b) => a.at - b.at)
          .map(({ report }) => report);

        let state = payment.initial();
        const events: PaymentEvent[] = [];
        const handled = new Set<string>();
        const handle = (commandId: string, command: PaymentCommand): void => {
          if (handled.has(commandId)) return;
          let decided: PaymentEvent[];
          try {
            decided = payment.decide(command, state);
          } catch (error) {
            if (error instanceof Rejected) return;
            throw error;
          }
          if (decided.length > 0) handled.add(commandId);
          for (const event of decided) state = payment.evolve(state, event);
          events.push(...decided);
        };
        handle('request', { type: 'RequestPayment', terms, clientSecret: 'secret' });
        let waiting = truth.asked.map((one, n) => ({ ...one, id: `asked_${n}` }));
        for (const { id, type, object } of [...arriving, ...reports]) {
          // A request of ours is handled before the reports that follow it.
          const reached = Number(id.slice('evt_'.length));
          for (const one of waiting.filter(({ after }) => after <= reached)) handle(one.id, one.command);
          waiting = waiting.filter(({ after }) => after > reached);
          const update = updateFromEvent({ id, type, data: { object } } satisfies ProviderEvent);
          if (update && !('refundsOf' in update)) handle(id, update);
        }

        expect(state.returnedCents).toBe(truth.takenCents());
        const sums = new Map<string, number>();
        for (const { account, amountCents } of events.flatMap(legsOf))
          sums.set(account, (sums.get(account) ?? 0) + amountCents);
        expect(sums.get('provider')).toBe(paidCents - truth.takenCents());
        expect([...sums.values()].reduce((sum, cents) => sum + cents, 0)).toBe(0);
        // An organizer never owes more than they earned.
        expect(sums.get('organizer:7') ?? 0).toBeLessThanOrEqual(0);

        // Like ticketing, uses only the newest message about each dispute.
        const messages = events.flatMap((event, n) =>
          publishPayment({
            ...event,
            stream: `payment-${orderId}`,
            id: orderId,
            version: n + 1,
            userId: null,
          } as unknown as Logged),
        );
        const disputes = new Map<string, string>();
        let isWithdrawn = false;
        for (const { type, data } of messages) {
          const { disputeId, outcome } = data as { disputeId?: string; outcome?: string };
          if (type === 'payments.dispute-opened') disputes.set(disputeId!, 'open');
          if (type === 'payments.dispute-closed') disputes.set(disputeId!, outcome!);
          if (type === 'payments.money-withdrawn') isWithdrawn = true;
          if (type === 'payments.money-reinstated') isWithdrawn = false;
        }
        const now = truth.disputes.map((dispute): [string, string] => [
          dispute.id,
          isOpen(dispute) ? 'open' : dispute.status === 'lost' ? 'lost' : 'won',
        ]);
        expect(disputes).toEqual(new Map(now));
        if (truth.takenCents() >= paidCents && truth.asked.length === 0) expect(isWithdrawn).toBe(true);
      },
    ),
    { numRuns: 4_000 },
  );
});
