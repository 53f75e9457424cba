import { randomUUID } from 'node:crypto';
import type { Logger } from '@beltway/kit/logger';
import { startPolling, type Poller } from '@beltway/kit/polling';
import type { Pool } from 'pg';
import type { Ads } from './stream.ts';
import { IS_ALL_SHOWN, countedAds } from './queries.ts';

export interface ClosingDeps {
  pool: Pool;
  ads: Ads;
  clock: () => Date;
}

const AT_ONCE = 100;

/**
 * Ends or extends ads whose time is over or that reached the bought number of impressions. Returns true if more may be
 * due. Safe to run concurrently.
 */
export async function closeAds({ pool, ads, clock }: ClosingDeps): Promise<boolean> {
  const at = clock();
  const rows = await countedAds(pool)
    .where('a.endsAt', 'is not', null)
    .where('a.endedAt', 'is', null)
    .where((eb) => eb.or([eb('a.endsAt', '<=', at), IS_ALL_SHOWN]))
    .limit(AT_ONCE)
    .execute();
  for (const { adId, impressions } of rows) {
    const commandId = randomUUID();
    const command = { type: 'CloseAd', impressions, at: at.toISOString() } as const;
    await ads.handle(adId, command, { commandId, correlationId: commandId });
  }
  return rows.length === AT_ONCE;
}

export const startClosing = (deps: ClosingDeps & { log: Logger }, everyMs = 1_000): Poller =>
  startPolling(deps.log, 'ads that are over', everyMs, () => closeAds(deps));
