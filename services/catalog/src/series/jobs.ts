import { sql } from 'kysely';
import type { Logger } from '@beltway/kit/logger';
import { startPolling, type Poller } from '@beltway/kit/polling';
import { kysely } from '../db.ts';
import { publishSeries, type SeriesDeps } from './series.ts';

const EVERY_MS = 10_000;
/** After this time a request is over, or its process has died. */
const ABANDONED = '30 seconds';

/** Continues the series whose requests died. */
export const startContinuing = (deps: SeriesDeps & { log: Logger }): Poller =>
  startPolling(deps.log, 'series', EVERY_MS, async () => {
    await continueSeries(deps, ABANDONED);
    return false;
  });

/** Continues series that were requested longer ago than `since` and are not fully published. */
export async function continueSeries(deps: SeriesDeps, since: string): Promise<void> {
  const rows = await kysely(deps.pool)
    .selectFrom('eventSeries')
    .select('seriesId')
    .where('publishedAt', 'is', null)
    .where('createdAt', '<=', sql<Date>`now() - ${since}::interval`)
    .orderBy('seriesId')
    .limit(10)
    .execute();
  for (const { seriesId } of rows) await publishSeries(deps, seriesId, { correlationId: `series-${seriesId}` });
}
