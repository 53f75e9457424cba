import { randomUUID } from 'node:crypto';
import type { Logger } from '@beltway/kit/logger';
import { startPolling, type Poller } from '@beltway/kit/polling';
import { kysely } from '../db.ts';
import type { PromotionDeps } from './promotions.ts';

const AT_ONCE = 100;

/** Ends expired promotions. Returns true if more may be due. Safe to run concurrently. */
export async function endPromotions({ pool, listings, clock }: PromotionDeps): Promise<boolean> {
  const at = clock();
  const rows = await kysely(pool)
    .selectFrom('promotions')
    .select('eventId')
    .distinct()
    .where('endsAt', '<=', at)
    .limit(AT_ONCE)
    .execute();
  for (const { eventId } of rows) {
    const commandId = randomUUID();
    await listings.handle(
      eventId,
      { type: 'EndPromotions', at: at.toISOString() },
      { commandId, correlationId: commandId },
    );
  }
  return rows.length === AT_ONCE;
}

/** Starts and ends live streams by their times. Returns true if more may be due. Safe to run concurrently. */
export async function advanceLivestreams({ pool, listings, clock }: PromotionDeps): Promise<boolean> {
  const at = clock();
  const rows = await kysely(pool)
    .selectFrom('listings')
    .select('eventId')
    .where('isLivestream', '=', true)
    .where('status', '=', 'published')
    // The conditions below imply this condition, but PostgreSQL uses the partial index only if the query states it.
    .where('livestreamStatus', 'in', ['scheduled', 'live'])
    .where((eb) =>
      eb.or([
        eb.and([eb('livestreamStatus', '=', 'scheduled'), eb('livestreamStartTime', '<=', at)]),
        eb.and([eb('livestreamStatus', '=', 'live'), eb('livestreamEndTime', '<=', at)]),
      ]),
    )
    .limit(AT_ONCE)
    .execute();
  for (const { eventId } of rows) {
    const commandId = randomUUID();
    await listings.handle(
      eventId,
      { type: 'AdvanceLivestream', at: at.toISOString() },
      { commandId, correlationId: commandId },
    );
  }
  return rows.length === AT_ONCE;
}

/** Runs both jobs every second. They also handle promotions and streams that became due while no instance ran. */
export const startPromotionClock = (deps: PromotionDeps & { log: Logger }, everyMs = 1_000): Poller =>
  startPolling(deps.log, 'promotions', everyMs, async () => {
    const [more, others] = [await endPromotions(deps), await advanceLivestreams(deps)];
    return more || others;
  });
