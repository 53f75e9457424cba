import { fullAddress } from '@beltway/contracts/catalog/event-links';
import type { EventState, EventStatus } from '@beltway/contracts/catalog/events';
import type { Order, TicketEvent } from '@beltway/contracts/ticketing/tickets';
import { enqueue, mailQueue, startQueue, type Worker } from '@beltway/kit/jobs';
import type { Logger } from '@beltway/kit/logger';
import { anyOf } from '@beltway/kit/kysely';
import type { Queryable } from '@beltway/kit/postgres';
import { sql } from 'kysely';
import type { Pool } from 'pg';
import type { Queries } from '@beltway/event-store';
import { kysely } from '../db.ts';
import { listingsOf, ticketEvent } from '../listing/listings.ts';
import { voidBecause } from '../ticket/calendar.ts';
import type { Words } from '../words/english.ts';
import { mailJob, orderMails } from './queue.ts';

/**
 * The state of an event that change mails are about: a change of time or location, a postponement, a new date, a
 * suspension and its end (services/catalog/PRODUCT.md#changing-and-canceling). A notice stores the state before the
 * change. The mail compares this state with the state when the mail is written.
 */
export type Told = Pick<
  TicketEvent,
  'eventDate' | 'eventLastDate' | 'eventStartTime' | 'eventEndTime' | 'location' | 'address'
> & {
  status: EventStatus;
  isSuspended?: boolean | undefined;
};

const toldOf = ({
  eventDate,
  eventLastDate,
  eventStartTime,
  eventEndTime,
  location,
  address,
  status,
  isSuspended = false,
}: Told): Told => ({
  eventDate: new Date(eventDate).toISOString(),
  // Left out for an event of one day, so that older notices, which lack this field, compare as equal.
  ...(eventLastDate && { eventLastDate: new Date(eventLastDate).toISOString() }),
  eventStartTime,
  eventEndTime,
  location,
  ...(address && { address }),
  status,
  isSuspended,
});
const isSame = (one: Told, other: Told): boolean => JSON.stringify(toldOf(one)) === JSON.stringify(toldOf(other));

/**
 * Limits the delay of the mail: the first change is mailed after at most this many times the waiting time, even if
 * changes continue.
 */
const MAX_WAITS = 6;

/**
 * The job `event/<id>` closes the event's open notice. The job `notice/<id>` queues the mails of the notice in parts;
 * `after` is the last order of the previous part.
 */
interface ChangeJob {
  noticeId?: string;
  after?: string;
}
export const eventChanges = mailQueue<ChangeJob>('event-change');

const openNotice = (db: Queryable, eventId: number) =>
  kysely(db).selectFrom('changeNotices').where('eventId', '=', eventId).where('closedAt', 'is', null);

/**
 * If buyers must be notified, opens a notice or extends the open notice. Call it in the transaction that saves the
 * event's new state.
 */
export async function noteChange(tx: Queryable, before: Told, after: EventState, minutes: number): Promise<void> {
  const { eventId } = after;
  const status = after.isPostponed ? 'postponed' : 'published';
  if (before.status === 'canceled' || isSame(before, { ...after, status })) return;
  const open = await openNotice(tx, eventId)
    .select(sql<number>`extract(epoch from now() - opened_at)::float8`.as('age'))
    .executeTakeFirst();
  const wait = minutes * 60;
  const afterSeconds = Math.min(wait, Math.max(wait * MAX_WAITS - (open?.age ?? 0), 0));
  // Writes the job before the notice, because the worker that closes the notice also locks the job first.
  await enqueue(tx, eventChanges, [{ key: `event/${eventId}`, data: {}, afterSeconds }], { again: true });
  await kysely(tx)
    .insertInto('changeNotices')
    .values({ eventId, was: toldOf(before) })
    .onConflict((conflict) =>
      conflict
        .column('eventId')
        .where('closedAt', 'is', null)
        .doUpdateSet({ changedAt: sql<Date>`now()` }),
    )
    .execute();
}

const changeMail = (noticeId: string) => `event-changed:${noticeId}` as const;

/**
 * Closes the open notice of an event and enqueues the mails of the notice. If the event is canceled or back in its old
 * state, deletes the notice instead.
 */
async function closeNotice(tx: Queryable, eventId: number): Promise<void> {
  const notice = await openNotice(tx, eventId).select(['id', 'was']).$narrowType<{ was: Told }>().executeTakeFirst();
  if (!notice) return;
  const { id: noticeId, was } = notice;
  const [listing] = await listingsOf(tx, [eventId]);
  if (!listing || listing.status === 'canceled' || isSame(was, ticketEvent(listing)))
    return void (await kysely(tx).deleteFrom('changeNotices').where('id', '=', noticeId).execute());
  await kysely(tx)
    .updateTable('changeNotices')
    .set({ closedAt: sql<Date>`now()` })
    .where('id', '=', noticeId)
    .execute();
  await enqueue(tx, eventChanges, [{ key: `notice/${noticeId}`, data: { noticeId } }]);
}

const PAGE = 1_000;
const FIRST = '00000000-0000-0000-0000-000000000000';
/** A part of the list of orders that were held before the last change. */
const buyersOf = (pool: Pool, noticeId: string, after: string) =>
  kysely(pool)
    .selectFrom('orders as o')
    .innerJoin('changeNotices as n', 'n.eventId', 'o.eventId')
    .select('o.orderId')
    .where('n.id', '=', noticeId)
    .where('o.status', '=', sql.lit('fulfilled'))
    .where('o.isVoid', '=', sql.lit(false))
    .whereRef('o.heldAt', '<=', 'n.changedAt')
    .where('o.orderId', '>', after)
    .orderBy('o.orderId')
    .limit(PAGE)
    .execute();

/** Starts the worker that closes due notices and queues a mail per order. */
export const startTellingChanges = ({ pool, log }: { pool: Pool; log: Logger }): Worker =>
  startQueue({ pool, log }, eventChanges, async ({ key, data: { noticeId, after = FIRST } }) => {
    if (noticeId === undefined) return { write: (tx) => closeNotice(tx, Number(key.split('/')[1])) };
    const rows = await buyersOf(pool, noticeId, after);
    const jobs = rows.map(({ orderId }) => mailJob(orderId, changeMail(noticeId)));
    return {
      write: (tx) => enqueue(tx, orderMails, jobs),
      ...(rows.length === PAGE && { againAfter: 0, data: { noticeId, after: rows.at(-1)!.orderId } }),
    };
  });

/**
 * Queues the mail for orders that were held before the change, but paid while the mails about the change were being
 * queued.
 */
export async function queueForLateOrders(db: Pick<Queries, 'query'>, orderIds: string[]): Promise<void> {
  const rows = await kysely(db)
    .selectFrom('orders as o')
    .innerJoin('changeNotices as n', 'n.eventId', 'o.eventId')
    .select(['o.orderId', 'n.id as noticeId'])
    .where('n.closedAt', 'is not', null)
    .whereRef('o.heldAt', '<=', 'n.changedAt')
    .where('o.orderId', '=', anyOf(orderIds))
    .execute();
  const jobs = rows.map(({ orderId, noticeId }) => mailJob(orderId, changeMail(noticeId)));
  if (jobs.length > 0) await enqueue(db, orderMails, jobs);
}

/** The state of the event before the change that a notice is about. */
export async function noticeOf(db: Queryable, id: string): Promise<Told> {
  const notice = await kysely(db)
    .selectFrom('changeNotices')
    .select('was')
    .$narrowType<{ was: Told }>()
    .where('id', '=', id)
    .executeTakeFirst();
  if (!notice) throw new Error(`no change notice ${id}`);
  return notice.was;
}

function hoursIn(words: Words, event: Told): string {
  const start = words.planned(event);
  return event.eventEndTime && event.status !== 'postponed' ? words.until(start, event.eventEndTime) : start;
}

export interface ChangeTexts {
  subject: string;
  why: string;
  /** The headline of the mail. */
  now: string;
  rows: Array<{ name: string; value: string }>;
}

/** What changed for the holder of an order; null if the tickets are void or nothing changed. */
export function changeTexts(order: Order, was: Told, words: Words): ChangeTexts | null {
  const hours = (told: Told) => hoursIn(words, told);
  const { event } = order;
  const { title } = event;
  if (voidBecause(order) !== null || isSame(was, event)) return null;
  const hasMoved = hours({ ...was, status: 'published' }) !== hours({ ...event, status: 'published' });
  const [before, place] = [fullAddress(was), fullAddress(event)];
  const isElsewhere = before !== place;
  const rows = [
    ...(hasMoved || was.status !== event.status ? [{ name: words.names.whenBefore, value: hours(was) }] : []),
    ...(isElsewhere ? [{ name: words.names.whereBefore, value: before }] : []),
  ];
  const placeToo = isElsewhere ? words.placeToo(place) : '';
  if (event.status === 'postponed' && was.status !== 'postponed')
    return {
      subject: words.isPostponed(title),
      why: words.isPostponedWhy(hours(was)) + placeToo,
      now: words.isPostponedNow,
      rows,
    };
  if (was.status === 'postponed' && event.status !== 'postponed')
    return {
      subject: words.hasNewDate(title),
      why: words.hasNewDateWhy + placeToo,
      now: words.hasNewDateNow(hours(event)),
      rows,
    };
  if (event.isSuspended === true && was.isSuspended !== true)
    return { subject: words.isSuspended(title), why: words.isSuspendedWhy + placeToo, now: words.isSuspendedNow, rows };
  if (was.isSuspended === true && event.isSuspended !== true)
    return { subject: words.isResumed(title), why: words.isResumedWhy + placeToo, now: words.isResumedNow, rows };
  const isDated = event.status !== 'postponed';
  const [subject, now] =
    hasMoved && isDated
      ? isElsewhere
        ? [words.newTimeAndPlace(title), `${hours(event)}, ${place}`]
        : [words.newTime(title), hours(event)]
      : isElsewhere
        ? [words.newPlace(title), place]
        : [];
  // If an event without a date gets new hours, the hours are mailed later, together with the new date.
  if (subject === undefined || now === undefined) return null;
  return { subject, why: words.changedWhy, now: words.now(now), rows };
}
