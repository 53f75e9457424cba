import type { Pool } from 'pg';
import { follow, type Follower, type Store } from '@beltway/event-store';
import { currentSpan } from '@beltway/tracing';
import type { Queryable } from '@beltway/kit/postgres';
import { queueForLateOrders } from './changes.ts';
import { MONEY_EVENTS } from '../sale/events.ts';

/**
 * What is written to a buyer. One mail per order and kind, however often it is asked for. All but the last three follow from
 * the sale; `dispute-lost:dp_1` from the dispute; of the refund itself, and of one that came back, nothing is said before payments says so, each with its
 * refund: `refund-sent:re_1`.
 */
export type MailKind =
  | 'tickets'
  | 'too-late'
  | 'underpaid'
  | 'event-cancelled'
  | 'refunded-by-provider'
  | 'dispute-lost'
  | 'refund-sent'
  | 'refund-failed';
type RefundMail = 'refund-sent' | 'refund-failed';

/** Of one refund of an order that somebody asked for: `refund-asked:<its id>`, `part-sent:<its id>:re_1`. */
export type PartMailKind = 'refund-asked' | 'part-sent' | 'part-failed';
export const partMail = (kind: 'part-sent' | 'part-failed', requestId: string, refundId: string): string =>
  `${kind}:${requestId}:${refundId}`;

/** The trace that a mail goes on in. */
const traceNow = (): string | null => currentSpan()?.traceparent ?? null;

/** In the transaction that notes what became of a refund of some tickets. */
export const queuePartMail = (
  tx: Queryable,
  { orderId, requestId, refundId }: { orderId: string; requestId: string; refundId: string },
  kind: 'part-sent' | 'part-failed',
) =>
  tx.query('insert into mails (order_id, kind, traceparent) values ($1, $2, $3) on conflict do nothing', [
    orderId,
    partMail(kind, requestId, refundId),
    traceNow(),
  ]);

/** How the mail of one refund is queued. */
export const refundMail = (kind: RefundMail, refundId: string): string => `${kind}:${refundId}`;

/**
 * In the transaction that notes what became of the refund. Of one that ticketing did not ask for, the mail that ends
 * the tickets says it, and comes next: the order is not refunding yet.
 */
export const queueRefundMail = (
  tx: Queryable,
  { orderId, refundId }: { orderId: string; refundId: string },
  kind: RefundMail,
) =>
  tx.query(
    `insert into mails (order_id, kind, traceparent) select order_id, $2, $3 from checkouts join orders using (order_id)
     where order_id = $1 and orders.status = 'refunding' on conflict do nothing`,
    [orderId, refundMail(kind, refundId), traceNow()],
  );

/**
 * A dispute of an order that has tickets was decided: they are void, or, after one that was won, mailed once more, for no mail with codes
 * is sent while a bank disputes the payment.
 */
export const queueDisputeMail = (pool: Pool, orderId: string, disputeId: string, outcome: 'won' | 'lost') =>
  pool.query(
    `insert into mails (order_id, kind, traceparent) select order_id, $2, $3 from checkouts join orders using (order_id)
     where order_id = $1 and orders.status = 'fulfilled' and orders.is_void = $4 and not orders.frozen on conflict do nothing`,
    [orderId, `${outcome === 'lost' ? 'dispute-lost' : 'tickets'}:${disputeId}`, traceNow(), outcome === 'lost'],
  );

/** The order's present link, on request: the same row waits again for each. */
export async function queueNewLink(pool: Pool, orderId: string, afterSeconds: number): Promise<void> {
  await pool.query(
    `insert into mails (order_id, kind, next_at, traceparent) values ($1, 'new-link', now() + make_interval(secs => $2), $3)
     on conflict (order_id, kind) do update
     set status = 'waiting', attempts = 0, next_at = excluded.next_at, traceparent = excluded.traceparent`,
    [orderId, afterSeconds, traceNow()],
  );
}

/** Times within an hour that the tickets of an order are mailed again. */
const MAX_AGAIN = 3;

/** The tickets of an order, mailed once more. False: they were often enough within the last hour. */
export async function queueTicketsAgain(pool: Pool, orderId: string): Promise<boolean> {
  const { rowCount } = await pool.query(
    `insert into mails (order_id, kind, traceparent)
     select $1, 'tickets:again-' || count(*) + 1, $2 from mails where order_id = $1 and kind like 'tickets:again-%'
     having count(*) filter (where created_at > now() - interval '1 hour') < ${MAX_AGAIN}
     on conflict do nothing`,
    [orderId, traceNow()],
  );
  return rowCount === 1;
}

/** Those that wait, since when the first of them has been due, and those that were given up. */
export async function countMails(pool: Pool): Promise<{ waiting: number; seconds: number; failed: number }> {
  const { rows } = await pool.query<{ waiting: number; seconds: number; failed: number }>(
    `select count(*)::int as waiting, coalesce(greatest(extract(epoch from now() - min(next_at)), 0), 0)::float8 as seconds,
       (select count(*)::int from mails where status = 'failed') as failed
     from mails where status = 'waiting'`,
  );
  return rows[0]!;
}

/**
 * From the sale's events to rows that wait to be sent, in the transaction that moves the follower's checkpoint: no
 * crash loses a mail or queues it twice. It is no read model: a rebuild does not send again. `queued` is called when
 * they can be seen.
 */
export const queueMails = (store: Store, queued: () => void): Follower =>
  follow(store, {
    name: 'mail',
    transactional: true,
    types: MONEY_EVENTS,
    handled: queued,
    handle: async (events, db) => {
      // Whose order it was is lost with it.
      const told = events.filter(({ data }) => (data as { reason?: string }).reason !== 'order-lost');
      const wanted = told.map(({ type, data }): [string, string] => {
        if (type === 'TicketsSold') return [(data as { orderId: string }).orderId, 'tickets'];
        const { orderId, reason, refundId } = data as { orderId: string; reason: string; refundId?: string };
        return [orderId, refundId === undefined ? reason : `refund-asked:${refundId}`];
      });
      await db.query(
        `insert into mails (order_id, kind, traceparent) select * from unnest($1::uuid[], $2::text[], $3::text[]) on conflict do nothing`,
        [
          wanted.map(([orderId]) => orderId),
          wanted.map(([, kind]) => kind),
          told.map(({ traceparent }) => traceparent ?? null),
        ],
      );
      const sold = wanted.filter(([, kind]) => kind === 'tickets').map(([orderId]) => orderId);
      if (sold.length > 0) await queueForLateOrders(db, sold);
    },
  });
