import { randomUUID } from 'node:crypto';
import { prepared } from '@beltway/event-store';
import type { Logger } from '@beltway/kit/logger';
import { startPolling, type Poller } from '@beltway/kit/polling';
import type { Pool } from 'pg';
import type { Ads } from './stream.ts';
import { IS_ALL_SHOWN } from './queries.ts';

export interface ClosingDeps {
  pool: Pool;
  ads: Ads;
  clock: () => Date;
}

const AT_ONCE = 100;
/** Whose time is over, or which were shown as often as was bought. */
const DUE = `select a.ad_id as "adId", coalesce(c.impressions, 0) as impressions from ads a left join ad_counts c using (ad_id)
  where a.ends_at is not null and a.ended_at is null and (a.ends_at <= $1 or ${IS_ALL_SHOWN}) limit ${AT_ONCE}`;

/** Ends or extends ads. True: there may be more. Of two instances one finds nothing to do. */
export async function closeAds({ pool, ads, clock }: ClosingDeps): Promise<boolean> {
  const at = clock();
  const { rows } = await pool.query<{ adId: string; impressions: number }>(prepared(DUE, [at]));
  for (const { adId, impressions } of rows) {
    const commandId = randomUUID();
    const command = { type: 'CloseAd', impressions, at: at.toISOString() } as const;
    await ads.handle(adId, command, { commandId, correlationId: commandId });
  }
  return rows.length === AT_ONCE;
}

export const startClosing = (deps: ClosingDeps & { log: Logger }, everyMs = 1_000): Poller =>
  startPolling(deps.log, 'ads that are over', everyMs, () => closeAds(deps));
