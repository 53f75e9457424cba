import type { EventState, EventStatus } from '@beltway/contracts/catalog/events';
import type { Order, TicketEvent } from '@beltway/contracts/ticketing/tickets';
import type { Poller } from '@beltway/kit/polling';
import { transaction, type Queryable } from '@beltway/kit/postgres';
import type { Pool } from 'pg';
import type { Queries } from '@beltway/event-store';
import { startJob, type JobDeps } from '../checkout/jobs.ts';
import { listingsOf, ticketEvent } from '../listing/listings.ts';
import { voidBecause } from '../ticket/calendar.ts';
import type { Words } from '../words/english.ts';

/**
 * Buyers are told by mail of a change of time or place, of postponement and of a new date
 * (docs/product.md#changing-and-cancelling). A notice remembers what they knew before; a mail of it says that and what is so as
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
const MOST_WAITS = 6;

const NOTE = `insert into change_notices (event_id, was, due_at) values ($1, $2, now() + make_interval(secs => $3))
  on conflict (event_id) where closed_at is null do update set changed_at = now(),
    due_at = least(now() + make_interval(secs => $3), change_notices.opened_at + make_interval(secs => $3 * ${MOST_WAITS}))`;

/** In the transaction that keeps the event's new state: opens a notice if buyers have to know, or adds to the open one. */
export async function noteChange(tx: Queryable, before: Told, after: EventState, minutes: number): Promise<void> {
  const status = after.isPostponed ? 'postponed' : 'published';
  if (before.status === 'cancelled' || isSame(before, { ...after, status })) return;
  await tx.query(NOTE, [after.eventId, JSON.stringify(toldOf(before)), minutes * 60]);
}

export const changeMail = (noticeId: string): string => `event-changed:${noticeId}`;

const CLOSE = `select id, event_id as "eventId", was from change_notices
  where closed_at is null and due_at <= now() order by due_at limit 1 for update skip locked`;

/** Closes a notice that is due; one whose event is again as it was, or cancelled, is forgotten. False: none is due. */
async function closeNext(tx: Queryable): Promise<boolean> {
  const { rows } = await tx.query<{ id: string; eventId: number; was: Told }>(CLOSE);
  const [notice] = rows;
  if (!notice) return false;
  const [listing] = await listingsOf(tx, [notice.eventId]);
  const isOver = !listing || listing.status === 'cancelled' || isSame(notice.was, ticketEvent(listing));
  await tx.query(
    isOver ? 'delete from change_notices where id = $1' : 'update change_notices set closed_at = now() where id = $1',
    [notice.id],
  );
  return true;
}

const PAGE = 1_000;
/** Who began to buy after the last change knew of it. */
const QUEUE = `with buyers as (
    select order_id from orders o join change_notices n on n.event_id = o.event_id
    where n.id = $1 and o.status = 'fulfilled' and not o.is_void and o.held_at <= n.changed_at and o.order_id > $2 order by order_id limit ${PAGE}
  ), queued as (insert into mails (order_id, kind) select order_id, $3 from buyers on conflict do nothing)
  select max(order_id::text) as last, count(*)::int as n from buyers`;
const FIRST = '00000000-0000-0000-0000-000000000000';

/** Queues a mail for each order of a closed notice, page by page; a crash begins it again, and queues none twice. */
async function queuePages(pool: Pool, noticeId: string, hasLease: () => boolean): Promise<void> {
  for (let after = FIRST; hasLease();) {
    const { rows } = await pool.query<{ last: string | null; n: number }>(QUEUE, [
      noticeId,
      after,
      changeMail(noticeId),
    ]);
    const { last, n } = rows[0]!;
    if (last === null || n < PAGE)
      return void (await pool.query('update change_notices set queued_at = now() where id = $1', [noticeId]));
    after = last;
  }
}

/** Closes the notices that are due, and queues their mails. */
export async function tellChanges(pool: Pool, hasLease: () => boolean = () => true): Promise<void> {
  while (hasLease() && (await transaction(pool, (tx) => closeNext(tx)))) {
    // one after the other
  }
  const { rows } = await pool.query<{ id: string }>(
    'select id from change_notices where closed_at is not null and queued_at is null order by id',
  );
  for (const { id } of rows) await queuePages(pool, id, hasLease);
}

export const startTellingChanges = (deps: Pick<JobDeps, 'pool' | 'log'>, queued: () => void): Poller =>
  startJob(deps, {
    name: 'tell changes',
    everyMs: undefined,
    isDue: async () => {
      const due = 'select 1 from change_notices where queued_at is null and due_at <= now() limit 1';
      return (await deps.pool.query(due)).rowCount === 1;
    },
    work: async (hasLease) => {
      await tellChanges(deps.pool, hasLease);
      queued();
    },
  });

/** For orders that were being paid while a notice was mailed: they are told with the others. */
export const queueForLateOrders = (db: Pick<Queries, 'query'>, orderIds: string[]) =>
  db.query(
    `insert into mails (order_id, kind) select o.order_id, 'event-changed:' || n.id
     from orders o join change_notices n on n.event_id = o.event_id and n.closed_at is not null and o.held_at <= n.changed_at
     where o.order_id = any($1::uuid[]) on conflict do nothing`,
    [orderIds],
  );

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
