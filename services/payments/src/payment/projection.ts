import { uuids, waves, type Place, type Projection, type Recorded, type Statements } from '@beltway/event-store';
import type { AlertKind } from '@beltway/contracts/payments/payments';
import { eventOf, levelOf } from './bought.ts';
import { alerts, ledgerEntries, partRefunds, payments, refunds } from '../generated/tables.ts';
import type { AskedPart, PaymentEvent } from './events.ts';
import { bookingOf, legsOf } from './ledger.ts';

type Of<Type extends PaymentEvent['type']> = Extract<Recorded<PaymentEvent>, { type: Type }>;

/** Writes the states of payments and refunds. All events with the same type are written by one statement. */
export const projectPayments: Projection<PaymentEvent> = (sql, group) => {
  for (const wave of waves(group)) {
    const kinds = new Map<PaymentEvent['type'], Recorded<PaymentEvent>[]>();
    for (const event of wave) {
      const same = kinds.get(event.type);
      if (same) same.push(event);
      else kinds.set(event.type, [event]);
    }
    for (const [type, events] of kinds) WRITE[type](sql, events as never);
  }
};

const idOf = ({ id }: Place): string => id;
const at = ({ occurredAt }: Place): Date => occurredAt;
const ids = (events: Place[]): Buffer => uuids(events.map(idOf));

/** If a payment is requested again with another intent, the purchase's columns do not change. */
const REQUESTED = payments.insertMany(
  [
    ...(['id', 'userId', 'eventId', 'organizerId', 'orderId', 'purpose', 'stripePaymentIntentId', 'amount'] as const),
    ...(['promotionType', 'livestream', 'packageId', 'clientSecret', 'createdAt'] as const),
  ],
  {
    fixed: { status: `'open'` },
    rest: payments.onConflict(['id'], ['stripePaymentIntentId', 'amount', 'status', 'clientSecret', 'createdAt']),
  },
);
const SUCCEEDED = payments.updateMany('id', ['amount', 'owedCents', 'succeededAt'], { status: `'succeeded'` });
// One statement, because each statement costs a round trip, and every purchase runs this code.
const SUCCEEDED_AND_DUE = `with paid as (${SUCCEEDED.text})
  update refunds set status = 'due' where id = any($1::uuid[]) and status = 'waiting'`;
/** Sets only the status of these payments. */
const statusOf = (status: string) => payments.updateMany('id', [], { status: `'${status}'` });
const [PROCESSING, OPEN, CANCELED] = [statusOf('processing'), statusOf('open'), statusOf('canceled')];
const CONFIGURED = payments.updateMany('id', ['livestream']);
const FULFILLED = payments.updateMany('id', ['fulfilledAt']);
const RETURNED_PART = payments.updateMany('id', ['returnedCents']);
const RETURNED_ALL = payments.updateMany('id', ['refundedAt', 'returnedCents'], { status: `'refunded'` });
const STANDING = payments.updateMany('id', ['returnedCents'], {
  status: `case when n.returned_cents < amount then 'succeeded' else status end`,
  refundedAt: `case when n.returned_cents < amount then null else refunded_at end`,
});

/** The row already exists if the money was refunded before ticketing requested it. */
const REFUND_REQUESTED = refunds.insertMany(['id', 'status', 'reason', 'afterFulfillment', 'requestedAt'], {
  rest: refunds.onConflict(['id'], ['reason', 'afterFulfillment']),
});
const UNASKED = { status: `'refunded'`, reason: `'made-at-provider'`, afterFulfillment: 'false' };
const REFUNDED = refunds.insertMany(['id', 'refundId', 'requestedAt', 'refundedAt'], {
  fixed: UNASKED,
  rest: refunds.onConflict(['id'], ['status', 'refundId', 'refundedAt']),
});
const LAST_PART = refunds.updateMany('id', ['refundId', 'refundedAt'], { status: `'refunded'` });
const TAKEN_BY_BANK = refunds.insertMany(['id', 'requestedAt', 'refundedAt'], {
  fixed: { ...UNASKED, reason: `'dispute-lost'` },
  rest: refunds.onConflict(['id'], ['status', 'refundedAt']),
});
/**
 * A dispute that was lost is won after all: the bank pays the money back to us, and the purchase is valid again. If a
 * refund was requested, or the purchase was never fulfilled, staff decide whether to refund the buyer. A refund that
 * was never made stays due. Written as SQL text because the list of ids is one binary parameter.
 */
const WITH_US_AGAIN = [
  `delete from refunds using payments p where refunds.id = any($1::uuid[]) and reason = 'dispute-lost'
     and p.id = refunds.id and p.status = 'succeeded' and p.fulfilled_at is not null`,
  `${refunds.updateMany('id', [], { status: `'kept'`, refundedAt: 'null' }).text} and refunds.status = 'refunded'
     and exists (select from payments p where p.id = refunds.id and p.status = 'succeeded')`,
] as const;
const REVERSED = refunds.updateMany('id', ['reversedAt'], {
  status: `'due'`,
  refundedAt: 'null',
  refundId: 'null',
  reversals: 'reversals + 1',
});

const PART_REQUESTED = partRefunds.insertMany(['requestId', 'paymentId', 'cents', 'reason', 'requestedAt'], {
  fixed: { status: `'due'` },
  rest: partRefunds.onConflict(['requestId'], ['cents', 'status']),
});
const PART_COVERED = partRefunds.insertMany(['requestId', 'paymentId', 'cents', 'reason', 'requestedAt'], {
  fixed: { status: `'covered'` },
});
const PART_REFUNDED = partRefunds.updateMany('requestId', ['refundId', 'refundedAt'], { status: `'refunded'` });
const PART_REVERSED = partRefunds.updateMany('requestId', ['reversedAt'], {
  status: `'due'`,
  refundedAt: 'null',
  refundId: 'null',
  reversals: 'part_refunds.reversals + 1',
});
/** Marks parts as covered, because the payment has no money left from which to refund them. */
const PARTS_COVERED = `${partRefunds.updateMany('paymentId', [], { status: `'covered'` }).text} and part_refunds.status = 'due'`;

const RAISED = alerts.insertMany(['paymentId', 'subject', 'amountCents', 'detail', 'raisedAt'], {
  same: ['kind'],
  rest: 'on conflict do nothing',
});
const RESOLVED = alerts.updateMany('paymentId', ['resolvedAt']);
const RESOLVE_KINDS = `${RESOLVED.text} and kind = any($3::text[]) and alerts.resolved_at is null`;
/** Resolves only the alerts of these disputes or parts. Other alerts of the payment may still be open. */
const RESOLVE_SUBJECTS = `${RESOLVE_KINDS} and alerts.subject = any($4::text[])`;
/** Adds to the cents owed and to the cents in the organizer's account. */
const MOVED = payments.updateMany('id', ['owedCents', 'transferredCents'], {
  owedCents: 'payments.owed_cents + n.owed_cents',
  transferredCents: 'payments.transferred_cents + n.transferred_cents',
});
const BOOKED = ledgerEntries.insertMany(['paymentId', 'event', 'account', 'amountCents', 'occurredAt']);

const WRITE: { [Type in PaymentEvent['type']]: (sql: Statements, events: Of<Type>[]) => void } = {
  PaymentRequested: (sql, events) =>
    sql.query(
      REQUESTED.text,
      REQUESTED.values(events, {
        id: idOf,
        userId: ({ data }) => data.buyerId,
        eventId: ({ data }) => eventOf(data.bought),
        organizerId: ({ data }) => data.organizerId,
        orderId: ({ data: { bought } }) => (bought.purpose === 'tickets' ? bought.orderId : null),
        purpose: ({ data }) => data.bought.purpose,
        promotionType: ({ data }) => levelOf(data.bought),
        livestream: ({ data: { bought } }) =>
          bought.purpose === 'livestream' ? JSON.stringify(bought.livestream) : null,
        packageId: ({ data: { bought } }) => (bought.purpose === 'ad' ? bought.packageId : null),
        stripePaymentIntentId: ({ data }) => data.paymentId,
        amount: ({ data }) => data.amountCents,
        clientSecret: ({ data }) => data.clientSecret,
        createdAt: at,
      }),
    ),
  PaymentProcessing: (sql, events) => sql.query(PROCESSING.text, PROCESSING.values(events, { id: idOf })),
  PaymentFailed: (sql, events) => sql.query(OPEN.text, OPEN.values(events, { id: idOf })),
  PaymentSucceeded: (sql, events) =>
    sql.query(
      SUCCEEDED_AND_DUE,
      SUCCEEDED.values(events, {
        id: idOf,
        amount: ({ data }) => data.amountCents,
        owedCents: ({ data }) => (data.organizerId === null ? 0 : data.amountCents - data.feeCents),
        succeededAt: at,
      }),
    ),
  PaymentCanceled: (sql, events) => sql.query(CANCELED.text, CANCELED.values(events, { id: idOf })),
  OtherCurrencyReported: (sql, events) =>
    raiseAlerts(sql, 'other-currency', events, ({ data }) => [data.paymentId, data.amount, data.currency]),
  LivestreamConfigured: (sql, events) =>
    sql.query(
      CONFIGURED.text,
      CONFIGURED.values(events, { id: idOf, livestream: ({ data }) => JSON.stringify(data.livestream) }),
    ),
  PaymentFulfilled: (sql, events) => sql.query(FULFILLED.text, FULFILLED.values(events, { id: idOf, fulfilledAt: at })),
  RefundRequested: (sql, events) => {
    sql.query(
      REFUND_REQUESTED.text,
      REFUND_REQUESTED.values(events, {
        id: idOf,
        status: ({ data }) => (data.due ? 'due' : 'waiting'),
        reason: ({ data }) => data.reason,
        afterFulfillment: ({ data }) => data.afterFulfillment,
        requestedAt: at,
      }),
    );
    // The tickets are returned: no task is left for staff.
    resolveAlerts(sql, ['refunded-by-provider'], events);
  },
  PartRefundRequested: (sql, events) =>
    sql.query(
      PART_REQUESTED.text,
      PART_REQUESTED.values(events, {
        requestId: ({ data }) => data.requestId,
        paymentId: idOf,
        cents: ({ data }) => data.cents,
        reason: ({ data }) => data.reason,
        requestedAt: at,
      }),
    ),
  PartRefundCovered: (sql, events) =>
    sql.query(
      PART_COVERED.text,
      PART_COVERED.values(events, {
        requestId: ({ data }) => data.requestId,
        paymentId: idOf,
        cents: ({ data }) => data.askedCents,
        reason: ({ data }) => data.reason,
        requestedAt: at,
      }),
    ),
  UnderpaymentReported: (sql, events) =>
    raiseAlerts(sql, 'underpaid', events, ({ data: { paymentId, paidCents, amountCents } }) => [
      paymentId,
      paidCents,
      `${amountCents} were asked for`,
    ]),
  AlertResolved: (sql, events) => {
    for (const event of events) resolveSubjects(sql, [event.data.kind], [event], ({ data }) => data.subject);
  },
  RefundDelayed: (sql, events) =>
    raiseAlerts(sql, 'refund-delayed', events, ({ data: { requestId, paymentId, cents, tries } }) => [
      requestId ?? paymentId,
      cents,
      `${tries} tries`,
    ]),
  RefundFailed: () => undefined, // the refund stays due
  PaymentRefunded: (sql, events) => {
    returnedAll(sql, events);
    partsRefunded(sql, events);
    sql.query(PARTS_COVERED, [ids(events)]);
    // Partial refunds have a row for each part. The row for the whole payment is updated only if a refund of the whole
    // payment was also requested.
    const values = { id: idOf, refundId: ({ data }: Of<'PaymentRefunded'>) => data.refundId };
    const inParts = events.filter(({ data }) => data.requestId !== undefined);
    const whole = events.filter(({ data }) => data.requestId === undefined);
    sql.query(REFUNDED.text, REFUNDED.values(whole, { ...values, requestedAt: at, refundedAt: at }));
    const last = { refundId: values.refundId, refundedAt: at };
    sql.query(LAST_PART.text, LAST_PART.values(inParts, { id: idOf, ...last }));
    resolveAlerts(sql, ['refund-reversed', 'refund-delayed', 'partly-refunded', 'underpaid'], events);
    const byHand = events.filter(({ data }) => data.unasked);
    raiseAlerts(sql, 'refunded-by-provider', byHand, ({ data }) => [data.refundId, data.amountCents, '']);
  },
  PaymentPartlyRefunded: (sql, events) => {
    returnedPart(sql, events);
    partsRefunded(sql, events);
    const asked = events.filter(({ data }) => data.requestId !== undefined);
    resolveSubjects(sql, ['refund-delayed'], asked, ({ data }) => data.requestId ?? '');
    const byHand = events.filter(({ data }) => data.requestId === undefined);
    raiseAlerts(sql, 'partly-refunded', byHand, ({ data }) => [data.refundId, data.partCents, '']);
  },
  RefundReversed: (sql, events) => {
    standing(sql, events);
    const owed = events.filter(({ data }) => data.isOwed);
    sql.query(REVERSED.text, REVERSED.values(owed, { id: idOf, reversedAt: at }));
    const parts = events.filter(({ data }) => data.requestId !== undefined);
    sql.query(PART_REVERSED.text, PART_REVERSED.values(parts, { requestId: requestOf, reversedAt: at }));
    raiseAlerts(sql, 'refund-reversed', events, ({ data }) => [data.refundId, data.partCents, data.code]);
  },
  DisputeOpened: (sql, events) =>
    raiseAlerts(sql, 'dispute-opened', events, ({ data }) => [data.disputeId, data.disputedCents, data.reason]),
  DisputeLost: (sql, events) => {
    returnedPart(sql, events);
    const whole = events.filter(({ data }) => data.isWhole);
    returnedAll(sql, whole);
    sql.query(PARTS_COVERED, [ids(whole)]);
    sql.query(TAKEN_BY_BANK.text, TAKEN_BY_BANK.values(whole, { id: idOf, requestedAt: at, refundedAt: at }));
    resolveAlerts(sql, ['refund-delayed', 'underpaid'], whole);
    resolveSubjects(sql, ['dispute-opened'], events, ({ data }) => data.disputeId);
    raiseAlerts(sql, 'dispute-lost', events, ({ data }) => [data.disputeId, data.partCents, '']);
  },
  DisputeWon: (sql, events) => {
    standing(sql, events);
    resolveSubjects(sql, ['dispute-opened', 'dispute-lost'], events, ({ data }) => data.disputeId);
    const again = events.filter(({ data }) => data.partCents > 0);
    for (const statement of WITH_US_AGAIN) sql.query(statement, [ids(again)]);
    raiseAlerts(sql, 'dispute-won-after-loss', again, ({ data }) => [data.disputeId, data.partCents, '']);
  },
  ShareDelayed: (sql, events) => {
    for (const kind of ['reversal-delayed', 'transfer-delayed'] as const)
      raiseAlerts(
        sql,
        kind,
        events.filter(({ data }) => kind.startsWith(data.way)),
        ({ data: { subject, cents, tries } }) => [subject, cents, `${tries} tries`],
      );
  },
  ShareSettled: (sql, events) =>
    resolveSubjects(sql, ['reversal-delayed', 'transfer-delayed'], events, ({ data }) => data.subject),
  // `projectShares` updates the amounts from the ledger legs of these events.
  ShareTransferred: () => undefined,
  TransferReversed: () => undefined,
  FeeReturned: () => undefined,
  ProviderFeeCharged: () => undefined,
};

const requestOf = ({ data }: { data: AskedPart }): string => data.requestId ?? '';

/** Marks parts that these refunds returned. */
function partsRefunded(sql: Statements, events: Array<Of<'PaymentRefunded'> | Of<'PaymentPartlyRefunded'>>): void {
  const asked = events.filter(({ data }) => data.requestId !== undefined);
  const refundId = ({ data }: { data: { refundId: string } }) => data.refundId;
  sql.query(PART_REFUNDED.text, PART_REFUNDED.values(asked, { requestId: requestOf, refundId, refundedAt: at }));
}

type Returned = Recorded<{ type: string; data: { amountCents: number; returnedCents?: number } }>;
const returnedCents = ({ data }: Returned): number => data.returnedCents ?? data.amountCents;

/** The whole payment was returned. */
const returnedAll = (sql: Statements, events: Returned[]) =>
  sql.query(RETURNED_ALL.text, RETURNED_ALL.values(events, { id: idOf, refundedAt: at, returnedCents }));

/** `returnedCents` were returned in total. */
const returnedPart = (sql: Statements, events: Returned[]) =>
  sql.query(RETURNED_PART.text, RETURNED_PART.values(events, { id: idOf, returnedCents }));

/** Money came back to us, so `returnedCents` decreased. */
const standing = (sql: Statements, events: Returned[]) =>
  sql.query(STANDING.text, STANDING.values(events, { id: idOf, returnedCents }));

/** Raises alerts for staff. `about` returns the refund or dispute, the cents, and the reason. */
function raiseAlerts<Type extends PaymentEvent['type']>(
  sql: Statements,
  kind: AlertKind,
  events: Of<Type>[],
  about: (event: Of<Type>) => [subject: string, cents: number, detail: string],
): void {
  if (events.length === 0) return;
  const rows = events.map((event) => ({ event, about: about(event) }));
  sql.query(
    RAISED.text,
    RAISED.values(rows, {
      kind: () => kind,
      paymentId: ({ event }) => event.id,
      subject: ({ about: [subject] }) => subject,
      amountCents: ({ about: [, cents] }) => cents,
      detail: ({ about: [, , detail] }) => detail,
      raisedAt: ({ event }) => event.occurredAt,
    }),
  );
}

const resolveAlerts = (sql: Statements, kinds: AlertKind[], events: Place[]) =>
  sql.query(RESOLVE_KINDS, [...RESOLVED.values(events, { paymentId: idOf, resolvedAt: at }), kinds]);

function resolveSubjects<Event extends Place>(
  sql: Statements,
  kinds: AlertKind[],
  events: Event[],
  subjectOf: (event: Event) => string,
): void {
  if (events.length === 0) return;
  sql.query(RESOLVE_SUBJECTS, [
    ...RESOLVED.values(events, { paymentId: idOf, resolvedAt: at }),
    kinds,
    events.map(subjectOf),
  ]);
}

export const projectLedger: Projection<PaymentEvent> = (sql, group) => {
  const legs = group.flatMap((event) => legsOf(event).map((leg) => ({ ...leg, event })));
  if (legs.length === 0) return;
  sql.query(
    BOOKED.text,
    BOOKED.values(legs, {
      paymentId: ({ event }) => event.id,
      event: ({ event }) => bookingOf(event),
      account: ({ account }) => account,
      amountCents: ({ amountCents }) => amountCents,
      occurredAt: ({ event }) => event.occurredAt,
    }),
  );
};

/**
 * Writes the cents that each organizer is owed and has received. For a success, `projectPayments` writes these cents in
 * its own statement.
 */
export const projectShares: Projection<PaymentEvent> = (sql, group) => {
  const byPayment = new Map<string, { id: string; owed: number; transferred: number }>();
  for (const event of group) {
    if (event.type === 'PaymentSucceeded') continue;
    for (const { account, amountCents } of legsOf(event)) {
      const [owed, transferred] = [account.startsWith('organizer:'), account === 'provider:transfers'];
      if (!owed && !transferred) continue;
      const sums = byPayment.get(event.id) ?? { id: event.id, owed: 0, transferred: 0 };
      if (owed) sums.owed -= amountCents;
      else sums.transferred -= amountCents;
      byPayment.set(event.id, sums);
    }
  }
  if (byPayment.size === 0) return;
  sql.query(
    MOVED.text,
    MOVED.values([...byPayment.values()], {
      id: ({ id }) => id,
      owedCents: ({ owed }) => owed,
      transferredCents: ({ transferred }) => transferred,
    }),
  );
};

export const paymentProjections = [projectPayments, projectShares, projectLedger];
export const paymentTables = ['payments', 'refunds', 'part_refunds', 'ledger_entries', 'alerts'];
