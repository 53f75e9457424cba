import {
  int4s,
  int8s,
  texts,
  times,
  uuids,
  waves,
  type Place,
  type Projection,
  type Recorded,
  type Statements,
} from '@beltway/event-store';
import type { AlertKind } from '@beltway/contracts/payments';
import type { PaymentEvent } from './events.ts';
import { bookingOf, legsOf } from './ledger.ts';

type Of<Type extends PaymentEvent['type']> = Extract<Recorded<PaymentEvent>, { type: Type }>;

/** What became of each payment, and of the refund asked for it: one statement for all payments to which the same happened. */
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

const ids = (events: Place[]): Buffer => uuids(events.map(({ id }) => id));
const occurred = (events: Place[]): Buffer => times(events.map(({ occurredAt }) => occurredAt));

const WRITE: { [Type in PaymentEvent['type']]: (sql: Statements, events: Of<Type>[]) => void } = {
  PaymentRequested: (sql, events) =>
    sql.query(
      `insert into payments (id, user_id, event_id, organiser_id, order_id, purpose, stripe_payment_intent_id, amount, status, client_secret, created_at)
       select i, b, e, g, o, u, p, a, 'open', s, t
       from unnest($1::uuid[], $2::int[], $3::int[], $4::int[], $5::uuid[], $6::text[], $7::text[], $8::int[], $9::text[], $10::timestamptz[])
         as r (i, b, e, g, o, u, p, a, s, t)
       on conflict (id) do update set stripe_payment_intent_id = excluded.stripe_payment_intent_id, amount = excluded.amount,
         status = 'open', client_secret = excluded.client_secret, created_at = excluded.created_at`,
      [
        ids(events),
        int4s(events.map(({ data }) => data.buyerId)),
        int4s(events.map(({ data }) => data.eventId)),
        int4s(events.map(({ data }) => data.organiserId)),
        uuids(events.map(({ data }) => data.orderId)),
        texts(events.map(({ data }) => data.purpose)),
        texts(events.map(({ data }) => data.paymentId)),
        int4s(events.map(({ data }) => data.amountCents)),
        texts(events.map(({ data }) => data.clientSecret)),
        occurred(events),
      ],
    ),
  PaymentProcessing: (sql, events) =>
    sql.query(`update payments set status = 'processing' where id = any($1::uuid[])`, [ids(events)]),
  PaymentFailed: (sql, events) =>
    sql.query(`update payments set status = 'open' where id = any($1::uuid[])`, [ids(events)]),
  // In one statement: each costs its own round through the server, and here that is every purchase.
  PaymentSucceeded: (sql, events) =>
    sql.query(
      `with paid as (
         update payments set status = 'succeeded', amount = r.a, succeeded_at = r.t
         from unnest($1::uuid[], $2::int[], $3::timestamptz[]) as r (i, a, t) where id = r.i
       ) update refunds set status = 'due' where id = any($1::uuid[]) and status = 'waiting'`,
      [ids(events), int4s(events.map(({ data }) => data.amountCents)), occurred(events)],
    ),
  PaymentCancelled: (sql, events) =>
    sql.query(`update payments set status = 'cancelled' where id = any($1::uuid[])`, [ids(events)]),
  PaymentFulfilled: (sql, events) =>
    sql.query(
      `update payments set fulfilled_at = r.t from unnest($1::uuid[], $2::timestamptz[]) as r (i, t) where id = r.i`,
      [ids(events), occurred(events)],
    ),
  RefundRequested: (sql, events) => {
    sql.query(
      // There is a row already when the money went back before ticketing asked.
      `insert into refunds (id, status, reason, after_fulfilment, requested_at)
       select i, s, w, f, t from unnest($1::uuid[], $2::text[], $3::text[], $4::bool[], $5::timestamptz[]) as r (i, s, w, f, t)
       on conflict (id) do update set reason = excluded.reason, after_fulfilment = excluded.after_fulfilment`,
      [
        ids(events),
        texts(events.map(({ data }) => (data.due ? 'due' : 'waiting'))),
        texts(events.map(({ data }) => data.reason)),
        events.map(({ data }) => data.afterFulfilment),
        occurred(events),
      ],
    );
    // The tickets are returned: nothing is left for people to do.
    resolveAlerts(sql, ['refunded-by-provider'], events);
  },
  RefundFailed: () => undefined, // stays due
  PaymentRefunded: (sql, events) => {
    returned(sql, events);
    sql.query(
      `insert into refunds (id, status, reason, after_fulfilment, refund_id, requested_at, refunded_at)
       select i, 'refunded', 'made-at-provider', false, n, t, t from unnest($1::uuid[], $2::text[], $3::timestamptz[]) as r (i, n, t)
       on conflict (id) do update set status = 'refunded', refund_id = excluded.refund_id, refunded_at = excluded.refunded_at`,
      [ids(events), texts(events.map(({ data }) => data.refundId)), occurred(events)],
    );
    resolveAlerts(sql, ['refund-reversed', 'partly-refunded'], events);
    const byHand = events.filter(({ data }) => data.unasked);
    raiseAlerts(sql, 'refunded-by-provider', byHand, ({ data }) => [data.refundId, data.amountCents, '']);
  },
  PaymentPartlyRefunded: (sql, events) => {
    sql.query(
      `update payments set returned_cents = r.c from unnest($1::uuid[], $2::int[]) as r (i, c) where id = r.i`,
      [ids(events), int4s(events.map(({ data }) => data.returnedCents))],
    );
    raiseAlerts(sql, 'partly-refunded', events, ({ data }) => [data.refundId, data.partCents, '']);
  },
  RefundReversed: (sql, events) => {
    standing(sql, events);
    const owed = events.filter(({ data }) => data.isOwed);
    sql.query(
      `update refunds set status = 'due', refunded_at = null, refund_id = null, reversals = reversals + 1, reversed_at = r.t
       from unnest($1::uuid[], $2::timestamptz[]) as r (i, t) where id = r.i`,
      [ids(owed), occurred(owed)],
    );
    raiseAlerts(sql, 'refund-reversed', events, ({ data }) => [data.refundId, data.partCents, data.code]);
  },
  DisputeOpened: (sql, events) =>
    raiseAlerts(sql, 'dispute-opened', events, ({ data }) => [data.disputeId, data.disputedCents, data.reason]),
  DisputeLost: (sql, events) => {
    sql.query(
      `update payments set returned_cents = r.c from unnest($1::uuid[], $2::int[]) as r (i, c) where id = r.i`,
      [ids(events), int4s(events.map(({ data }) => data.returnedCents))],
    );
    const whole = events.filter(({ data }) => data.isWhole);
    returned(sql, whole);
    sql.query(
      `insert into refunds (id, status, reason, after_fulfilment, requested_at, refunded_at)
       select i, 'refunded', 'made-at-provider', false, t, t from unnest($1::uuid[], $2::timestamptz[]) as r (i, t)
       on conflict (id) do update set status = 'refunded', refunded_at = excluded.refunded_at`,
      [ids(whole), occurred(whole)],
    );
    resolveAlerts(sql, ['dispute-opened'], events);
    raiseAlerts(sql, 'dispute-lost', events, ({ data }) => [data.disputeId, data.partCents, '']);
  },
  DisputeWon: (sql, events) => {
    standing(sql, events);
    resolveAlerts(sql, ['dispute-opened', 'dispute-lost'], events);
    // The bank had given the buyer the money, and took it again: whether it is owed is for people.
    const again = events.filter(({ data }) => data.partCents > 0);
    sql.query(
      `update refunds set status = 'kept', refunded_at = null where id = any($1::uuid[])
         and exists (select from payments p where p.id = refunds.id and p.status = 'succeeded')`,
      [ids(again)],
    );
    raiseAlerts(sql, 'dispute-won-after-loss', again, ({ data }) => [data.disputeId, data.partCents, '']);
  },
};

/** All of it has gone back. */
const returned = (
  sql: Statements,
  events: Recorded<{ type: string; data: { amountCents: number; returnedCents?: number } }>[],
) =>
  sql.query(
    `update payments set status = 'refunded', refunded_at = r.t, returned_cents = r.c
     from unnest($1::uuid[], $2::timestamptz[], $3::int[]) as r (i, t, c) where id = r.i`,
    [ids(events), occurred(events), int4s(events.map(({ data }) => data.returnedCents ?? data.amountCents))],
  );

/** Less has gone back than before. */
const standing = (sql: Statements, events: Of<'RefundReversed' | 'DisputeWon'>[]) =>
  sql.query(
    `update payments set returned_cents = r.c, status = case when r.c < amount then 'succeeded' else status end,
       refunded_at = case when r.c < amount then null else refunded_at end
     from unnest($1::uuid[], $2::int[]) as r (i, c) where id = r.i`,
    [ids(events), int4s(events.map(({ data }) => data.returnedCents))],
  );

/** What people must know or do. `about`: the refund or dispute, the cents, and why. */
function raiseAlerts<Type extends PaymentEvent['type']>(
  sql: Statements,
  kind: AlertKind,
  events: Of<Type>[],
  about: (event: Of<Type>) => [subject: string, cents: number, detail: string],
): void {
  if (events.length === 0) return;
  const rows = events.map(about);
  sql.query(
    `insert into alerts (payment_id, kind, subject, amount_cents, detail, raised_at)
     select r.i, $2, r.s, r.c, r.d, r.t
     from unnest($1::uuid[], $3::text[], $4::int[], $5::text[], $6::timestamptz[]) as r (i, s, c, d, t) on conflict do nothing`,
    [
      ids(events),
      kind,
      texts(rows.map(([subject]) => subject)),
      int4s(rows.map(([, cents]) => cents)),
      texts(rows.map(([, , detail]) => detail)),
      occurred(events),
    ],
  );
}

const resolveAlerts = (sql: Statements, kinds: AlertKind[], events: Place[]) =>
  sql.query(
    `update alerts set resolved_at = r.t from unnest($1::uuid[], $2::timestamptz[]) as r (i, t)
     where payment_id = r.i and kind = any($3::text[]) and resolved_at is null`,
    [ids(events), occurred(events), kinds],
  );

export const projectLedger: Projection<PaymentEvent> = (sql, group) => {
  const legs = group.flatMap((event) => legsOf(event).map((leg) => ({ ...leg, event })));
  if (legs.length === 0) return;
  sql.query(
    `insert into ledger_entries (payment_id, event, account, amount_cents, occurred_at)
     select * from unnest($1::uuid[], $2::text[], $3::text[], $4::bigint[], $5::timestamptz[])`,
    [
      uuids(legs.map((leg) => leg.event.id)),
      texts(legs.map((leg) => bookingOf(leg.event))),
      texts(legs.map((leg) => leg.account)),
      int8s(legs.map((leg) => leg.amountCents)),
      times(legs.map((leg) => leg.event.occurredAt)),
    ],
  );
};

export const paymentProjections = [projectPayments, projectLedger];
export const paymentTables = ['payments', 'refunds', 'ledger_entries', 'alerts'];
