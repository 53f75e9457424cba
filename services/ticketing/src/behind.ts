import type { Pool } from 'pg';
import type { Bus, BusLog } from '@beltway/kit/bus';
import { untilItAnswers } from '@beltway/kit/bus/open';
import { versionsAhead } from '@beltway/kit/bus/versions-ahead';
import { StartRefused } from '@beltway/kit/service/start-refused';
import { kysely } from './db.ts';

const WHAT_TO_DO = `Stop all instances of ticketing, run 'node services/ticketing/src/catch-up.ts' with its variables, then start it
(docs/operations/backup.md#services-of-different-moments).`;

/**
 * Throws `StartRefused` when ticketing has said more than its log knows: it would sell places again that people have tickets for. Every hold
 * and sale is followed by the stock of its sale with the version of its stream, so a log that lost anything of what was said is found.
 * Waits while the bus is away.
 */
export async function refuseBehind({ bus, pool, log }: { bus: Bus; pool: Pool; log: BusLog }): Promise<void> {
  const [first, ...others] = await untilItAnswers(log, () => versionsAhead(bus, pool, 'ticketing.events'));
  if (!first) return;
  const more = others.length === 0 ? '' : `, and ${others.length} further streams are behind`;
  throw new StartRefused(
    `Ticketing's log is behind what it said on the bus: ${first.stream} was at version ${first.said} there and is at ${first.known} here${more}.
Its database is a copy of an earlier moment, or the bus is another system's. It would sell places that people have tickets for.
${WHAT_TO_DO}`,
  );
}

/**
 * Throws `StartRefused` while `catch-up.ts` is under way, or was cut off: some of what was sold is not sold again yet. `writers` are connections
 * by which `catch-up.ts` knows that ticketing runs: of the two that start at the same moment at least one sees the other.
 */
export async function refuseWhileCatchingUp(writers: Pick<Pool, 'query'>): Promise<void> {
  const run = await kysely(writers).selectFrom('catchingUp').select('begunAt').executeTakeFirst();
  if (!run) return;
  throw new StartRefused(
    `catch-up.ts began at ${run.begunAt.toISOString()} on this database and has not ended. Wait for it; where it was cut off, run it again.
${WHAT_TO_DO}`,
  );
}
