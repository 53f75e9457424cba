import type { Pool } from 'pg';
import { daysAfter, dayAt, dayOf, instantOf, zonedText } from '@beltway/contracts/common/times';
import { uuidFrom, type Context } from '@beltway/event-store';
import type { Logger } from '@beltway/kit/logger';
import { startPolling, type Poller } from '@beltway/kit/polling';
import { listing } from '../event/decider.ts';
import { whole } from '../event/details.ts';
import type { Details, ListingCommand } from '../event/events.ts';
import type { Listings } from '../event/listings.ts';

export interface SeriesDeps {
  pool: Pool;
  listings: Listings;
}

interface Series {
  organiserId: number;
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

const publishOn = ({ organiserId, details, askedAt }: Series, seriesId: number, day: string): ListingCommand => ({
  type: 'PublishEvent',
  organiserId,
  details: detailsOn(details, day),
  at: askedAt,
  seriesId,
});

const KEEP = `with kept as (
    insert into event_series (series_id, organiser_id, details, asked_at) values ($1, $2, $3, $4)
    on conflict do nothing returning series_id)
  insert into series_dates (series_id, day, event_id)
  select series_id, d.day, case when d.at = 1 then series_id else nextval('event_ids')::int end
  from kept, unnest($5::date[]) with ordinality d (day, at)`;

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
  await pool.query(KEEP, [seriesId, series.organiserId, JSON.stringify(series.details), series.askedAt, days]);
}

export async function isKept({ pool }: Pick<SeriesDeps, 'pool'>, seriesId: number): Promise<boolean> {
  return (await pool.query('select 1 from event_series where series_id = $1', [seriesId])).rowCount === 1;
}

const OPEN = `select s.organiser_id, s.details, s.asked_at, d.day::text, d.event_id
  from event_series s join series_dates d using (series_id) where s.series_id = $1 and s.published_at is null order by d.day`;
interface OpenRow {
  organiser_id: number;
  details: Details;
  asked_at: Date;
  day: string;
  event_id: number;
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
  const { rows } = await pool.query<OpenRow>(OPEN, [seriesId]);
  for (const { organiser_id: organiserId, details, asked_at, day, event_id } of rows) {
    const series = { organiserId, details: whole(details), askedAt: asked_at.toISOString() };
    await listings.handle(event_id, publishOn(series, seriesId, day), {
      ...context,
      userId: organiserId,
      commandId: uuidFrom(`series\0${seriesId}\0${day}`),
    });
  }
  // The details stand in the log now, and an address for contact nowhere else.
  if (rows.length > 0)
    await pool.query('update event_series set published_at = now(), details = null where series_id = $1', [seriesId]);
}

const EVERY_MS = 10_000;
/** By then a request is over, or its process has died. */
const ABANDONED = '30 seconds';

/** Goes on with the series of requests that died. */
export const startContinuing = (deps: SeriesDeps & { log: Logger }): Poller =>
  startPolling(deps.log, 'series', EVERY_MS, async () => {
    await continueSeries(deps, ABANDONED);
    return false;
  });

/** Goes on with what was asked for so long ago, and is not all there. */
export async function continueSeries(deps: SeriesDeps, since: string): Promise<void> {
  const { rows } = await deps.pool.query<{ series_id: number }>(
    'select series_id from event_series where published_at is null and created_at <= now() - $1::interval order by series_id limit 10',
    [since],
  );
  for (const { series_id } of rows) await publishSeries(deps, series_id, { correlationId: `series-${series_id}` });
}
