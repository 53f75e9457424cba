import { feeShareCents, platformFeeCents } from '@beltway/contracts/payments/payments';
import type { Decider } from '@beltway/event-store';
import { Rejected } from '@beltway/kit/rejected';
import type { Bought } from './bought.ts';
import type {
  AskedPart,
  MoveCommand,
  Part,
  PaymentCommand,
  PaymentEvent,
  PaymentFacts,
  PaymentTerms,
  ShareWay,
  Split,
  ProviderUpdate,
} from './events.ts';

export interface Payment {
  terms: PaymentTerms | null;
  /** Intents that were canceled and replaced. */
  former: Set<string>;
  status: 'open' | 'processing' | 'succeeded' | 'canceled';
  /** Ids of declined attempts. Like the failed refunds below, each attempt is recorded once. */
  declined: Set<string>;
  failedRefunds: Set<string>;
  paid: (PaymentFacts & Split) | null;
  fulfilled: boolean;
  /** A refund of the whole payment was requested. */
  asked: boolean;
  /**
   * Requested partial refunds by request id. `cents`: the amount we return; `refundId`: the refund that returned this
   * amount.
   */
  parts: Map<string, { askedCents: number; cents: number; refundId: string | null }>;
  /**
   * Delayed refunds that staff were alerted about: request ids of partial refunds, and null for a refund of the whole
   * payment.
   */
  delayed: Set<string | null>;
  /** Cents of completed refunds, by refund id. */
  refunds: Map<string, number>;
  /** Cents of `paid` that were returned through refunds and lost disputes. */
  returnedCents: number;
  disputes: Map<string, { cents: number; outcome: 'open' | 'won' | 'lost'; isInquiry?: true }>;
  /** Cents of this payment in the organizer's account now. */
  transferredCents: number;
  /** Cents of a destination charge's fee that were returned to the organizer's account. */
  feeReturnedCents: number;
  /** The delayed share that staff were alerted about; null if there is none. */
  shareDelay: { way: ShareWay; subject: string } | null;
  /** The number of share delays recorded so far. */
  shareDelays: number;
  /**
   * The provider's ids of transfers, reversals, returned fees and the provider's own fees. Each id is recorded once.
   */
  moves: Set<string>;
  /** Money in another currency was reported to staff. */
  otherCurrency: boolean;
  /** Alerts that an admin resolved, as `kind:subject`. */
  resolved: Set<string>;
}

const initial = (): Payment => ({
  terms: null,
  former: new Set(),
  status: 'open',
  declined: new Set(),
  failedRefunds: new Set(),
  paid: null,
  fulfilled: false,
  asked: false,
  parts: new Map(),
  delayed: new Set(),
  refunds: new Map(),
  returnedCents: 0,
  disputes: new Map(),
  transferredCents: 0,
  feeReturnedCents: 0,
  shareDelay: null,
  shareDelays: 0,
  moves: new Set(),
  otherCurrency: false,
  resolved: new Set(),
});

const factsOf = ({ paymentId, amountCents, bought }: PaymentFacts): PaymentFacts => ({
  paymentId,
  amountCents,
  bought,
});

/** The platform's part of a payment: the fee for tickets, the whole amount for its own products. */
const platformShareCents = ({ purpose }: Bought, amountCents: number): number =>
  purpose === 'tickets' ? platformFeeCents(amountCents) : amountCents;

const FIELDS = [
  ...(['purpose', 'orderId', 'eventId', 'level', 'packageId', 'startTime', 'endTime'] as const),
  ...(['maxViewers', 'chatEnabled', 'recordingEnabled', 'eventStartsAt', 'isUsual'] as const),
];

export function sameBought(a: Bought, b: Bought): boolean {
  const [one, other]: Array<Partial<Record<(typeof FIELDS)[number], unknown>>> = [a, b].map((bought) => ({
    ...bought,
    ...('livestream' in bought && bought.livestream),
  }));
  return FIELDS.every((field) => one?.[field] === other?.[field]);
}

const sameTerms = (a: PaymentTerms, b: PaymentTerms): boolean =>
  a.paymentId === b.paymentId &&
  a.amountCents === b.amountCents &&
  sameBought(a.bought, b.bought) &&
  a.organizerId === b.organizerId &&
  a.buyerId === b.buyerId;

/**
 * Returns the terms of a reported payment. If the payment was not recorded yet, `first` is the event that records it.
 */
function known(
  payment: Payment,
  { paymentId, terms: reported }: ProviderUpdate,
): { terms: PaymentTerms; first: PaymentEvent[] } {
  const terms = payment.terms ?? reported;
  if (!terms) throw new Rejected('unknown-payment');
  if (terms.paymentId !== paymentId) throw new Rejected('other-intent');
  return { terms, first: payment.terms ? [] : [{ type: 'PaymentRequested', data: { ...terms, clientSecret: null } }] };
}

/**
 * Returns what was paid. A refund or a dispute proves that the payment succeeded, even if the success was not reported
 * yet.
 */
function proven(payment: Payment, update: ProviderUpdate): { paid: PaymentFacts & Split; first: PaymentEvent[] } {
  const { terms, first } = known(payment, update);
  if (payment.paid) return { paid: payment.paid, first };
  const paid = {
    ...factsOf(terms),
    organizerId: terms.organizerId,
    feeCents: platformShareCents(terms.bought, terms.amountCents),
  };
  return { paid, first: [...first, ...succeeded(terms, paid)] };
}

/**
 * A destination charge transfers the share when the charge succeeds. The fee in such a charge was fixed when the
 * payment was requested.
 */
function succeeded(terms: PaymentTerms, paid: PaymentFacts & Split): PaymentEvent[] {
  const { destination } = terms;
  const success: PaymentEvent = { type: 'PaymentSucceeded', data: paid };
  if (destination === undefined) return [success];
  const { organizerId } = paid;
  const cents = paid.amountCents - platformShareCents(terms.bought, terms.amountCents);
  const moved = { ...factsOf(paid), organizerId, transferId: null, destination, cents };
  return [success, { type: 'ShareTransferred', data: moved }];
}

/**
 * The platform fulfills its own products only if the whole price was paid; an underpayment is refunded. For tickets,
 * the ticketing service does the same.
 */
function underpaid({ asked }: Payment, terms: PaymentTerms, paid: PaymentFacts & Split): PaymentEvent[] {
  const reported: PaymentEvent = {
    type: 'UnderpaymentReported',
    data: { ...factsOf(terms), paidCents: paid.amountCents },
  };
  if (terms.bought.purpose === 'tickets') return [...succeeded(terms, paid), reported];
  const back: PaymentEvent = {
    type: 'RefundRequested',
    data: { reason: 'underpaid', afterFulfillment: false, due: true },
  };
  return [{ type: 'PaymentSucceeded', data: { ...paid, isUnderpaid: true } }, reported, ...(asked ? [] : [back])];
}

/**
 * The cents that we owe the organizer now. Negative if the organizer's account has too much because the buyer was
 * refunded.
 */
export function owedCents({ paid, returnedCents, transferredCents }: Payment): number {
  if (!paid || paid.organizerId === null) return 0;
  const { amountCents, feeCents } = paid;
  return amountCents - returnedCents - (feeCents - feeOf(paid, returnedCents)) - transferredCents;
}

/**
 * Cents of a destination charge's fee that must be returned to the organizer's account before the transfer is reversed.
 * Never more than the fee, although a refund and a lost dispute together can take more than was paid.
 */
export function feeDueCents({ terms, paid, returnedCents, feeReturnedCents }: Payment): number {
  if (!paid || terms?.destination === undefined) return 0;
  return Math.max(0, Math.min(feeOf(paid, returnedCents), paid.feeCents) - feeReturnedCents);
}

/** While a dispute is undecided, nothing is transferred to the organizer. */
export const isDisputed = ({ disputes }: Payment): boolean =>
  [...disputes.values()].some(({ outcome }) => outcome === 'open');

/**
 * The platform's part of the returned cents: the fee times the returned fraction, rounded, plus all cents beyond the
 * payment. A dispute above the charge, or a refund and a lost dispute together, take cents beyond the payment. The
 * organizer never received those cents. Each refund or reversal moves the difference between the new and the previous
 * total. In any order, all these moves together therefore return exactly the fee.
 */
const feeOf = ({ amountCents, feeCents }: PaymentFacts & Split, returnedCents: number): number =>
  feeShareCents(feeCents, amountCents, returnedCents) + Math.max(0, returnedCents - amountCents);

/** The amounts of one move: `cents` go back to the buyer or, if negative, come back to us. */
function partOf(paid: PaymentFacts & Split, before: number, cents: number): Part {
  const returnedCents = before + cents;
  return {
    partCents: Math.abs(cents),
    partFeeCents: Math.abs(feeOf(paid, returnedCents) - feeOf(paid, before)),
    returnedCents,
  };
}

/**
 * Whether the report is about a replaced intent and can be ignored. A report of money on a replaced intent is still an
 * error, because there must be no such money.
 */
const isBygone = (command: PaymentCommand, { former }: Payment): boolean =>
  (command.type === 'RecordProcessing' || command.type === 'RecordFailure' || command.type === 'RecordCancellation') &&
  former.has(command.paymentId);

/** All amounts here are US cents. Payments and refunds in another currency count as zero, and staff handle them. */
const CURRENCY = 'usd';

function inOtherCurrency(payment: Payment, update: ProviderUpdate, amount: number, currency: string): PaymentEvent[] {
  const { terms, first } = known(payment, update);
  if (payment.otherCurrency) return [];
  const reported: PaymentEvent = { type: 'OtherCurrencyReported', data: { ...factsOf(terms), amount, currency } };
  return [...first, reported];
}

/** If the events settle a delayed share, also records that the delay is over. */
function decide(command: PaymentCommand, payment: Payment): PaymentEvent[] {
  const events = decideOn(command, payment);
  const { shareDelay, paid } = payment;
  if (shareDelay === null || !paid) return events;
  const owed = owedCents(events.reduce(evolve, structuredClone(payment)));
  const isSettled = shareDelay.way === 'reversal' ? owed >= 0 : owed <= 0;
  if (!isSettled) return events;
  return [
    ...events,
    { type: 'ShareSettled', data: { ...factsOf(paid), organizerId: paid.organizerId, ...shareDelay } },
  ];
}

function decideOn(command: PaymentCommand, payment: Payment): PaymentEvent[] {
  if (isBygone(command, payment)) return [];
  if ('currency' in command && command.currency !== undefined && command.currency !== CURRENCY)
    return inOtherCurrency(payment, command, command.amountCents, command.currency);
  switch (command.type) {
    case 'RequestPayment': {
      const { terms, clientSecret } = command;
      // A canceled intent cannot be paid; an order that is still held may be paid with a new intent.
      const isDead = payment.status === 'canceled' && payment.terms?.paymentId !== terms.paymentId;
      if (!payment.terms || isDead) return [{ type: 'PaymentRequested', data: { ...terms, clientSecret } }];
      if (!sameTerms(payment.terms, terms)) throw new Rejected('payment-changed');
      return [];
    }
    case 'RecordProcessing': {
      if (payment.status !== 'open') return [];
      const { terms, first } = known(payment, command);
      return [...first, { type: 'PaymentProcessing', data: factsOf(terms) }];
    }
    case 'RecordFailure': {
      const { attempt, code } = command;
      // Reports arrive in any order: a decline that arrives after the success is ignored.
      if (payment.paid || payment.status === 'canceled' || payment.declined.has(attempt)) return [];
      const { terms, first } = known(payment, command);
      return [...first, { type: 'PaymentFailed', data: { ...factsOf(terms), attempt, code } }];
    }
    case 'RecordSuccess': {
      const { terms, first } = known(payment, command);
      if (payment.paid) return [];
      const { amountCents } = command;
      const feeCents = platformShareCents(terms.bought, amountCents);
      const paid = { ...factsOf(terms), amountCents, organizerId: terms.organizerId, feeCents };
      return [
        ...first,
        ...(amountCents < terms.amountCents ? underpaid(payment, terms, paid) : succeeded(terms, paid)),
      ];
    }
    case 'RecordCancellation': {
      if (payment.paid || payment.status === 'canceled') return [];
      const { terms, first } = known(payment, command);
      return [...first, { type: 'PaymentCanceled', data: factsOf(terms) }];
    }
    case 'ConfigureLivestream': {
      const { paymentId, livestream } = command;
      const { terms } = known(payment, { paymentId, terms: null });
      const { bought } = terms;
      // The configuration is recorded once. After that, the owner edits the live stream and not the payment.
      if (bought.purpose !== 'livestream' || !bought.livestream.isUsual) return [];
      return [{ type: 'LivestreamConfigured', data: { ...factsOf(terms), livestream } }];
    }
    case 'RecordFulfillment': {
      known(payment, { paymentId: command.paymentId, terms: null });
      return payment.fulfilled ? [] : [{ type: 'PaymentFulfilled', data: {} }];
    }
    case 'ResolveAlert': {
      const { kind, subject, note } = command;
      return payment.resolved.has(`${kind}:${subject}`)
        ? []
        : [{ type: 'AlertResolved', data: { kind, subject, note } }];
    }
    case 'RequestRefund': {
      const { paymentId, amountCents, reason } = command;
      if (payment.asked) return [];
      if (payment.terms) known(payment, { paymentId, terms: null });
      // This command refunds the whole payment. `RequestPartRefund` refunds a part.
      if (payment.paid && payment.paid.amountCents !== amountCents)
        throw new Rejected('refund-amount-differs', { cents: payment.paid.amountCents });
      return [
        {
          type: 'RefundRequested',
          data: {
            reason,
            afterFulfillment: payment.fulfilled,
            due: payment.paid !== null && payment.returnedCents < payment.paid.amountCents,
          },
        },
      ];
    }
    case 'RequestPartRefund':
      return requestPart(payment, command);
    case 'RecordRefund': {
      const { refundId, amountCents } = command;
      const asked = askedPart(payment, command.requestId);
      // A failed refund never succeeds later, so a success reported now is outdated.
      if (payment.refunds.has(refundId) || payment.failedRefunds.has(refundId)) return [];
      const { paid, first } = proven(payment, command);
      const part = partOf(paid, payment.returnedCents, amountCents);
      const { organizerId, feeCents } = paid;
      const facts = factsOf(paid);
      if (!isLast(paid, payment.returnedCents, part))
        return [
          ...first,
          { type: 'PaymentPartlyRefunded', data: { ...facts, organizerId, refundId, ...part, ...asked } },
        ];
      const whose = asked.requestId === undefined ? unasked(payment) : asked;
      return [
        ...first,
        {
          type: 'PaymentRefunded',
          data: { ...facts, organizerId, feeCents, refundId, ...part, ...whose },
        },
      ];
    }
    case 'RecordRefundFailure': {
      const { refundId, code } = command;
      if (payment.failedRefunds.has(refundId)) return [];
      const { terms } = known(payment, command);
      const { paid, returnedCents } = payment;
      const recorded = payment.refunds.get(refundId);
      // The failure is recorded, so that a success reported later is recognized as outdated.
      if (recorded === undefined || !paid) {
        const asked = askedPart(payment, command.requestId);
        const isOwed = isOpen(payment, asked.requestId) ? { isOwed: true as const } : {};
        return [{ type: 'RefundFailed', data: { ...factsOf(terms), refundId, code, ...isOwed, ...asked } }];
      }
      const part = partOf(paid, returnedCents, -recorded);
      // If this refund returned a requested part, that part is due again: alone, or within a refund of the whole
      // payment.
      const asked = askedPart(payment, requestOf(payment, refundId));
      const wasWhole = returnedCents >= paid.amountCents && part.returnedCents < paid.amountCents;
      const isOwed = wasWhole && (payment.asked || asked.requestId === undefined);
      const { organizerId } = paid;
      const reversed = { ...factsOf(paid), organizerId, refundId, code, isOwed, ...part, ...asked };
      return [
        { type: 'RefundReversed', data: reversed },
        ...reopened(payment, paid.amountCents - part.returnedCents, asked.requestId),
      ];
    }
    case 'RecordRefundDelay': {
      const { paymentId, tries } = command;
      const asked = askedPart(payment, command.requestId);
      const { requestId } = asked;
      // During a dispute nothing is refunded, and the dispute has its own alert.
      if (payment.delayed.has(requestId ?? null) || isDisputed(payment) || !isOpen(payment, requestId)) return [];
      const { terms } = known(payment, { paymentId, terms: null });
      const leftCents = (payment.paid ?? terms).amountCents - payment.returnedCents;
      const cents = requestId === undefined ? leftCents : (payment.parts.get(requestId)?.cents ?? leftCents);
      return [{ type: 'RefundDelayed', data: { ...factsOf(terms), cents, tries, ...asked } }];
    }
    case 'RecordShareDelay': {
      const { paymentId, tries } = command;
      known(payment, { paymentId, terms: null });
      const owed = owedCents(payment);
      // While a bank disputes the payment, nothing is transferred.
      if (!payment.paid || payment.shareDelay || owed === 0 || (owed > 0 && isDisputed(payment))) return [];
      const { organizerId } = payment.paid;
      const way = owed < 0 ? 'reversal' : 'transfer';
      const subject = `${paymentId}-${payment.shareDelays + 1}`;
      return [
        {
          type: 'ShareDelayed',
          data: { ...factsOf(payment.paid), organizerId, way, subject, cents: Math.abs(owed), tries },
        },
      ];
    }
    case 'RecordDispute': {
      const { disputeId, amountCents, reason, outcome } = command;
      const before = payment.disputes.get(disputeId);
      const isOpen = outcome === 'open' || outcome === 'inquiry';
      // An inquiry may become a dispute, and a lost dispute may still be won; a won dispute stays won.
      const isEscalated = before?.isInquiry === true && before.outcome === 'open' && outcome === 'open';
      if (before && !isEscalated && (isOpen || before.outcome === outcome || before.outcome === 'won')) return [];
      const { paid, first } = proven(payment, command);
      const facts = factsOf(paid);
      const inquiry = outcome === 'inquiry' ? { isInquiry: true as const } : {};
      const opened: PaymentEvent[] =
        before && !isEscalated
          ? []
          : [{ type: 'DisputeOpened', data: { ...facts, disputeId, disputedCents: amountCents, reason, ...inquiry } }];
      if (isOpen) return [...first, ...opened];
      const { organizerId } = paid;
      const { returnedCents } = payment;
      if (outcome === 'won') {
        const part = partOf(paid, returnedCents, before?.outcome === 'lost' ? -before.cents : 0);
        return [...first, ...opened, { type: 'DisputeWon', data: { ...facts, disputeId, organizerId, ...part } }];
      }
      const part = partOf(paid, returnedCents, amountCents);
      const isWhole = isLast(paid, returnedCents, part);
      return [
        ...first,
        ...opened,
        { type: 'DisputeLost', data: { ...facts, disputeId, organizerId, isWhole, ...part, ...unasked(payment) } },
      ];
    }
    case 'RecordTransfer':
    case 'RecordReversal':
    case 'RecordFeeReturn':
    case 'RecordProviderFee':
      return moved(payment, command);
  }
}

/** Records each move once, by its id at the provider. */
function moved(payment: Payment, command: MoveCommand): PaymentEvent[] {
  const { paymentId, cents } = command;
  if (payment.moves.has(moveId(command))) return [];
  known(payment, { paymentId, terms: null });
  const { paid } = payment;
  if (!paid) throw new Rejected('not-paid.moves-nothing');
  const facts = factsOf(paid);
  const { organizerId } = paid;
  if (command.type === 'RecordProviderFee')
    return [{ type: 'ProviderFeeCharged', data: { ...facts, transactionId: command.transactionId, cents } }];
  if (organizerId === null) throw new Rejected('nobody-is-owed');
  if (!Number.isInteger(cents) || cents <= 0) throw new Rejected('bad-amount.moves');
  switch (command.type) {
    case 'RecordTransfer': {
      const { transferId, destination } = command;
      return [{ type: 'ShareTransferred', data: { ...facts, organizerId, transferId, destination, cents } }];
    }
    case 'RecordReversal': {
      const { reversalId, transferId } = command;
      return [{ type: 'TransferReversed', data: { ...facts, organizerId, reversalId, transferId, cents } }];
    }
    case 'RecordFeeReturn':
      return [{ type: 'FeeReturned', data: { ...facts, organizerId, feeRefundId: command.feeRefundId, cents } }];
  }
}

/** The id of the move at the provider. */
export function moveId(command: MoveCommand): string {
  switch (command.type) {
    case 'RecordTransfer':
      return command.transferId;
    case 'RecordReversal':
      return command.reversalId;
    case 'RecordFeeReturn':
      return command.feeRefundId;
    case 'RecordProviderFee':
      return command.transactionId;
  }
}

/**
 * Requests a partial refund of a paid payment. All refunds together never exceed the payment. If less than `cents` is
 * left because of refunds made by hand, only the remaining amount is returned.
 */
function requestPart(
  payment: Payment,
  { requestId, paymentId, cents, reason }: Extract<PaymentCommand, { type: 'RequestPartRefund' }>,
): PaymentEvent[] {
  const before = payment.parts.get(requestId);
  if (before && before.askedCents !== cents) throw new Rejected('refund-changed');
  // A refund of the whole payment includes the part.
  if (before || payment.asked) return [];
  known(payment, { paymentId, terms: null });
  if (!payment.paid) throw new Rejected('not-paid.no-refund');
  const { amountCents } = payment.paid;
  if (cents > amountCents) throw new Rejected('refund-exceeds-payment', { cents: amountCents });
  const leftCents = amountCents - payment.returnedCents - waitingCents(payment);
  if (!Number.isInteger(cents) || cents <= 0) throw new Rejected('bad-amount.back');
  if (leftCents <= 0)
    return [{ type: 'PartRefundCovered', data: { ...factsOf(payment.paid), requestId, askedCents: cents, reason } }];
  const less = cents > leftCents ? { askedCents: cents } : {};
  return [{ type: 'PartRefundRequested', data: { requestId, cents: Math.min(cents, leftCents), reason, ...less } }];
}

/** The cents of requested parts that were not returned yet. */
const waitingCents = ({ parts }: Payment): number =>
  [...parts.values()].reduce((sum, part) => sum + (part.refundId === null ? part.cents : 0), 0);

/**
 * After a refund is reversed, the parts that this refund had covered are owed again, as far as `withUsCents` suffices.
 */
function reopened(payment: Payment, withUsCents: number, requestId: string | undefined): PaymentEvent[] {
  if (payment.asked) return []; // the refund of the whole payment includes all parts
  const own = requestId === undefined ? 0 : (payment.parts.get(requestId)?.cents ?? 0);
  let leftCents = withUsCents - waitingCents(payment) - own;
  return [...payment.parts].flatMap(([id, { askedCents, cents: given }]): PaymentEvent[] => {
    if (given > 0 || leftCents <= 0) return [];
    const cents = Math.min(askedCents, leftCents);
    leftCents -= cents;
    const less = cents < askedCents ? { askedCents } : {};
    return [{ type: 'PartRefundRequested', data: { requestId: id, cents, reason: 'refund-reversed', ...less } }];
  });
}

/**
 * Whether the part with this `requestId` is requested and not returned yet; without `requestId`, the same for the whole
 * payment.
 */
function isOpen({ asked, parts, paid, returnedCents }: Payment, requestId: string | undefined): boolean {
  if (paid && returnedCents >= paid.amountCents) return false;
  if (requestId === undefined) return asked;
  const part = parts.get(requestId);
  return part !== undefined && part.refundId === null && part.cents > 0;
}

/** Ignores unknown request ids, because anyone with access to the provider's dashboard can write metadata. */
const askedPart = ({ parts }: Payment, requestId: string | undefined): AskedPart =>
  requestId !== undefined && parts.has(requestId) ? { requestId } : {};

const requestOf = ({ parts }: Payment, refundId: string): string | undefined =>
  [...parts].find(([, part]) => part.refundId === refundId)?.[0];

/** Whether this part completes the return of the whole payment. */
const isLast = ({ amountCents }: PaymentFacts, before: number, { returnedCents }: Part): boolean =>
  before < amountCents && returnedCents >= amountCents;

const unasked = ({ asked }: Payment): { unasked?: true } => (asked ? {} : { unasked: true });

// May mutate the state: the store owns the state, and drops the state if the append fails.
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
    case 'LivestreamConfigured': {
      // The payment's success is recorded with this configuration.
      if (payment.terms?.bought.purpose === 'livestream')
        payment.terms = { ...payment.terms, bought: { ...payment.terms.bought, livestream: data.livestream } };
      return payment;
    }
    case 'PaymentCanceled':
      payment.status = 'canceled';
      return payment;
    case 'OtherCurrencyReported':
      payment.otherCurrency = true;
      return payment;
    case 'PaymentFulfilled':
      payment.fulfilled = true;
      return payment;
    case 'RefundRequested':
      payment.asked = true;
      return payment;
    case 'PartRefundRequested':
      payment.parts.set(data.requestId, {
        askedCents: data.askedCents ?? data.cents,
        cents: data.cents,
        refundId: null,
      });
      return payment;
    case 'PartRefundCovered':
      payment.parts.set(data.requestId, { askedCents: data.askedCents, cents: 0, refundId: null });
      return payment;
    case 'RefundDelayed':
      payment.delayed.add(data.requestId ?? null);
      return payment;
    case 'AlertResolved':
      payment.resolved.add(`${data.kind}:${data.subject}`);
      return payment;
    case 'UnderpaymentReported':
      return payment;
    case 'RefundFailed':
      payment.failedRefunds.add(data.refundId);
      return payment;
    case 'PaymentRefunded':
    case 'PaymentPartlyRefunded':
      payment.refunds.set(data.refundId, data.partCents);
      payment.returnedCents = data.returnedCents;
      partIs(payment, data, data.refundId);
      return payment;
    case 'RefundReversed':
      partIs(payment, data, null);
      payment.refunds.delete(data.refundId);
      payment.failedRefunds.add(data.refundId);
      payment.returnedCents = data.returnedCents;
      return payment;
    case 'DisputeOpened':
      payment.disputes.set(data.disputeId, {
        ...{ cents: data.disputedCents, outcome: 'open' },
        ...(data.isInquiry && { isInquiry: true }),
      });
      return payment;
    case 'DisputeLost':
      payment.disputes.set(data.disputeId, { cents: data.partCents, outcome: 'lost' });
      payment.returnedCents = data.returnedCents;
      return payment;
    case 'DisputeWon':
      payment.disputes.set(data.disputeId, { cents: data.partCents, outcome: 'won' });
      payment.returnedCents = data.returnedCents;
      return payment;
    case 'ShareTransferred':
      if (data.transferId !== null) payment.moves.add(data.transferId);
      payment.transferredCents += data.cents;
      return payment;
    case 'TransferReversed':
      payment.moves.add(data.reversalId);
      payment.transferredCents -= data.cents;
      return payment;
    case 'FeeReturned':
      payment.moves.add(data.feeRefundId);
      payment.transferredCents += data.cents;
      payment.feeReturnedCents += data.cents;
      return payment;
    case 'ShareDelayed':
      payment.shareDelay = { way: data.way, subject: data.subject };
      payment.shareDelays++;
      return payment;
    case 'ShareSettled':
      payment.shareDelay = null;
      return payment;
    case 'ProviderFeeCharged':
      payment.moves.add(data.transactionId);
      return payment;
  }
}

function partIs({ parts }: Payment, { requestId }: AskedPart, refundId: string | null): void {
  const part = requestId === undefined ? undefined : parts.get(requestId);
  if (part) part.refundId = refundId;
}

export const payment: Decider<Payment, PaymentCommand, PaymentEvent> = { initial, decide, evolve };
