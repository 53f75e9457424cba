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

/** What stands in the place of a holder's name once their account was erased. */
const DELETED_ACCOUNT = 'Deleted account';

/** At most so many of a list are named to a person. */
const MAX_NAMED = 3;

const COPY = 'A copy of the catalog, which keeps its events.';

/** What names accounts here. The number of a buyer stays; name, address and mails are in other tables, by order (`erasePerson`). */
export const PERSONAL = [
  personal(tables.orders, 'buyerId', { erasure: { elsewhere: 'erasePerson' } }),
  personal(tables.availability, 'organizerId', { erasure: { kept: COPY } }),
  personal(tables.listings, 'organizerId', { erasure: { kept: COPY } }),
  personal(tables.orderLooks, 'accountId', { erasure: { kept: 'Which account looked at an order, by number alone.' } }),
];

/**
 * Their orders with tickets, mails and looks of staff, the newest first. As text: lists in rows are hard to read when they are built.
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

/** Others have tickets for what they organize; their own money is on its way. */
export async function personObstacles(db: Queryable, userId: number, now: Date): Promise<Said[]> {
  const [organized, { isHeld, isRefunding, isFrozen }] = await Promise.all([
    kysely(db)
      .selectFrom('listings as l')
      .innerJoin('availability as a', 'a.eventId', 'l.eventId')
      .select(['l.title', 'l.eventDate', 'l.eventStartTime', 'l.eventEndTime', 'a.closed'])
      .where('l.organizerId', '=', userId)
      .where('l.status', '<>', 'canceled')
      .where('a.sold', '>', 0)
      .where((eb) =>
        eb.or([
          eb('l.eventDate', '>', sql<Date>`${now}::timestamptz - interval '2 days'`),
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
  const toCome = organized
    .filter((one) => one.closed === 'postponed' || endOf({ ...one, eventDate: one.eventDate.toISOString() }) > now)
    .map(({ title }) => title);
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
