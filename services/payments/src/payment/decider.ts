import { platformFeeCents } from '@beltway/contracts/payments';
import { Rejected, type Decider } from '@beltway/event-store';
import type { PaymentCommand, PaymentEvent, PaymentFacts, PaymentTerms, Split, Told } from './events.ts';

export interface Payment {
  terms: PaymentTerms | null;
  /** Intents that were cancelled and replaced. */
  former: Set<string>;
  status: 'open' | 'processing' | 'succeeded' | 'cancelled';
  /** Attempts that were declined, refunds that failed: each is told once. */
  declined: Set<string>;
  failedRefunds: Set<string>;
  paid: (PaymentFacts & Split) | null;
  fulfilled: boolean;
  refund: 'none' | 'wanted' | 'done';
}

const initial = (): Payment => ({
  terms: null,
  former: new Set(),
  status: 'open',
  declined: new Set(),
  failedRefunds: new Set(),
  paid: null,
  fulfilled: false,
  refund: 'none',
});

const factsOf = ({ paymentId, orderId, eventId, amountCents }: PaymentFacts): PaymentFacts => ({
  paymentId,
  orderId,
  eventId,
  amountCents,
});

const sameTerms = (a: PaymentTerms, b: PaymentTerms): boolean =>
  a.paymentId === b.paymentId &&
  a.amountCents === b.amountCents &&
  a.eventId === b.eventId &&
  a.organiserId === b.organiserId &&
  a.buyerId === b.buyerId;

/** The terms a told fact belongs to, and the event that records them when we had forgotten. */
function known(payment: Payment, { paymentId, terms: told }: Told): { terms: PaymentTerms; first: PaymentEvent[] } {
  const terms = payment.terms ?? told;
  if (!terms) throw new Rejected('unknown-payment', 'This payment was never asked for here.');
  if (terms.paymentId !== paymentId) throw new Rejected('other-intent', 'The order is paid by another intent.');
  return { terms, first: payment.terms ? [] : [{ type: 'PaymentRequested', data: { ...terms, clientSecret: null } }] };
}

/** News of an intent that another has taken the place of. Money on it cannot be: that stays an error. */
const isBygone = (command: PaymentCommand, { former }: Payment): boolean =>
  (command.type === 'RecordProcessing' || command.type === 'RecordFailure' || command.type === 'RecordCancellation') &&
  former.has(command.paymentId);

function decide(command: PaymentCommand, payment: Payment): PaymentEvent[] {
  if (isBygone(command, payment)) return [];
  switch (command.type) {
    case 'RequestPayment': {
      const { terms, clientSecret } = command;
      // A cancelled intent is dead; an order that is still held may be paid by a new one.
      const isDead = payment.status === 'cancelled' && payment.terms?.paymentId !== terms.paymentId;
      if (!payment.terms || isDead) return [{ type: 'PaymentRequested', data: { ...terms, clientSecret } }];
      if (!sameTerms(payment.terms, terms))
        throw new Rejected('payment-changed', 'This order was asked to be paid on other terms.');
      return [];
    }
    case 'RecordProcessing': {
      if (payment.status !== 'open') return [];
      const { terms, first } = known(payment, command);
      return [...first, { type: 'PaymentProcessing', data: factsOf(terms) }];
    }
    case 'RecordFailure': {
      const { attempt, code } = command;
      // The provider tells in any order: an attempt declined before the one that was paid is no news.
      if (payment.paid || payment.status === 'cancelled' || payment.declined.has(attempt)) return [];
      const { terms, first } = known(payment, command);
      return [...first, { type: 'PaymentFailed', data: { ...factsOf(terms), attempt, code } }];
    }
    case 'RecordSuccess': {
      const { terms, first } = known(payment, command);
      if (payment.paid) return [];
      const { amountCents } = command;
      const feeCents = platformFeeCents(amountCents);
      return [
        ...first,
        {
          type: 'PaymentSucceeded',
          data: { ...factsOf(terms), amountCents, organiserId: terms.organiserId, feeCents },
        },
      ];
    }
    case 'RecordCancellation': {
      if (payment.paid || payment.status === 'cancelled') return [];
      const { terms, first } = known(payment, command);
      return [...first, { type: 'PaymentCancelled', data: factsOf(terms) }];
    }
    case 'RecordFulfilment': {
      known(payment, { paymentId: command.paymentId, terms: null });
      return payment.fulfilled ? [] : [{ type: 'PaymentFulfilled', data: { orderId: command.orderId } }];
    }
    case 'RequestRefund': {
      const { orderId, paymentId, amountCents, reason } = command;
      if (payment.refund !== 'none') return [];
      if (payment.terms) known(payment, { paymentId, terms: null });
      // Whole payments only: a part would need a split of its own.
      if (payment.paid && payment.paid.amountCents !== amountCents)
        throw new Rejected(
          'refund-amount-differs',
          `Only the whole ${payment.paid.amountCents} cents can be refunded.`,
        );
      return [
        {
          type: 'RefundRequested',
          data: { orderId, reason, afterFulfilment: payment.fulfilled, due: payment.paid !== null },
        },
      ];
    }
    case 'RecordRefund': {
      const { refundId, amountCents } = command;
      if (payment.refund === 'done') return [];
      const { terms, first } = known(payment, command);
      if (amountCents !== (payment.paid ?? terms).amountCents)
        throw new Rejected('partial-refund', 'A part was refunded by hand; that is not booked.');
      // A refund proves that the money had come.
      const paid = payment.paid ?? {
        ...factsOf(terms),
        organiserId: terms.organiserId,
        feeCents: platformFeeCents(terms.amountCents),
      };
      const late: PaymentEvent[] = payment.paid ? [] : [...first, { type: 'PaymentSucceeded', data: paid }];
      return [...late, { type: 'PaymentRefunded', data: { ...paid, refundId } }];
    }
    case 'RecordRefundFailure': {
      const { refundId, code } = command;
      if (payment.refund !== 'wanted' || payment.failedRefunds.has(refundId)) return [];
      const { terms } = known(payment, command);
      return [{ type: 'RefundFailed', data: { ...factsOf(terms), refundId, code } }];
    }
  }
}

// May change the state it is given: the store owns it, and drops it if the append fails.
function evolve(payment: Payment, { type, data }: PaymentEvent): Payment {
  switch (type) {
    case 'PaymentRequested':
      if (payment.terms) payment.former.add(payment.terms.paymentId);
      payment.terms = data;
      payment.status = 'open';
      return payment;
    case 'PaymentProcessing':
      payment.status = 'processing';
      return payment;
    case 'PaymentFailed':
      payment.status = 'open';
      payment.declined.add(data.attempt);
      return payment;
    case 'PaymentSucceeded':
      payment.status = 'succeeded';
      payment.paid = data;
      return payment;
    case 'PaymentCancelled':
      payment.status = 'cancelled';
      return payment;
    case 'PaymentFulfilled':
      payment.fulfilled = true;
      return payment;
    case 'RefundRequested':
      payment.refund = 'wanted';
      return payment;
    case 'RefundFailed':
      payment.failedRefunds.add(data.refundId);
      return payment;
    case 'PaymentRefunded':
      payment.refund = 'done';
      return payment;
  }
}

export const payment: Decider<Payment, PaymentCommand, PaymentEvent> = { initial, decide, evolve };
