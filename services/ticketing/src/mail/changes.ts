import type { EventState, EventStatus } from '@beltway/contracts/catalog/events';
import type { Order, TicketEvent } from '@beltway/contracts/ticketing/tickets';
import { enqueue, mailQueue, startQueue, type Worker } from '@beltway/kit/jobs';
import type { Logger } from '@beltway/kit/logger';
import type { Queryable } from '@beltway/kit/postgres';
import type { Pool } from 'pg';
import type { Queries } from '@beltway/event-store';
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

/** In the transaction that keeps the event's new state: opens a notice if buyers have to know, or adds to the open one. */
export async function noteChange(tx: Queryable, before: Told, after: EventState, minutes: number): Promise<void> {
  const { eventId } = after;
  const status = after.isPostponed ? 'postponed' : 'published';
  if (before.status === 'cancelled' || isSame(before, { ...after, status })) return;
  const { rows } = await tx.query<{ age: number }>(
    `select extract(epoch from now() - opened_at)::float8 as age from change_notices where event_id = $1 and closed_at is null`,
    [eventId],
  );
  const wait = minutes * 60;
  const afterSeconds = Math.min(wait, Math.max(wait * MAX_WAITS - (rows[0]?.age ?? 0), 0));
  // The job first: the worker that closes the notice locks the two in this order.
  await enqueue(tx, eventChanges, [{ key: `event/${eventId}`, data: {}, afterSeconds }], { again: true });
  await tx.query(
    `insert into change_notices (event_id, was) values ($1, $2)
     on conflict (event_id) where closed_at is null do update set changed_at = now()`,
    [eventId, JSON.stringify(toldOf(before))],
  );
}

const changeMail = (noticeId: string) => `event-changed:${noticeId}` as const;

/** Closes the open notice of an event and lets its mails be queued; one whose event is again as it was, or cancelled, is deleted. */
async function closeNotice(tx: Queryable, eventId: number): Promise<void> {
  const { rows } = await tx.query<{ id: string; was: Told }>(
    'select id, was from change_notices where event_id = $1 and closed_at is null',
    [eventId],
  );
  const [notice] = rows;
  if (!notice) return;
  const { id: noticeId, was } = notice;
  const [listing] = await listingsOf(tx, [eventId]);
  if (!listing || listing.status === 'cancelled' || isSame(was, ticketEvent(listing)))
    return void (await tx.query('delete from change_notices where id = $1', [noticeId]));
  await tx.query('update change_notices set closed_at = now() where id = $1', [noticeId]);
  await enqueue(tx, eventChanges, [{ key: `notice/${noticeId}`, data: { noticeId } }]);
}

const PAGE = 1_000;
const FIRST = '00000000-0000-0000-0000-000000000000';
/** The orders that were begun before the last change. */
const BUYERS = `select order_id as "orderId" from orders o join change_notices n on n.event_id = o.event_id
  where n.id = $1 and o.status = 'fulfilled' and not o.is_void and o.held_at <= n.changed_at and o.order_id > $2
  order by order_id limit ${PAGE}`;

/** Closes the notices that are due, and queues a mail for each order. */
export const startTellingChanges = ({ pool, log }: { pool: Pool; log: Logger }): Worker =>
  startQueue({ pool, log }, eventChanges, async ({ key, data: { noticeId, after = FIRST } }) => {
    if (noticeId === undefined) return { write: (tx) => closeNotice(tx, Number(key.split('/')[1])) };
    const { rows } = await pool.query<{ orderId: string }>(BUYERS, [noticeId, after]);
    const jobs = rows.map(({ orderId }) => mailJob(orderId, changeMail(noticeId)));
    return {
      write: (tx) => enqueue(tx, orderMails, jobs),
      ...(rows.length === PAGE && { againAfter: 0, data: { noticeId, after: rows.at(-1)!.orderId } }),
    };
  });

/** For orders that were being paid while a notice was mailed: their buyers get the mail like the others. */
export async function queueForLateOrders(db: Pick<Queries, 'query'>, orderIds: string[]): Promise<void> {
  const { rows } = await db.query<{ orderId: string; noticeId: string }>(
    `select o.order_id as "orderId", n.id as "noticeId"
     from orders o join change_notices n on n.event_id = o.event_id and n.closed_at is not null and o.held_at <= n.changed_at
     where o.order_id = any($1::uuid[])`,
    [orderIds],
  );
  const jobs = rows.map(({ orderId, noticeId }) => mailJob(orderId, changeMail(noticeId)));
  if (jobs.length > 0) await enqueue(db, orderMails, jobs);
}

/** What a notice says of before. */
export async function noticeOf(db: Queryable, id: string): Promise<Told> {
  const { rows } = await db.query<{ was: Told }>('select was from change_notices where id = $1', [id]);
  if (!rows[0]) throw new Error(`no change notice ${id}`);
  return rows[0].was;
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
