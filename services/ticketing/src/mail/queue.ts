import { sql, type Expression, type ExpressionBuilder, type Kysely, type SqlBool } from 'kysely';
import type { Pool } from 'pg';
import type { Queries } from '@beltway/event-store';
import { enqueue, mailPriority, mailQueue, type NewJob } from '@beltway/kit/jobs';
import { ago, countRows } from '@beltway/kit/kysely';
import type { Queryable } from '@beltway/kit/postgres';
import { kysely, type Tables } from '../db.ts';

/**
 * Kinds of mails to a buyer. For each order, one mail of each kind is sent, even if it is queued several times. The
 * sale causes the first five kinds. A dispute causes `dispute-lost:dp_1`. `refund-sent:re_1` and `refund-failed:re_1`
 * are sent once per refund, after payments reported that the refund was sent or came back.
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

/** Mails about one requested refund of an order: `refund-asked:<refund id>`, `part-sent:<refund id>:re_1`. */
export type PartMailKind = 'refund-asked' | 'part-sent' | 'part-failed';
export const partMail = (kind: 'part-sent' | 'part-failed', requestId: string, refundId: string) =>
  `${kind}:${requestId}:${refundId}` as const;

/** Mails with messages of the contact form. The queued kind has the id of the message: `message-to-organizer:<id>`. */
export type MessageKind = 'message-to-organizer' | 'message-to-buyer';

/** Mails of the kind `address-corrected` are sent to the old email address. */
export type OrderMailKind = MailKind | PartMailKind | MessageKind | 'new-link' | 'event-changed' | 'address-corrected';
/** A kind of mail with the id of the refund, dispute, change or request that the mail is about: `refund-sent:re_1`. */
export type QueuedKind = OrderMailKind | `${OrderMailKind}:${string}`;

/**
 * The data of a queued mail. After the mail was processed, only `isDropped` remains: if set, the mail was obsolete and
 * was dropped; otherwise it was sent.
 */
export interface OrderMail {
  isDropped?: boolean;
  /** The recipient, if the mail is not sent to the order's email address. */
  to?: string;
  /** The text of a message of the contact form; deleted after the mail was sent. */
  text?: string;
}

/** Keys are `<order id>/<kind>`. Rows stay, so that no kind of mail is sent twice and staff can read the history. */
export const orderMails = mailQueue<OrderMail>('order-mail', { keepsDone: true });

/**
 * Whether a buyer waits for mails of this kind. Such mails are sent first, because an event may have thousands of other
 * mails.
 */
const isUrgent = (kind: QueuedKind): boolean =>
  ['new-link', 'tickets', 'address-corrected'].includes(kind.split(':', 1)[0]!);

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

/** Queues a mail about an order. Does nothing if a mail of this kind was already queued. */
const queueMail = (db: Pick<Queries, 'query'>, orderId: string, kind: QueuedKind) =>
  enqueue(db, orderMails, [mailJob(orderId, kind)]);

/** Whether a mail of this kind was ever queued. */
export const wasQueued = async (db: Queryable, orderId: string, kind: QueuedKind): Promise<boolean> =>
  (await kysely(db)
    .selectFrom('jobs')
    .select('key')
    .where('queue', '=', orderMails.name)
    .where('key', '=', keyOf(orderId, kind))
    .executeTakeFirst()) !== undefined;

/** The key range of an order's mails. In ASCII, `0` is the character after `/`. */
const ofOrder =
  (orderId: Expression<string>) =>
  (eb: ExpressionBuilder<Tables, 'jobs'>): Expression<SqlBool> =>
    eb.and([
      eb('jobs.queue', '=', orderMails.name),
      eb('jobs.key', '>=', sql<string>`${orderId} || '/'`),
      eb('jobs.key', '<', sql<string>`${orderId} || '0'`),
    ]);

/**
 * Whether a processed mail was sent. If an operator discarded the mail, it was not sent, and its row keeps the error.
 */
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

/** The mails of an order, oldest first. */
export const mailsOf = (db: Queryable, orderId: string, limit: number) =>
  selectMails(kysely(db), sql.val(orderId)).orderBy('createdAt').orderBy('key').limit(limit).execute();

/** Deletes the pending mails of a buyer whose account is erased. */
export const dropMailsOf = (tx: Queryable, buyerId: number) =>
  kysely(tx)
    .deleteFrom('jobs')
    .using('orders as o')
    .where(ofOrder(sql.ref<string>('o.orderId')))
    .where('jobs.status', '<>', 'done')
    .where('o.buyerId', '=', buyerId)
    .execute();

/** Queues the mail about a refund of some tickets. Call it in the transaction that records the refund's outcome. */
export const queuePartMail = (
  tx: Queryable,
  { orderId, requestId, refundId }: { orderId: string; requestId: string; refundId: string },
  kind: 'part-sent' | 'part-failed',
) => queueMail(tx, orderId, partMail(kind, requestId, refundId));

/** The queued kind of a refund's mail. */
export const refundMail = (kind: RefundMail, refundId: string) => `${kind}:${refundId}` as const;

/** Whether the order is in this state and has a checkout, which contains the email address. */
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
 * Queues the mail about a refund. Call it in the transaction that records the refund's outcome. If ticketing did not
 * request the refund, the order is not `refunding` yet. A later mail about the returned tickets then also reports the
 * refund.
 */
export async function queueRefundMail(
  tx: Queryable,
  { orderId, refundId }: { orderId: string; refundId: string },
  kind: RefundMail,
): Promise<void> {
  if (await isInState(tx, orderId, { status: 'refunding' })) await queueMail(tx, orderId, refundMail(kind, refundId));
}

/**
 * Queues the mail about the result of a dispute over an order with tickets. After a lost dispute, the mail states that
 * the tickets are void. After a won dispute, the tickets are mailed again, because while a bank disputes the payment no
 * codes are mailed.
 */
export async function queueDisputeMail(pool: Pool, orderId: string, disputeId: string, outcome: 'won' | 'lost') {
  const isLost = outcome === 'lost';
  if (await isInState(pool, orderId, { status: 'fulfilled', isVoid: isLost, frozen: false }))
    await queueMail(pool, orderId, `${isLost ? 'dispute-lost' : 'tickets'}:${disputeId}`);
}

/** Queues a mail with the order's current link. Each request sends another mail. */
export const queueNewLink = (pool: Pool, orderId: string, afterSeconds: number) =>
  enqueue(pool, orderMails, [mailJob(orderId, 'new-link', { afterSeconds })], { again: true });

/** Maximum number of times per hour that an order's tickets are mailed again. */
const MAX_AGAIN = 3;

/** Queues a mail with the order's tickets again; returns false if the hourly limit is reached. */
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

/**
 * The kind of the mail that brings the tickets to a corrected email address. `generation`: the generation of the link
 * after the correction.
 */
export const correctedTickets = (generation: number): QueuedKind => `tickets:corrected-${generation}`;
export const isForCorrected = (id: string): boolean => id.startsWith('corrected-');

/** Queues a message of the contact form, once per id. The text is deleted after the mail was sent. */
export const queueMessage = (
  db: Queryable,
  orderId: string,
  { kind, id, text }: { kind: MessageKind; id: string; text: string },
) => enqueue(db, orderMails, [mailJob(orderId, `${kind}:${id}`, { data: { text } })]);

/** The ids of queued and sent messages, if the id begins with `prefix`. */
export async function messageIdsOf(db: Queryable, orderId: string, kind: MessageKind, prefix: string) {
  const rows = await kysely(db)
    .selectFrom('jobs')
    .select('key')
    .where(ofOrder(sql.val(orderId)))
    .where((eb) => eb.fn<boolean>('starts_with', ['key', eb.val(keyOf(orderId, `${kind}:${prefix}`))]))
    .execute();
  return rows.map(({ key }) => key.slice(keyOf(orderId, `${kind}:`).length));
}
