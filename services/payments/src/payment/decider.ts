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
  /** Attempts that were declined, refunds that failed: each is reported once. */
  declined: Set<string>;
  failedRefunds: Set<string>;
  paid: (PaymentFacts & Split) | null;
  fulfilled: boolean;
  /** We have asked for the whole money to go back. */
  asked: boolean;
  /** The parts that were asked to go back, by the request's id: what of each we give, and by which refund it went back. */
  parts: Map<string, { askedCents: number; cents: number; refundId: string | null }>;
  /** Of these people know that they take long: requests of parts, and null for the whole. */
  delayed: Set<string | null>;
  /** Refunds that stand, in cents. */
  refunds: Map<string, number>;
  /** What went back of `paid`, by refunds and lost disputes. */
  returnedCents: number;
  disputes: Map<string, { cents: number; outcome: 'open' | 'won' | 'lost'; isInquiry?: true }>;
  /** What is with the organizer's account now, in cents. */
  transferredCents: number;
  /** Of the fee that a charge with a destination kept, what that account has again. */
  feeReturnedCents: number;
  /** Staff know that the organizer's share waits this way; null: it does not. */
  shareDelay: { way: ShareWay; subject: string } | null;
  /** How often that was reported. */
  shareDelays: number;
  /** Transfers, reversals, returned fees and fees of the provider, by their ids there: each counts once. */
  moves: Set<string>;
  /** Money in another currency was reported, and people know. */
  otherCurrency: boolean;
  /** Alerts that an admin has dealt with, as `kind:subject`. */
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

/** What the platform keeps of a payment: its fee of tickets, the whole of what it sells itself. */
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

/** The terms that a reported fact belongs to, and the event that records them when we had forgotten. */
function known(
  payment: Payment,
  { paymentId, terms: reported }: ProviderUpdate,
): { terms: PaymentTerms; first: PaymentEvent[] } {
  const terms = payment.terms ?? reported;
  if (!terms) throw new Rejected('unknown-payment');
  if (terms.paymentId !== paymentId) throw new Rejected('other-intent');
  return { terms, first: payment.terms ? [] : [{ type: 'PaymentRequested', data: { ...terms, clientSecret: null } }] };
}

/** What was paid; a refund or a dispute proves that the money had come, also when its success was not reported yet. */
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

/** A charge with a destination passes the share on in the same step; the fee was fixed when the payment was asked for. */
function succeeded(terms: PaymentTerms, paid: PaymentFacts & Split): PaymentEvent[] {
  const { destination } = terms;
  const success: PaymentEvent = { type: 'PaymentSucceeded', data: paid };
  if (destination === undefined) return [success];
  const { organizerId } = paid;
  const cents = paid.amountCents - platformShareCents(terms.bought, terms.amountCents);
  const moved = { ...factsOf(paid), organizerId, transferId: null, destination, cents };
  return [success, { type: 'ShareTransferred', data: moved }];
}

/** What the platform sells itself it hands over for the whole price only: the money goes back. Of tickets ticketing decides the same. */
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

/** What the organizer is owed of it now, in cents; below zero: what their account has too much, since money went back. */
export function owedCents({ paid, returnedCents, transferredCents }: Payment): number {
  if (!paid || paid.organizerId === null) return 0;
  const { amountCents, feeCents } = paid;
  return amountCents - returnedCents - (feeCents - feeOf(paid, returnedCents)) - transferredCents;
}

/**
 * What their account must get back of the fee that a charge with a destination took from it, before that charge is taken back. Never more
 * than the fee: a refund and a lost dispute of the whole can take more than was paid.
 */
export function feeDueCents({ terms, paid, returnedCents, feeReturnedCents }: Payment): number {
  if (!paid || terms?.destination === undefined) return 0;
  return Math.max(0, Math.min(feeOf(paid, returnedCents), paid.feeCents) - feeReturnedCents);
}

/** The bank has not decided: until then nothing is passed on. */
export const isDisputed = ({ disputes }: Payment): boolean =>
  [...disputes.values()].some(({ outcome }) => outcome === 'open');

/**
 * What the platform bears of what has gone back: the fee times that part of the payment, rounded, and all that goes beyond the payment (a
 * dispute above the charge, a refund and a lost dispute), which no organizer ever had. However many parts there are, in whatever order and
 * reversed or not, each moves the difference, and all of them together move the fee to the cent.
 */
const feeOf = ({ amountCents, feeCents }: PaymentFacts & Split, returnedCents: number): number =>
  feeShareCents(feeCents, amountCents, returnedCents) + Math.max(0, returnedCents - amountCents);

/** `cents` go back, or, below zero, come again. */
function partOf(paid: PaymentFacts & Split, before: number, cents: number): Part {
  const returnedCents = before + cents;
  return {
    partCents: Math.abs(cents),
    partFeeCents: Math.abs(feeOf(paid, returnedCents) - feeOf(paid, before)),
    returnedCents,
  };
}

/** News of an intent that another has taken the place of. Money on it cannot be: that stays an error. */
const isBygone = (command: PaymentCommand, { former }: Payment): boolean =>
  (command.type === 'RecordProcessing' || command.type === 'RecordFailure' || command.type === 'RecordCancellation') &&
  former.has(command.paymentId);

/**
 * All amounts here are US cents: money in another currency counts as nothing, neither what came nor what went back of it, and is for
 * people.
 */
const CURRENCY = 'usd';

function inOtherCurrency(payment: Payment, update: ProviderUpdate, amount: number, currency: string): PaymentEvent[] {
  const { terms, first } = known(payment, update);
  if (payment.otherCurrency) return [];
  const reported: PaymentEvent = { type: 'OtherCurrencyReported', data: { ...factsOf(terms), amount, currency } };
  return [...first, reported];
}

/** With whatever settles a share that waited, the wait is over. */
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
      // A canceled intent is dead; an order that is still held may be paid by a new one.
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
      // The provider tells in any order: an attempt declined before the one that was paid is no news.
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
      // Once: after that its owner changes the stream itself.
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
      // The whole of it: a part is asked for as one.
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
      // A refund never succeeds after it failed: what says so is late.
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
      // Recorded all the same: should its success be reported after it, that is known to be out of date.
      if (recorded === undefined || !paid) {
        const asked = askedPart(payment, command.requestId);
        const isOwed = isOpen(payment, asked.requestId) ? { isOwed: true as const } : {};
        return [{ type: 'RefundFailed', data: { ...factsOf(terms), refundId, code, ...isOwed, ...asked } }];
      }
      const part = partOf(paid, returnedCents, -recorded);
      // A part that we owe is due again by itself, or with the whole.
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
      // While a bank decides whose the money is, nothing goes back, and people know.
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
      // While a bank decides whose the money is, none is passed on.
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
      // An inquiry becomes a dispute, and a lost dispute may be won after all; a won one is won.
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

/** Each is recorded once, by its id at the provider. */
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

/** The id of what moved, at the provider. */
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
 * A part goes back only of what was paid, and all parts asked for, with what went back otherwise, never exceed it: of one that would,
 * what is left goes back, for the rest of it went back by hand.
 */
function requestPart(
  payment: Payment,
  { requestId, paymentId, cents, reason }: Extract<PaymentCommand, { type: 'RequestPartRefund' }>,
): PaymentEvent[] {
  const before = payment.parts.get(requestId);
  if (before && before.askedCents !== cents) throw new Rejected('refund-changed');
  // With the whole, the part goes back too.
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

/** What parts that were asked for and have not gone back will take. */
const waitingCents = ({ parts }: Payment): number =>
  [...parts.values()].reduce((sum, part) => sum + (part.refundId === null ? part.cents : 0), 0);

/** Of `withUsCents` that are with us after a refund came back, parts that another refund had covered are owed: as much as is left. */
function reopened(payment: Payment, withUsCents: number, requestId: string | undefined): PaymentEvent[] {
  if (payment.asked) return []; // with the whole they go too
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

/** Whether this part, or the whole, was asked for and has not gone back. */
function isOpen({ asked, parts, paid, returnedCents }: Payment, requestId: string | undefined): boolean {
  if (paid && returnedCents >= paid.amountCents) return false;
  if (requestId === undefined) return asked;
  const part = parts.get(requestId);
  return part !== undefined && part.refundId === null && part.cents > 0;
}

/** Only requests that we know count: anybody may write metadata in the provider's dashboard. */
const askedPart = ({ parts }: Payment, requestId: string | undefined): AskedPart =>
  requestId !== undefined && parts.has(requestId) ? { requestId } : {};

const requestOf = ({ parts }: Payment, refundId: string): string | undefined =>
  [...parts].find(([, part]) => part.refundId === refundId)?.[0];

/** With this part the whole payment has gone back, and had not before. */
const isLast = ({ amountCents }: PaymentFacts, before: number, { returnedCents }: Part): boolean =>
  before < amountCents && returnedCents >= amountCents;

const unasked = ({ asked }: Payment): { unasked?: true } => (asked ? {} : { unasked: true });

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
    case 'LivestreamConfigured': {
      // A payment that succeeds later is of this configuration.
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
