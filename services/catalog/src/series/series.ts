import type { Pool } from 'pg';
import { daysAfter, dayAt, dayOf, instantOf, zonedText } from '@beltway/contracts/common/times';
import { uuidFrom, type Context } from '@beltway/event-store';
import { sql } from 'kysely';
import { kysely } from '../db.ts';
import { listing } from '../event/decider.ts';
import type { Details, ListingCommand } from '../event/events.ts';
import type { Listings } from '../event/stream.ts';

export interface SeriesDeps {
  pool: Pool;
  listings: Listings;
}

interface Series {
  organizerId: number;
  details: Details;
  /** ISO text: all its dates are judged by when the series was asked for. */
  askedAt: string;
}

const DAY_MS = 24 * 3_600_000;
const daysBetween = (from: string, to: string) => Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);

/** The event of one day: sales end at the same hour as many days before it, and begin for all dates at once. */
export function detailsOn(details: Details, day: string): Details {
  const { salesEnd } = details;
  const later = daysBetween(dayOf(details.eventDate), day);
  return {
    ...details,
    eventDate: instantOf(day).toISOString(),
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

/** Throws when the rules of events refuse one of the days. */
export function checkSeries(series: Series, seriesId: number, days: string[]): void {
  for (const day of days) listing.decide(publishOn(series, seriesId, day), listing.initial());
}

/**
 * Keeps what was asked for, in one statement: from here on all its events will be there, whatever dies in between. Asked for again, it is the
 * same series. Throws, and keeps nothing, when the rules of events refuse one of its days.
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
 * Publishes the events of a series that are not there yet. Each has its id since the series was kept, and its command is named by series and
 * day: however often this is begun, and by however many at once, there is one event a day.
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
  // The details stand in the log now, and an address for contact nowhere else.
  if (rows.length > 0)
    await kysely(pool)
      .updateTable('eventSeries')
      .set({ publishedAt: sql`now()`, details: null })
      .where('seriesId', '=', seriesId)
      .execute();
}
