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
 * Buyers are told by mail of a change of time or place, of postponement and of a new date
 * (services/catalog/PRODUCT.md#changing-and-canceling). A notice remembers what they knew before; its mail has that and what is so as
 * it is written.
 */
export type Told = Pick<TicketEvent, 'eventDate' | 'eventStartTime' | 'eventEndTime' | 'location'> & {
  status: EventStatus;
};

const toldOf = ({ eventDate, eventStartTime, eventEndTime, location, status }: Told): Told => ({
  eventDate: new Date(eventDate).toISOString(),
  eventStartTime,
  eventEndTime,
  location,
  status,
});
const isSame = (one: Told, other: Told): boolean => JSON.stringify(toldOf(one)) === JSON.stringify(toldOf(other));

/** A notice waits for so many times the minutes after the last change, at most, since its first. */
const MAX_WAITS = 6;

/** `event/<id>` closes the event's open notice, `notice/<id>` queues its mails page by page, from the order in `data` on. */
interface ChangeJob {
  noticeId?: string;
  after?: string;
}
export const eventChanges = mailQueue<ChangeJob>('event-change');

const openNotice = (db: Queryable, eventId: number) =>
  kysely(db).selectFrom('changeNotices').where('eventId', '=', eventId).where('closedAt', 'is', null);

/** In the transaction that keeps the event's new state: opens a notice if buyers have to know, or adds to the open one. */
export async function noteChange(tx: Queryable, before: Told, after: EventState, minutes: number): Promise<void> {
  const { eventId } = after;
  const status = after.isPostponed ? 'postponed' : 'published';
  if (before.status === 'canceled' || isSame(before, { ...after, status })) return;
  const open = await openNotice(tx, eventId)
    .select(sql<number>`extract(epoch from now() - opened_at)::float8`.as('age'))
    .executeTakeFirst();
  const wait = minutes * 60;
  const afterSeconds = Math.min(wait, Math.max(wait * MAX_WAITS - (open?.age ?? 0), 0));
  // The job first: the worker that closes the notice locks the two in this order.
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

/** Closes the open notice of an event and lets its mails be queued; one whose event is again as it was, or canceled, is deleted. */
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
/** A page of the orders that were begun before the last change. */
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

/** Closes the notices that are due, and queues a mail for each order. */
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

/** For orders that were being paid while a notice was mailed: their buyers get the mail like the others. */
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

/** What a notice says of before. */
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
  /** The most important sentence. */
  now: string;
  rows: Array<{ name: string; value: string }>;
}

/** What changed for the holder of an order, in words; null when its tickets are void, or all is as it was. */
export function changeTexts(order: Order, was: Told, words: Words): ChangeTexts | null {
  const hours = (told: Told) => hoursIn(words, told);
  const { event } = order;
  const { title } = event;
  if (voidBecause(order) !== null || isSame(was, event)) return null;
  const hasMoved = hours({ ...was, status: 'published' }) !== hours({ ...event, status: 'published' });
  const isElsewhere = was.location !== event.location;
  const rows = [
    ...(hasMoved || was.status !== event.status ? [{ name: words.names.whenBefore, value: hours(was) }] : []),
    ...(isElsewhere ? [{ name: words.names.whereBefore, value: was.location }] : []),
  ];
  const place = isElsewhere ? words.placeToo(event.location) : '';
  if (event.status === 'postponed' && was.status !== 'postponed')
    return {
      subject: words.isPostponed(title),
      why: words.isPostponedWhy(hours(was)) + place,
      now: words.isPostponedNow,
      rows,
    };
  if (was.status === 'postponed' && event.status !== 'postponed')
    return {
      subject: words.hasNewDate(title),
      why: words.hasNewDateWhy + place,
      now: words.hasNewDateNow(hours(event)),
      rows,
    };
  const isDated = event.status !== 'postponed';
  const [subject, now] =
    hasMoved && isDated
      ? isElsewhere
        ? [words.newTimeAndPlace(title), `${hours(event)}, ${event.location}`]
        : [words.newTime(title), hours(event)]
      : isElsewhere
        ? [words.newPlace(title), event.location]
        : [];
  // Hours of an event that has no date: they are told with the date.
  if (subject === undefined || now === undefined) return null;
  return { subject, why: words.changedWhy, now: words.now(now), rows };
}
