import type { Said } from '@beltway/contracts/common/basics';
import { said } from '@beltway/kit/problems';
import type { Pool } from 'pg';
import { sql, type Expression, type SqlBool } from 'kysely';
import { MAX_EXPORTED, type PersonPart } from '@beltway/contracts/identity/people';
import { endOf } from '@beltway/contracts/common/times';
import { personal } from '@beltway/kit/personal-data';
import { transaction, type Queryable } from '@beltway/kit/postgres';
import { kysely } from './db.ts';
import * as tables from './generated/tables.ts';
import { dropClaim } from './link/claims.ts';
import { dropMailsOf, selectMails } from './mail/queue.ts';

/** Replaces a ticket holder's name when their account is erased. */
const DELETED_ACCOUNT = 'Deleted account';

/** Maximum number of items of a list that the texts for the person name. */
const MAX_NAMED = 3;

const COPY = 'A copy of the catalog, which keeps its events.';

/**
 * Columns that refer to accounts. A buyer's account id stays in `orders`. The buyer's name, email address and mails are
 * in other tables, under the order's id (`erasePerson`).
 */
export const PERSONAL = [
  personal(tables.orders, 'buyerId', { erasure: { elsewhere: 'erasePerson' } }),
  personal(tables.availability, 'organizerId', { erasure: { kept: COPY } }),
  personal(tables.listings, 'organizerId', { erasure: { kept: COPY } }),
  personal(tables.orderLooks, 'accountId', { erasure: { kept: 'Which account looked at an order, by number alone.' } }),
];

/**
 * The person's orders with tickets, mails and staff views, newest first. Plain SQL, because nested lists are hard to
 * read in the query builder.
 */
export async function personPart(db: Queryable, userId: number): Promise<PersonPart> {
  const mails = selectMails(kysely(db), sql.ref<string>('o.orderId'));
  const { rows: orders } = await sql<object>`
    select o.order_id, c.number, l.title as event, l.event_date, o.status, o.quantity, o.total_cents, o.lines, c.holder_name,
      c.holder_email, o.held_at, o.settled_at,
      (select coalesce(json_agg(json_build_object('code', t.code, 'status', case when t.refund_id is null then 'valid' else 'refunded' end, 'soldAt', t.sold_at) order by t.ordinal), '[]')
         from tickets t where t.order_id = o.order_id) as tickets,
      (select coalesce(json_agg(json_build_object('kind', kind, 'status', status, 'sentAt', sent_at) order by queued_at), '[]')
         from (${mails}) m) as mails,
      (select coalesce(json_agg(json_build_object('role', k.role, 'at', k.at) order by k.at), '[]')
         from (select role, at from order_looks where order_id = o.order_id limit 100) k) as looked_at
    from orders o left join checkouts c using (order_id) left join listings l using (event_id)
    where o.buyer_id = ${userId} order by o.held_at desc limit ${MAX_EXPORTED}`.execute(kysely(db));
  return { orders, isComplete: orders.length < MAX_EXPORTED };
}

const named = (titles: string[]): string =>
  titles.slice(0, MAX_NAMED).join(', ') + (titles.length > MAX_NAMED ? ` and ${titles.length - MAX_NAMED} more` : '');

const isAny = (condition: Expression<SqlBool>) => sql<boolean>`coalesce(bool_or(${condition}), false)`;

/**
 * Why the account cannot be erased yet. Possible reasons: buyers have tickets for the person's upcoming events, or a
 * payment, refund or dispute of one of the person's own orders is in progress.
 */
export async function personObstacles(db: Queryable, userId: number, now: Date): Promise<Said[]> {
  const [organized, { isHeld, isRefunding, isFrozen }] = await Promise.all([
    kysely(db)
      .selectFrom('listings as l')
      .innerJoin('availability as a', 'a.eventId', 'l.eventId')
      .select(['l.title', 'l.eventDate', 'l.eventLastDate', 'l.eventStartTime', 'l.eventEndTime', 'a.closed'])
      .where('l.organizerId', '=', userId)
      .where('l.status', '<>', 'canceled')
      .where('a.sold', '>', 0)
      .where((eb) =>
        eb.or([
          eb(
            eb.fn<Date>('greatest', ['l.eventDate', 'l.eventLastDate']),
            '>',
            sql<Date>`${now}::timestamptz - interval '2 days'`,
          ),
          eb('a.closed', '=', 'postponed'),
        ]),
      )
      .orderBy('l.eventDate')
      .limit(100)
      .execute(),
    kysely(db)
      .selectFrom('orders as o')
      .leftJoin('checkouts as c', 'c.orderId', 'o.orderId')
      .select((eb) => [
        isAny(eb.and([eb('o.status', '=', 'held'), eb('o.paymentId', 'is not', null)])).as('isHeld'),
        isAny(eb.ref('o.frozen')).as('isFrozen'),
        isAny(eb.and([eb('o.status', '=', 'refunding'), eb('c.refundedAt', 'is', null)])).as('isRefunding'),
      ])
      .where('o.buyerId', '=', userId)
      .executeTakeFirstOrThrow(),
  ]);
  const toCome = organized.filter((one) => one.closed === 'postponed' || endOf(one) > now).map(({ title }) => title);
  const obstacles: Said[] = [];
  if (toCome.length > 0) obstacles.push(said('events-to-come', { events: named(toCome) }));
  if (isHeld) obstacles.push(said('checkout-under-way'));
  if (isRefunding) obstacles.push(said('refund-under-way'));
  if (isFrozen) obstacles.push(said('dispute-under-way.yours'));
  return obstacles;
}

/**
 * Removes the person's name and email address from the person's orders, and deletes pending mails. Order numbers,
 * tickets and amounts stay.
 */
export const erasePerson = (pool: Pool, userId: number): Promise<void> =>
  transaction(pool, async (tx) => {
    await kysely(tx)
      .updateTable('checkouts as c')
      .from('orders as o')
      .set({ holderName: DELETED_ACCOUNT, holderEmail: '' })
      .whereRef('o.orderId', '=', 'c.orderId')
      .where('o.buyerId', '=', userId)
      .where((eb) => eb.or([eb('c.holderName', '<>', DELETED_ACCOUNT), eb('c.holderEmail', '<>', '')]))
      .execute();
    await dropMailsOf(tx, userId);
    await dropClaim(tx, userId);
  });
