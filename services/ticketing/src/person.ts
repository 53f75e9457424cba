import type { Pool } from 'pg';
import { sql, type Expression, type SqlBool } from 'kysely';
import { jsonBuildObject } from 'kysely/helpers/postgres';
import { MAX_EXPORTED, type Obstacle, type PersonPart } from '@beltway/contracts/identity/people';
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
const MAX_LOOKS = 100;

const COPY = 'A copy of the catalog, which keeps its events.';

/** What names accounts here. The number of a buyer stays; name, address and mails are in other tables, by order (`erasePerson`). */
export const PERSONAL = [
  personal(tables.orders, 'buyerId', { erasure: { elsewhere: 'erasePerson' } }),
  personal(tables.availability, 'organiserId', { erasure: { kept: COPY } }),
  personal(tables.listings, 'organiserId', { erasure: { kept: COPY } }),
  personal(tables.orderLooks, 'accountId', { erasure: { kept: 'Which account looked at an order, by number alone.' } }),
];

/** Their orders with tickets and mails, the newest first, and when organisers and admins looked at them. */
export async function personPart(db: Queryable, userId: number): Promise<PersonPart> {
  const none = sql<unknown[]>`'[]'::json`;
  const orders = await kysely(db)
    .selectFrom('orders as o')
    .leftJoin('checkouts as c', 'c.orderId', 'o.orderId')
    .leftJoin('listings as l', 'l.eventId', 'o.eventId')
    .select(['o.orderId', 'c.number', 'l.title as event', 'l.eventDate', 'o.status', 'o.quantity', 'o.totalCents'])
    .select(['o.lines', 'c.holderName', 'c.holderEmail', 'o.heldAt', 'o.settledAt'])
    .select((eb) => [
      eb
        .selectFrom('tickets as t')
        .whereRef('t.orderId', '=', 'o.orderId')
        .select(({ fn, ref }) => {
          const status = sql<string>`case when ${ref('t.refundId')} is null then 'valid' else 'refunded' end`;
          const ticket = jsonBuildObject({ code: ref('t.code'), status, soldAt: ref('t.soldAt') });
          return fn.coalesce(fn.jsonAgg(ticket).orderBy('t.ordinal'), none).as('list');
        })
        .as('tickets'),
      eb
        .selectFrom(selectMails(kysely(db), eb.ref('o.orderId')).as('m'))
        .select(({ fn, ref }) => {
          const mail = jsonBuildObject({ kind: ref('m.kind'), status: ref('m.status'), sentAt: ref('m.sentAt') });
          return fn.coalesce(fn.jsonAgg(mail).orderBy('m.queuedAt'), none).as('list');
        })
        .as('mails'),
      eb
        .selectFrom(
          eb
            .selectFrom('orderLooks as s')
            .select(['s.role', 's.at'])
            .whereRef('s.orderId', '=', 'o.orderId')
            .limit(MAX_LOOKS)
            .as('k'),
        )
        .select(({ fn, ref }) => {
          const look = jsonBuildObject({ role: ref('k.role'), at: ref('k.at') });
          return fn.coalesce(fn.jsonAgg(look).orderBy('k.at'), none).as('list');
        })
        .as('lookedAt'),
    ])
    .where('o.buyerId', '=', userId)
    .orderBy('o.heldAt', 'desc')
    .limit(MAX_EXPORTED)
    .execute();
  return { orders, isComplete: orders.length < MAX_EXPORTED };
}

const named = (titles: string[]): string =>
  titles.slice(0, MAX_NAMED).join(', ') + (titles.length > MAX_NAMED ? ` and ${titles.length - MAX_NAMED} more` : '');

const isAny = (condition: Expression<SqlBool>) => sql<boolean>`coalesce(bool_or(${condition}), false)`;

/** Others have tickets for what they organise; their own money is on its way. */
export async function personObstacles(db: Queryable, userId: number, now: Date): Promise<Obstacle[]> {
  const [organised, { isHeld, isRefunding, isFrozen }] = await Promise.all([
    kysely(db)
      .selectFrom('listings as l')
      .innerJoin('availability as a', 'a.eventId', 'l.eventId')
      .select(['l.title', 'l.eventDate', 'l.eventStartTime', 'l.eventEndTime', 'a.closed'])
      .where('l.organiserId', '=', userId)
      .where('l.status', '<>', 'cancelled')
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
  const toCome = organised
    .filter((one) => one.closed === 'postponed' || endOf({ ...one, eventDate: one.eventDate.toISOString() }) > now)
    .map(({ title }) => title);
  const obstacles: Obstacle[] = [];
  if (toCome.length > 0)
    obstacles.push({
      code: 'events-to-come',
      detail: `People have tickets for events that you organise: ${named(toCome)}. Cancel them, or wait until they are over.`,
    });
  if (isHeld)
    obstacles.push({
      code: 'checkout-under-way',
      detail: 'You have tickets in the checkout. Pay for them, give them back, or wait until their time is over.',
    });
  if (isRefunding)
    obstacles.push({ code: 'refund-under-way', detail: 'A refund to you is on its way. Wait until it was sent.' });
  if (isFrozen)
    obstacles.push({ code: 'dispute-under-way', detail: 'Your bank disputes a payment. Wait until that is settled.' });
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
