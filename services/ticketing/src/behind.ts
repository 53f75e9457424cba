import type { Pool } from 'pg';
import type { Bus, BusLog } from '@beltway/kit/bus';
import { untilItAnswers } from '@beltway/kit/bus/open';
import { versionsAhead } from '@beltway/kit/bus/versions-ahead';
import { StartRefused } from '@beltway/kit/service/start-refused';
import { kysely } from './db.ts';

const WHAT_TO_DO = `Stop all instances of ticketing, run 'node services/ticketing/src/catch-up.ts' with its variables, then start it
(docs/operations/backup.md#services-of-different-moments).`;

/**
 * Throws `StartRefused` if ticketing published more than its log contains, because it would sell tickets that buyers
 * already have. Every hold and sale publishes the sale's stock with the version of its stream, so this check detects a
 * log that lost events. Waits while the bus is down.
 */
export async function refuseBehind({ bus, pool, log }: { bus: Bus; pool: Pool; log: BusLog }): Promise<void> {
  const [first, ...others] = await untilItAnswers(log, () => versionsAhead(bus, pool, 'ticketing.events'));
  if (!first) return;
  const more = others.length === 0 ? '' : `, and ${others.length} further streams are behind`;
  throw new StartRefused(
    `Ticketing's log is behind its messages on the bus: ${first.stream} was at version ${first.said} there and is at ${first.known} here${more}.
Its database is a copy of an earlier moment, or the bus is another system's. It would sell tickets that buyers already have.
${WHAT_TO_DO}`,
  );
}

/**
 * Throws `StartRefused` while a run of `catch-up.ts` has not completed, because some orders are not restored yet.
 * `writers`: the connection by which `catch-up.ts` detects a running ticketing. If ticketing and `catch-up.ts` start at
 * the same moment, at least one of them detects the other.
 */
export async function refuseWhileCatchingUp(writers: Pick<Pool, 'query'>): Promise<void> {
  const run = await kysely(writers).selectFrom('catchingUp').select('begunAt').executeTakeFirst();
  if (!run) return;
  throw new StartRefused(
    `catch-up.ts began at ${run.begunAt.toISOString()} on this database and has not ended. Wait for it; if it was interrupted, run it again.
${WHAT_TO_DO}`,
  );
}
