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
import type { PaymentEvent } from './events.ts';
import { legsOf } from './ledger.ts';

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
  RefundRequested: (sql, events) =>
    sql.query(
      `insert into refunds (id, status, reason, after_fulfilment, requested_at)
       select i, s, w, f, t from unnest($1::uuid[], $2::text[], $3::text[], $4::bool[], $5::timestamptz[]) as r (i, s, w, f, t)`,
      [
        ids(events),
        texts(events.map(({ data }) => (data.due ? 'due' : 'waiting'))),
        texts(events.map(({ data }) => data.reason)),
        events.map(({ data }) => data.afterFulfilment),
        occurred(events),
      ],
    ),
  RefundFailed: () => undefined, // stays due
  PaymentRefunded: (sql, events) => {
    sql.query(
      `update payments set status = 'refunded', refunded_at = r.t from unnest($1::uuid[], $2::timestamptz[]) as r (i, t) where id = r.i`,
      [ids(events), occurred(events)],
    );
    sql.query(
      `insert into refunds (id, status, reason, after_fulfilment, refund_id, requested_at, refunded_at)
       select i, 'refunded', 'made-at-provider', false, n, t, t from unnest($1::uuid[], $2::text[], $3::timestamptz[]) as r (i, n, t)
       on conflict (id) do update set status = 'refunded', refund_id = excluded.refund_id, refunded_at = excluded.refunded_at`,
      [ids(events), texts(events.map(({ data }) => data.refundId)), occurred(events)],
    );
  },
};

export const projectLedger: Projection<PaymentEvent> = (sql, group) => {
  const legs = group.flatMap((event) => legsOf(event).map((leg) => ({ ...leg, event })));
  if (legs.length === 0) return;
  sql.query(
    `insert into ledger_entries (payment_id, event, account, amount_cents, occurred_at)
     select * from unnest($1::uuid[], $2::text[], $3::text[], $4::bigint[], $5::timestamptz[])`,
    [
      uuids(legs.map((leg) => leg.event.id)),
      texts(legs.map((leg) => leg.event.type)),
      texts(legs.map((leg) => leg.account)),
      int8s(legs.map((leg) => leg.amountCents)),
      times(legs.map((leg) => leg.event.occurredAt)),
    ],
  );
};

export const paymentProjections = [projectPayments, projectLedger];
export const paymentTables = ['payments', 'refunds', 'ledger_entries'];
