import type { Pool } from 'pg';
import { daysAfter, daysBetween, dayAt, dayOf, instantOf, zonedText } from '@beltway/contracts/common/times';
import { uuidFrom, type Context } from '@beltway/event-store';
import { sql } from 'kysely';
import { kysely } from '../db.ts';
import { listing } from '../event/decider.ts';
import type { Details, ListingCommand } from '../event/events.ts';
import type { Listings } from '../event/stream.ts';
import { checkPublished } from '../suspension/suspension.ts';

export interface SeriesDeps {
  pool: Pool;
  listings: Listings;
}

interface Series {
  organizerId: number;
  details: Details;
  /** The time of the request, as ISO text. The decider checks all dates as if it were this time. */
  askedAt: string;
}

/**
 * The details of the event of the series that begins on this day. Every event takes as many days as the first event.
 * Sales of every event end at the same hour, and the same number of days before it. Sales of all events begin at the
 * same time.
 */
export function detailsOn(details: Details, day: string): Details {
  const { salesEnd, eventLastDate } = details;
  const later = daysBetween(dayOf(details.eventDate), day);
  return {
    ...details,
    eventDate: instantOf(day).toISOString(),
    ...(eventLastDate && { eventLastDate: instantOf(daysAfter(dayOf(eventLastDate), later)).toISOString() }),
    salesEnd:
      salesEnd &&
      instantOf(daysAfter(dayAt(new Date(salesEnd)), later), zonedText(new Date(salesEnd)).slice(11, 16)).toISOString(),
  };
}

const publishOn = ({ organizerId, details, askedAt }: Series, seriesId: number, day: string): ListingCommand => ({
  type: 'PublishEvent',
  organizerId,
  details: detailsOn(details, day),
  at: askedAt,
  seriesId,
});

/** Throws if the decider rejects one of the days. */
export function checkSeries(series: Series, seriesId: number, days: string[]): void {
  for (const day of days) listing.decide(publishOn(series, seriesId, day), listing.initial());
}

/**
 * Stores the request in one statement. From then on all events of the series will be published, even after a crash. A
 * repeated request returns the same series. Throws, and stores nothing, if the decider rejects one of the days.
 */
export async function keepSeries(
  { pool }: SeriesDeps,
  seriesId: number,
  series: Series,
  days: string[],
): Promise<void> {
  checkSeries(series, seriesId, days);
  const { organizerId, details, askedAt } = series;
  await kysely(pool)
    .with('kept', (db) =>
      db
        .insertInto('eventSeries')
        .values({ seriesId, organizerId, details: JSON.stringify(details), askedAt })
        .onConflict((conflict) => conflict.doNothing())
        .returning('seriesId'),
    )
    .insertInto('seriesDates')
    .columns(['seriesId', 'day', 'eventId'])
    .expression(
      sql`select series_id, d.day, case when d.at = 1 then series_id else nextval('event_ids')::int end
        from kept, unnest(${days}::date[]) with ordinality d (day, at)`,
    )
    .execute();
}

export async function isKept({ pool }: Pick<SeriesDeps, 'pool'>, seriesId: number): Promise<boolean> {
  const series = kysely(pool).selectFrom('eventSeries').select('seriesId').where('seriesId', '=', seriesId);
  return (await series.executeTakeFirst()) !== undefined;
}

/**
 * Publishes the missing events of a series. Event ids were reserved when the series was stored, and the command id
 * depends only on series and day, so repeated and concurrent runs publish one event per day.
 */
export async function publishSeries(
  { pool, listings }: SeriesDeps,
  seriesId: number,
  context: Omit<Context, 'commandId'>,
) {
  const rows = await kysely(pool)
    .selectFrom('eventSeries as s')
    .innerJoin('seriesDates as d', 'd.seriesId', 's.seriesId')
    .select(['s.organizerId', 's.details', 's.askedAt', 'd.day', 'd.eventId'])
    .where('s.seriesId', '=', seriesId)
    .where('s.publishedAt', 'is', null)
    .orderBy('d.day')
    .execute();
  for (const { organizerId, details, askedAt, day, eventId } of rows) {
    const series = { organizerId, details: details as Details, askedAt: askedAt.toISOString() };
    await listings.handle(eventId, publishOn(series, seriesId, day), {
      ...context,
      userId: organizerId,
      commandId: uuidFrom(`series\0${seriesId}\0${day}`),
    });
  }
  if (rows[0]) await checkPublished(pool, rows[0].organizerId);
  // The log now contains the details, so the copy of them, which has the contact email address, is deleted.
  if (rows.length > 0)
    await kysely(pool)
      .updateTable('eventSeries')
      .set({ publishedAt: sql`now()`, details: null })
      .where('seriesId', '=', seriesId)
      .execute();
}
