import { categoryOf } from '@beltway/contracts/catalog/categories';
import { centsToText, only } from '@beltway/contracts/common/basics';
import { Event, type EventStatus } from '@beltway/contracts/catalog/events';
import { LEVELS_OF_PLACE, type PromotedPlace, type ShownInPlace } from '@beltway/contracts/catalog/promoted-places';
import { MOST_DATES } from '@beltway/contracts/catalog/series';
import { EventCounts } from '@beltway/contracts/identity/engagement';
import type { RowOf } from '@beltway/kit/columns';
import type { Queryable } from '@beltway/kit/postgres';
import { sql } from 'kysely';
import { kysely } from '../db.ts';
import { COUNTS, SHOWN_COUNTS } from '../engagement/counts.ts';
import { listings } from '../generated/tables.ts';
import { shownPlace } from './place.ts';
import { imageUrlOf } from './publish.ts';

/** A listing with its latest stock and its counts. */
export type ListingRow = RowOf<typeof listings> & EventCounts & { sold: number; held: number; stockVersion: number };

/**
 * Hours from an event's date (midnight) until the event is over: 6 AM on the next day. Ticketing uses the same number.
 */
const OVER_HOURS = 30;
const MAX_LISTED = 200;
export const MAX_PROMOTED = 20;
const MAX_IN_PICKER = 1_000;

/** The selected columns of a listing `l`, its stock `s` and its counts `c`. */
export const SHOWN = `${listings.select(undefined, 'l')}, coalesce(s.sold, 0) as sold, coalesce(s.held, 0) as held,
    coalesce(s.version, 0)::int as "stockVersion", ${SHOWN_COUNTS}`;
/**
 * The joins to append after the listing. Lists and searches, the most frequent queries, use `SHOWN` and `JOINED`; other
 * queries build on `listed`.
 */
export const JOINED = 'left join stock s using (event_id) left join event_counts c using (event_id)';
const SELECT = `select ${SHOWN} from listings l ${JOINED}`;

/** Selects the same columns with the same joins, for the query builder. */
export const listed = (db: Queryable) =>
  kysely(db)
    .selectFrom('listings as l')
    .leftJoin('stock as s', 's.eventId', 'l.eventId')
    .leftJoin('eventCounts as c', 'c.eventId', 'l.eventId')
    .selectAll('l')
    .select([orZero('s.sold').as('sold'), orZero('s.held').as('held'), orZero('s.version').as('stockVersion')])
    .select(COUNTS.map((count) => orZero(`c.${count}`).as(count)));
const orZero = (column: string) => sql<number>`coalesce(${sql.ref(column)}, 0)::int`;

/** The midnight at which the last day of a listing `l` begins, like `event_date` for the first day. */
export const LAST_DATE = 'greatest(l.event_date, l.event_last_date)';

/**
 * Reads upcoming events in two parts, each with its own index: events of several days that have begun, and all other
 * events.
 */
const SOONEST = `
  with upcoming as (
         (${SELECT} where l.status = 'published' and l.event_date < $1 and l.event_last_date >= $1 order by l.event_date, l.event_id limit ${MAX_LISTED})
         union all
         (${SELECT} where l.status = 'published' and l.event_date >= $1 order by l.event_date, l.event_id limit ${MAX_LISTED})),
       postponed as (${SELECT} where l.status = 'postponed' order by l.event_date desc, l.event_id desc limit ${MAX_LISTED}),
       over as (${SELECT} where l.status = 'published' and l.event_date < $1 and (l.event_last_date >= $1) is not true order by l.event_date desc, l.event_id desc limit ${MAX_LISTED})
  select * from (
    select *, 1 as part, row_number() over (order by "eventDate", "eventId") as place from upcoming
    union all
    select *, 2 as part, row_number() over (order by "eventDate" desc, "eventId" desc) as place from postponed
    union all
    select *, 3 as part, row_number() over (order by "eventDate" desc, "eventId" desc) as place from over
  ) both_parts order by part, place limit ${MAX_LISTED}`;

/**
 * If there are more promoted events than places, the events rotate once a minute, so that each event has every place
 * for the same time.
 */
const TURN_MS = 60_000;
const PROMOTED = `
  with promoted as (
    select distinct p.event_id from promotions p join listings l using (event_id)
    where p.level = any($4::text[]) and p.ends_at > $1 and l.status = 'published' and ${LAST_DATE} >= $2
  ), running as (
    select event_id, row_number() over (order by event_id) - 1 as place, count(*) over () as places from promoted
  )
  select ${SHOWN} from running r join listings l using (event_id) ${JOINED}
  order by (r.place - $3::bigint % r.places + r.places) % r.places limit ${MAX_PROMOTED}`;

const PICKER = `${SELECT} where l.status in ('published', 'postponed') order by l.event_date desc, l.event_id desc limit ${MAX_IN_PICKER}`;

/** An event whose last day is before this time is over. */
export const overBefore = (now: Date) => new Date(now.getTime() - OVER_HOURS * 3_600_000);

/** Current events, soonest first; then postponed events; then past events, latest first. */
export async function soonest(db: Queryable, now: Date): Promise<ListingRow[]> {
  const { rows } = await db.query<ListingRow>({ name: 'soonest', text: SOONEST, values: [overBefore(now)] });
  return rows;
}

/**
 * The events that are promoted in this place now, whatever their date. If there are more events than the place shows,
 * the events rotate.
 */
export async function promoted(
  db: Queryable,
  place: PromotedPlace,
  now: Date,
  turn = Math.floor(now.getTime() / TURN_MS),
): Promise<ListingRow[]> {
  const { rows } = await db.query<ListingRow>({
    name: 'promoted',
    text: PROMOTED,
    values: [now, overBefore(now), turn, LEVELS_OF_PLACE[place]],
  });
  return rows;
}

/** All published events, for a picker; latest date first. */
export async function forPicker(db: Queryable): Promise<ListingRow[]> {
  const { rows } = await db.query<ListingRow>({ name: 'picker', text: PICKER });
  return rows;
}

/** The other upcoming events of an event's series, soonest first and postponed events last. */
export async function otherDates(db: Queryable, eventId: number, now: Date): Promise<ListingRow[]> {
  return listed(db)
    .where('l.seriesId', '=', (eb) => eb.selectFrom('listings').select('seriesId').where('eventId', '=', eventId))
    .where('l.eventId', '<>', eventId)
    .where((eb) =>
      eb.or([
        eb('l.status', '=', 'postponed'),
        eb('l.status', '=', 'published').and(sql.raw<Date>(LAST_DATE), '>=', overBefore(now)),
      ]),
    )
    .orderBy((eb) => eb('l.status', '=', 'postponed'))
    .orderBy('l.eventDate')
    .orderBy('l.eventId')
    .limit(MOST_DATES)
    .execute();
}

type OneListing = ListingRow & { organizerName: string | null };

/**
 * One event. Its live stream is `live` from the moment its signal arrives, which may be up to half an hour before the
 * start.
 */
export async function listingById(db: Queryable, eventId: number): Promise<OneListing | undefined> {
  const { rows } = await db.query<OneListing & { isOnAir: boolean }>({
    name: 'listing-by-id',
    text: `select ${SHOWN}, a.name as "organizerName", l.livestream_status = 'scheduled' and b.is_live is true as "isOnAir"
      from listings l ${JOINED} left join accounts a on a.user_id = l.organizer_id left join broadcasts b using (event_id)
      where l.event_id = $1`,
    values: [eventId],
  });
  if (!rows[0]) return undefined;
  const { isOnAir, ...row } = rows[0];
  return isOnAir ? { ...row, livestreamStatus: 'live' } : row;
}

/** A listing with its impressions in promoted places. */
type OwnListingRow = ListingRow & { promotionShown?: ShownInPlace[] | null };

/** A user's events, newest first, including canceled events. */
export async function listingsOf(db: Queryable, organizerId: number): Promise<OwnListingRow[]> {
  return listed(db)
    .select((eb) =>
      eb
        .selectFrom('promotionCounts as p')
        .select(
          sql<ShownInPlace[] | null>`json_agg(json_build_object(
            'place', p.place, 'impressions', p.impressions, 'ofPlace', p.of_place) order by p.place)`.as('shown'),
        )
        .whereRef('p.eventId', '=', 'l.eventId')
        .as('promotionShown'),
    )
    .where('l.organizerId', '=', organizerId)
    .orderBy('l.createdAt', 'desc')
    .orderBy('l.eventId', 'desc')
    .limit(MAX_IN_PICKER)
    .execute();
}

/** The public status. A suspended event is still published or postponed; `isSuspended` is a separate field. */
export function statusOf({ status, suspendedWithoutDate }: Pick<ListingRow, 'status' | 'suspendedWithoutDate'>) {
  if (status !== 'suspended') return status as EventStatus;
  return suspendedWithoutDate ? 'postponed' : 'published';
}

const text = (date: Date | null) => date?.toISOString() ?? null;

/**
 * An event in the API's format (services/ticketing/PRODUCT.md#prices); fields with equal names are copied. Only the
 * organizer and admins get the contact email address and the amounts paid for promotions.
 */
export const answerOf = (
  { promotionPaid, promotionAmount, promotionEndsAt, promotionShown, ...row }: OwnListingRow,
  withContact: boolean,
): Event =>
  only(Event, {
    ...row,
    id: row.eventId,
    imageUrl: imageUrlOf({ ...row, eventDate: row.eventDate.toISOString() }, statusOf(row) === 'postponed'),
    category: categoryOf(row.tags).name,
    place: shownPlace(row),
    counts: only(EventCounts, row),
    promotionLevel: row.promotionLevel as Event['promotionLevel'],
    eventDate: row.eventDate.toISOString(),
    eventLastDate: text(row.eventLastDate),
    ticketPrice: row.priceCents === null ? null : centsToText(row.priceCents),
    totalTickets: row.capacity,
    soldTickets: row.sold,
    heldTickets: row.held,
    ticketSalesStartTime: text(row.salesStart),
    ticketSalesEndTime: text(row.salesEnd),
    livestreamStartTime: text(row.livestreamStartTime),
    livestreamEndTime: text(row.livestreamEndTime),
    contactEmail: withContact ? row.contactEmail : null,
    ...(withContact && promotionPaid && { promotionPaid, promotionAmount, promotionEndsAt: text(promotionEndsAt) }),
    ...(withContact && promotionShown && { promotionShown }),
    status: statusOf(row),
    ...(row.status === 'suspended' && { isSuspended: true }),
    userId: row.organizerId,
    createdAt: row.createdAt.toISOString(),
  });

/**
 * The email address at which the organizer receives buyers' messages. null: the event is unknown, or its organizer's
 * account was erased.
 */
export async function contactOf(db: Queryable, eventId: number): Promise<string | null> {
  const row = await kysely(db)
    .selectFrom('listings')
    .select('contactEmail')
    .where('eventId', '=', eventId)
    .executeTakeFirst();
  return row?.contactEmail || null;
}
