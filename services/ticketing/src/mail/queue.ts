import { sql, type Expression, type ExpressionBuilder, type Kysely, type SqlBool } from 'kysely';
import type { Pool } from 'pg';
import type { Queries } from '@beltway/event-store';
import { enqueue, mailPriority, mailQueue, type NewJob } from '@beltway/kit/jobs';
import { ago, countRows } from '@beltway/kit/kysely';
import type { Queryable } from '@beltway/kit/postgres';
import { kysely, type Tables } from '../db.ts';

/**
 * What is written to a buyer. One mail per order and kind, however often it is asked for. All but the last three follow from
 * the sale; `dispute-lost:dp_1` from the dispute; of the refund itself, and of one that came back, nothing is said before payments says so, each with its
 * refund: `refund-sent:re_1`.
 */
export type MailKind =
  | 'tickets'
  | 'too-late'
  | 'underpaid'
  | 'event-canceled'
  | 'refunded-by-provider'
  | 'dispute-lost'
  | 'refund-sent'
  | 'refund-failed';
type RefundMail = 'refund-sent' | 'refund-failed';

/** Of one refund of an order that somebody asked for: `refund-asked:<its id>`, `part-sent:<its id>:re_1`. */
export type PartMailKind = 'refund-asked' | 'part-sent' | 'part-failed';
export const partMail = (kind: 'part-sent' | 'part-failed', requestId: string, refundId: string) =>
  `${kind}:${requestId}:${refundId}` as const;

export type OrderMailKind = MailKind | PartMailKind | 'new-link' | 'event-changed';
/** A kind, and of which refund, dispute, change or request it is: `refund-sent:re_1`. */
export type QueuedKind = OrderMailKind | `${OrderMailKind}:${string}`;

/** The data of a mail that is done: it was sent, or dropped because it was obsolete. */
interface OrderMail {
  isDropped?: boolean;
}

/** Keys are `<order id>/<kind>`. Rows stay: no kind is mailed twice, and people read what was mailed. */
export const orderMails = mailQueue<OrderMail>('order-mail', { keepsDone: true });

/** A buyer waits for these. An event may have thousands of the others. */
const isUrgent = (kind: QueuedKind): boolean => kind === 'new-link' || kind.split(':', 1)[0] === 'tickets';

const keyOf = (orderId: string, kind: QueuedKind): string => `${orderId}/${kind}`;
export const mailJob = (
  orderId: string,
  kind: QueuedKind,
  more: Partial<NewJob<OrderMail>> = {},
): NewJob<OrderMail> => ({
  key: keyOf(orderId, kind),
  data: {},
  priority: mailPriority(isUrgent(kind)),
  ...more,
});

/** Queues a mail about an order; one of this kind that was queued before changes nothing. */
const queueMail = (db: Pick<Queries, 'query'>, orderId: string, kind: QueuedKind) =>
  enqueue(db, orderMails, [mailJob(orderId, kind)]);

/** Whether a mail of this kind was queued, sent or not. */
export const wasQueued = async (db: Queryable, orderId: string, kind: QueuedKind): Promise<boolean> =>
  (await kysely(db)
    .selectFrom('jobs')
    .select('key')
    .where('queue', '=', orderMails.name)
    .where('key', '=', keyOf(orderId, kind))
    .executeTakeFirst()) !== undefined;

/** The mails of an order, as a range of the primary key: `0` follows `/`. */
const ofOrder =
  (orderId: Expression<string>) =>
  (eb: ExpressionBuilder<Tables, 'jobs'>): Expression<SqlBool> =>
    eb.and([
      eb('jobs.queue', '=', orderMails.name),
      eb('jobs.key', '>=', sql<string>`${orderId} || '/'`),
      eb('jobs.key', '<', sql<string>`${orderId} || '0'`),
    ]);

/** An operator may have discarded it; then it keeps its error. */
const WAS_SENT = sql<boolean>`not data ? 'isDropped' and last_error is null`;

/** The mails of an order. */
export const selectMails = (db: Kysely<Tables>, orderId: Expression<string>) =>
  db
    .selectFrom('jobs')
    .select(['attempts', 'createdAt as queuedAt'])
    .select([
      sql<string>`split_part(split_part(key, '/', 2), ':', 1)`.as('kind'),
      sql<string>`case when status <> 'done' then status when ${WAS_SENT} then 'sent' else 'dropped' end`.as('status'),
      sql<Date | null>`case when status = 'done' and ${WAS_SENT} then ended_at end`.as('sentAt'),
    ])
    .where(ofOrder(orderId));

/** Oldest first. */
export const mailsOf = (db: Queryable, orderId: string, limit: number) =>
  selectMails(kysely(db), sql.val(orderId)).orderBy('createdAt').orderBy('key').limit(limit).execute();

/** Deletes the mails that wait for the buyer of these orders, whose account is erased. */
export const dropMailsOf = (tx: Queryable, buyerId: number) =>
  kysely(tx)
    .deleteFrom('jobs')
    .using('orders as o')
    .where(ofOrder(sql.ref<string>('o.orderId')))
    .where('jobs.status', '<>', 'done')
    .where('o.buyerId', '=', buyerId)
    .execute();

/** In the transaction that notes what became of a refund of some tickets. */
export const queuePartMail = (
  tx: Queryable,
  { orderId, requestId, refundId }: { orderId: string; requestId: string; refundId: string },
  kind: 'part-sent' | 'part-failed',
) => queueMail(tx, orderId, partMail(kind, requestId, refundId));

/** How the mail of one refund is queued. */
export const refundMail = (kind: RefundMail, refundId: string) => `${kind}:${refundId}` as const;

/** Whether the order is in this state and has a checkout, with an address to write to. */
const isInState = async (
  db: Queryable,
  orderId: string,
  state: { status: string; isVoid?: boolean; frozen?: boolean },
): Promise<boolean> =>
  (await kysely(db)
    .selectFrom('checkouts as c')
    .innerJoin('orders as o', 'o.orderId', 'c.orderId')
    .select('o.orderId')
    .where('c.orderId', '=', orderId)
    .where((eb) => eb.and(state))
    .executeTakeFirst()) !== undefined;

/**
 * In the transaction that notes what became of the refund. Of one that ticketing did not ask for, the mail that ends
 * the tickets says it, and comes next: the order is not refunding yet.
 */
export async function queueRefundMail(
  tx: Queryable,
  { orderId, refundId }: { orderId: string; refundId: string },
  kind: RefundMail,
): Promise<void> {
  if (await isInState(tx, orderId, { status: 'refunding' })) await queueMail(tx, orderId, refundMail(kind, refundId));
}

/**
 * A dispute of an order that has tickets was decided: they are void, or, after one that was won, mailed once more, for no mail with codes
 * is sent while a bank disputes the payment.
 */
export async function queueDisputeMail(pool: Pool, orderId: string, disputeId: string, outcome: 'won' | 'lost') {
  const isLost = outcome === 'lost';
  if (await isInState(pool, orderId, { status: 'fulfilled', isVoid: isLost, frozen: false }))
    await queueMail(pool, orderId, `${isLost ? 'dispute-lost' : 'tickets'}:${disputeId}`);
}

/** The order's present link, on request: the same mail is sent again for each. */
export const queueNewLink = (pool: Pool, orderId: string, afterSeconds: number) =>
  enqueue(pool, orderMails, [mailJob(orderId, 'new-link', { afterSeconds })], { again: true });

/** Times within an hour that the tickets of an order are mailed again. */
const MAX_AGAIN = 3;

/** The tickets of an order, mailed once more. False: they were often enough within the last hour. */
export async function queueTicketsAgain(pool: Pool, orderId: string): Promise<boolean> {
  const again = 'tickets:again-' as const;
  const { count, recent } = await kysely(pool)
    .selectFrom('jobs')
    .select(({ fn }) => [countRows, fn.countAll<string>().filterWhere('createdAt', '>', ago('1 hour')).as('recent')])
    .where((eb) => eb.fn<boolean>('starts_with', ['key', eb.val(keyOf(orderId, again))]))
    .where(ofOrder(sql.val(orderId)))
    .executeTakeFirstOrThrow();
  return Number(recent) < MAX_AGAIN && (await queueMail(pool, orderId, `${again}${count + 1}`)).rowCount === 1;
}
