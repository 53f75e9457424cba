import { sql } from 'kysely';
import type { Logger } from '@beltway/kit/logger';
import { startPolling, type Poller } from '@beltway/kit/polling';
import { kysely } from '../db.ts';
import { publishSeries, type SeriesDeps } from './series.ts';

const EVERY_MS = 10_000;
/** After this time a request has completed, or the process that handled it has died. */
const ABANDONED = '30 seconds';

/** Starts the job that continues series whose process died. */
export const startContinuing = (deps: SeriesDeps & { log: Logger }): Poller =>
  startPolling(deps.log, 'series', EVERY_MS, async () => {
    await continueSeries(deps, ABANDONED);
    return false;
  });

/**
 * Continues series that were requested longer ago than `since` and are not fully published. Series of a suspended
 * account wait.
 */
export async function continueSeries(deps: SeriesDeps, since: string): Promise<void> {
  const rows = await kysely(deps.pool)
    .selectFrom('eventSeries')
    .select('seriesId')
    .where('publishedAt', 'is', null)
    .where('createdAt', '<=', sql<Date>`now() - ${since}::interval`)
    .where('organizerId', 'not in', (eb) =>
      eb.selectFrom('organizerSuspensions').select('userId').where('isSuspended', '=', true),
    )
    .orderBy('seriesId')
    .limit(10)
    .execute();
  for (const { seriesId } of rows) await publishSeries(deps, seriesId, { correlationId: `series-${seriesId}` });
}
