import type { Pool } from 'pg';
import { HttpProblem } from '@beltway/kit/problems';
import { recordProviderEvent, type ProviderEventDeps } from '../payment/provider-event.ts';
import type { Provider } from '../provider/provider.ts';
import { CHANGES_AFTER_PAYMENT, UnknownShape } from '../provider/updates.ts';
import { startPolling, type Poller } from '@beltway/kit/polling';

const NAME = 'events';
const PAGE = 100;

export interface Reports {
  /** How often the provider is asked; only one instance at a time asks. */
  everyMs: number;
  /** What is younger may still be listed before what was listed already. */
  lagSeconds: number;
}

/**
 * Webhooks are lost, and what happens to a payment after it succeeded is asked for by nobody: so refunds and disputes are read from the
 * provider's own list of events too, a page at a time. It records what the webhook records, once. True: there may be more.
 */
export async function readReports(
  deps: ProviderEventDeps & { provider: Pick<Provider, 'retrieve' | 'refunds' | 'events'> },
  { everyMs, lagSeconds }: Reports,
): Promise<boolean> {
  const { pool, provider, log } = deps;
  const turn = await takeTurn(pool, everyMs);
  if (!turn) return false;
  const reports = await provider.events(CHANGES_AFTER_PAYMENT, lagSeconds, turn.eventId).catch((error: unknown) => {
    // The provider forgets an event after thirty days: then from the newest on again.
    if (error instanceof HttpProblem && error.status === 404 && turn.eventId) return undefined;
    throw error;
  });
  if (!reports) return reachedTo(pool, null, true);
  let last = turn.eventId;
  try {
    for (const report of reports) {
      await recordProviderEvent(deps, report).catch((error: unknown) => {
        if (!(error instanceof UnknownShape)) throw error;
        log.error({ err: error, report: report.id, type: report.type }, 'a report of the provider cannot be read');
      });
      last = report.id;
    }
  } finally {
    await reachedTo(pool, last, reports.length === PAGE && last === reports.at(-1)?.id);
  }
  return reports.length === PAGE;
}

/** Undefined when it was somebody's turn within the last `everyMs`. No lock is held: the turn ends by the clock. */
async function takeTurn(pool: Pool, everyMs: number): Promise<{ eventId: string | null } | undefined> {
  const { rows } = await pool.query<{ event_id: string | null }>(
    `insert into provider_positions as p (name, next_at) values ($1, now() + make_interval(secs => $2::float8))
     on conflict (name) do update set next_at = excluded.next_at where p.next_at <= now() returning event_id`,
    [NAME, everyMs / 1000],
  );
  return rows[0] && { eventId: rows[0].event_id };
}

async function reachedTo(pool: Pool, eventId: string | null, isMore: boolean): Promise<boolean> {
  await pool.query(
    'update provider_positions set event_id = $2, next_at = case when $3 then now() else next_at end where name = $1',
    [NAME, eventId, isMore],
  );
  return isMore;
}

export const startReports = (
  deps: Parameters<typeof readReports>[0],
  reports: Reports = { everyMs: 60_000, lagSeconds: 60 },
): Poller => startPolling(deps.log, 'reports', reports.everyMs, () => readReports(deps, reports));
