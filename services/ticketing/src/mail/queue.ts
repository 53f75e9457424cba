import type { Pool } from 'pg';
import { follow, type Follower, type Store } from '@beltway/event-store';

/** What is written to a buyer. One mail per order and kind, however often it is asked for. */
export type MailKind = 'tickets' | 'too-late' | 'event-cancelled' | 'refunded-by-provider';

/** The order's present link, on request: the same row waits again for each. */
export async function queueNewLink(pool: Pool, orderId: string, afterSeconds: number): Promise<void> {
  await pool.query(
    `insert into mails (order_id, kind, next_at) values ($1, 'new-link', now() + make_interval(secs => $2))
     on conflict (order_id, kind) do update set status = 'waiting', attempts = 0, next_at = excluded.next_at`,
    [orderId, afterSeconds],
  );
}

/**
 * From the sale's events to rows that wait to be sent, in the transaction that moves the follower's checkpoint: no crash loses a
 * mail or queues it twice. It is no read model: a rebuild does not send again.
 */
export const queueMails = (store: Store, queued: () => void): Follower =>
  follow(store, {
    name: 'mail',
    transactional: true,
    types: ['TicketsSold', 'RefundRequested', 'TicketsReturned'],
    handle: async (events, db) => {
      const wanted = events.map(({ type, data }): [string, MailKind] => {
        if (type === 'TicketsSold') return [(data as { orderId: string }).orderId, 'tickets'];
        const { orderId, reason } = data as { orderId: string; reason: Exclude<MailKind, 'tickets'> };
        return [orderId, reason];
      });
      await db.query(
        'insert into mails (order_id, kind) select * from unnest($1::uuid[], $2::text[]) on conflict do nothing',
        [wanted.map(([orderId]) => orderId), wanted.map(([, kind]) => kind)],
      );
      setImmediate(queued);
    },
  });
