import { int8s, texts, times, uuids, type Projection } from '@beltway/event-store';
import type { PaymentEvent } from './events.ts';
import { legsOf } from './ledger.ts';

/** What became of each payment, and of the refund asked for it. */
export const projectPayments: Projection<PaymentEvent> = (sql, group) => {
  for (const { id, type, data, occurredAt } of group) {
    switch (type) {
      case 'PaymentRequested':
        sql.query(
          `insert into payments (id, user_id, event_id, organiser_id, order_id, purpose, stripe_payment_intent_id, amount, status, client_secret, created_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8, 'open', $9, $10)
           on conflict (id) do update set stripe_payment_intent_id = excluded.stripe_payment_intent_id, amount = excluded.amount,
             status = 'open', client_secret = excluded.client_secret, created_at = excluded.created_at`,
          [
            id,
            data.buyerId,
            data.eventId,
            data.organiserId,
            data.orderId,
            data.purpose,
            data.paymentId,
            data.amountCents,
            data.clientSecret,
            occurredAt,
          ],
        );
        break;
      case 'PaymentProcessing':
        sql.query(`update payments set status = 'processing' where id = $1`, [id]);
        break;
      case 'PaymentFailed':
        sql.query(`update payments set status = 'open' where id = $1`, [id]);
        break;
      case 'PaymentSucceeded':
        // In one statement: each costs its own round through the server, and here that is every purchase.
        sql.query(
          `with paid as (update payments set status = 'succeeded', amount = $2, succeeded_at = $3 where id = $1)
           update refunds set status = 'due' where id = $1 and status = 'waiting'`,
          [id, data.amountCents, occurredAt],
        );
        break;
      case 'PaymentCancelled':
        sql.query(`update payments set status = 'cancelled' where id = $1`, [id]);
        break;
      case 'PaymentFulfilled':
        sql.query(`update payments set fulfilled_at = $2 where id = $1`, [id, occurredAt]);
        break;
      case 'RefundRequested':
        sql.query(
          `insert into refunds (id, status, reason, after_fulfilment, requested_at) values ($1, $2, $3, $4, $5)`,
          [id, data.due ? 'due' : 'waiting', data.reason, data.afterFulfilment, occurredAt],
        );
        break;
      case 'RefundFailed':
        break; // stays due
      case 'PaymentRefunded':
        sql.query(`update payments set status = 'refunded', refunded_at = $2 where id = $1`, [id, occurredAt]);
        sql.query(
          `insert into refunds (id, status, reason, after_fulfilment, refund_id, requested_at, refunded_at) values ($1, 'refunded', 'made-at-provider', false, $2, $3, $3)
           on conflict (id) do update set status = 'refunded', refund_id = excluded.refund_id, refunded_at = excluded.refunded_at`,
          [id, data.refundId, occurredAt],
        );
        break;
    }
  }
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
