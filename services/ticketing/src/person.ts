import type { Said } from '@beltway/contracts/common/basics';
import { said } from '@beltway/kit/problems';
import type { Pool } from 'pg';
import { MAX_EXPORTED, type PersonPart } from '@beltway/contracts/identity/people';
import { endOf } from '@beltway/contracts/common/times';
import { transaction, type Queryable } from '@beltway/kit/postgres';
import { dropClaim } from './link/claims.ts';
import { dropMailsOf, mailsOf } from './mail/queue.ts';

/** What stands in the place of a holder's name once their account was erased. */
export const DELETED_ACCOUNT = 'Deleted account';

/** At most so many of a list are named to a person. */
const MAX_NAMED = 3;

/** Finds the highest number of an account that stands here: identity gives none up to it. */
export const HIGHEST_ACCOUNT = `select greatest((select max(buyer_id) from orders), (select max(organiser_id) from listings))`;

/** Their orders with tickets and mails, the newest first, and when organisers and admins looked at them. */
export async function personPart(db: Queryable, userId: number): Promise<PersonPart> {
  const { rows: orders } = await db.query<{ orderId: string }>(
    `select o.order_id as "orderId", c.number, l.title as event, l.event_date as "eventDate", o.status, o.quantity,
       o.total_cents as "totalCents", o.lines, c.holder_name as "holderName", c.holder_email as "holderEmail", o.held_at as "heldAt",
       o.settled_at as "settledAt",
       (select coalesce(json_agg(json_build_object('code', t.code, 'status', case when t.refund_id is null then 'valid' else 'refunded' end, 'soldAt', t.sold_at) order by t.ordinal), '[]')
          from tickets t where t.order_id = o.order_id) as tickets,
       (select coalesce(json_agg(json_build_object('kind', kind, 'status', status, 'sentAt', "sentAt") order by "queuedAt"), '[]')
          from (${mailsOf('o.order_id')}) m) as mails,
       (select coalesce(json_agg(json_build_object('role', k.role, 'at', k.at) order by k.at), '[]')
          from (select role, at from order_looks where order_id = o.order_id limit 100) k) as "lookedAt"
     from orders o left join checkouts c using (order_id) left join listings l using (event_id)
     where o.buyer_id = $1 order by o.held_at desc limit $2`,
    [userId, MAX_EXPORTED],
  );
  return { orders, isComplete: orders.length < MAX_EXPORTED };
}

const named = (titles: string[]): string =>
  titles.slice(0, MAX_NAMED).join(', ') + (titles.length > MAX_NAMED ? ` and ${titles.length - MAX_NAMED} more` : '');

/** Others have tickets for what they organise; their own money is on its way. */
export async function personObstacles(db: Queryable, userId: number, now: Date): Promise<Said[]> {
  const [organised, own] = await Promise.all([
    db.query<{
      title: string;
      eventDate: Date;
      eventStartTime: string;
      eventEndTime: string | null;
      closed: string | null;
    }>(
      `select l.title, l.event_date as "eventDate", l.event_start_time as "eventStartTime", l.event_end_time as "eventEndTime", a.closed
       from listings l join availability a using (event_id)
       where l.organiser_id = $1 and l.status <> 'cancelled' and a.sold > 0
         and (l.event_date > $2::timestamptz - interval '2 days' or a.closed = 'postponed')
       order by l.event_date limit 100`,
      [userId, now],
    ),
    db.query<{ isHeld: boolean; isRefunding: boolean; isFrozen: boolean }>(
      `select coalesce(bool_or(o.status = 'held' and o.payment_id is not null), false) as "isHeld",
         coalesce(bool_or(o.frozen), false) as "isFrozen",
         coalesce(bool_or(o.status = 'refunding' and c.refunded_at is null), false) as "isRefunding"
       from orders o left join checkouts c using (order_id) where o.buyer_id = $1`,
      [userId],
    ),
  ]);
  const toCome = organised.rows
    .filter((one) => one.closed === 'postponed' || endOf({ ...one, eventDate: one.eventDate.toISOString() }) > now)
    .map(({ title }) => title);
  const { isHeld, isRefunding, isFrozen } = own.rows[0]!;
  const obstacles: Said[] = [];
  if (toCome.length > 0) obstacles.push(said('events-to-come', { events: named(toCome) }));
  if (isHeld) obstacles.push(said('checkout-under-way'));
  if (isRefunding) obstacles.push(said('refund-under-way'));
  if (isFrozen) obstacles.push(said('dispute-under-way.yours'));
  return obstacles;
}

/** Takes the person out of their orders; numbers, tickets and money stay. Nobody is written to any more. */
export const erasePerson = (pool: Pool, userId: number): Promise<void> =>
  transaction(pool, async (tx) => {
    await tx.query(
      `update checkouts c set holder_name = $2, holder_email = '' from orders o
       where o.order_id = c.order_id and o.buyer_id = $1 and (c.holder_name <> $2 or c.holder_email <> '')`,
      [userId, DELETED_ACCOUNT],
    );
    await dropMailsOf(tx, userId);
    await dropClaim(tx, userId);
  });
