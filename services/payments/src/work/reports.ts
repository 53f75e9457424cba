import type { Pool } from 'pg';
import { HttpProblem } from '@beltway/kit/problems';
import { recordProviderEvent, type ProviderEventDeps } from '../webhook/provider-event.ts';
import type { Provider } from '../provider/provider.ts';
import { CHANGES_AFTER_PAYMENT, UnknownShape } from '../provider/updates.ts';
import { idOf, type ProviderEvent } from '../provider/objects.ts';
import { paymentsByIntent } from '../payment/queries.ts';
import { startPolling, type Poller } from '@beltway/kit/polling';
import { reachedTo, takeTurn } from './positions.ts';

const NAME = 'events';
/** Includes successes: after a restore from backup, this database may lack newer payments. */
const READ = ['payment_intent.succeeded', ...CHANGES_AFTER_PAYMENT];
const PAGE = 100;

export interface Reports {
  /** How often the provider is polled, by one instance at a time. */
  everyMs: number;
  /** Events younger than this are left out, because the provider may still add events before them. */
  lagSeconds: number;
}

/**
 * Reads refunds and disputes from the provider's list of events, a page at a time. Webhooks can be lost, and no other
 * job checks a payment after its success. Records the same facts as the webhook, each fact once. Returns true if there
 * may be more events.
 */
export async function readReports(
  deps: ProviderEventDeps & { provider: Pick<Provider, 'events'> },
  { everyMs, lagSeconds }: Reports,
): Promise<boolean> {
  const { pool, provider, log } = deps;
  const turn = await takeTurn(pool, NAME, everyMs);
  if (!turn) return false;
  const reports = await provider.events(READ, lagSeconds, turn.at).catch((error: unknown) => {
    // The provider deletes an event after thirty days. If the last event was deleted, reading restarts with the newest
    // events.
    if (error instanceof HttpProblem && error.status === 404 && turn.at) return undefined;
    throw error;
  });
  if (!reports) return reachedTo(pool, NAME, null, true);
  let last = turn.at;
  const known = await knownSuccesses(pool, reports);
  try {
    for (const report of reports) {
      if (known.has(report)) {
        last = report.id;
        continue;
      }
      await recordProviderEvent(deps, report).catch((error: unknown) => {
        if (!(error instanceof UnknownShape)) throw error;
        log.error({ err: error, report: report.id, type: report.type }, 'a report of the provider cannot be read');
      });
      last = report.id;
    }
  } finally {
    await reachedTo(pool, NAME, last, reports.length === PAGE && last === reports.at(-1)?.id);
  }
  return reports.length === PAGE;
}

/** Successes that are already recorded. Without this check, the decider would handle each success twice. */
async function knownSuccesses(pool: Pool, reports: ProviderEvent[]): Promise<Set<ProviderEvent>> {
  const successes = new Map(
    reports
      .filter(({ type }) => type === 'payment_intent.succeeded')
      .map((report) => [idOf.safeParse(report.data.object).data, report]),
  );
  const rows = await paymentsByIntent(
    pool,
    [...successes.keys()].filter((id) => id !== undefined),
  );
  const settled = rows.filter(({ status }) => status === 'succeeded' || status === 'refunded');
  return new Set(settled.flatMap(({ paymentId }) => successes.get(paymentId) ?? []));
}

export const startReports = (
  deps: Parameters<typeof readReports>[0],
  reports: Reports = { everyMs: 60_000, lagSeconds: 60 },
): Poller => startPolling(deps.log, 'reports', reports.everyMs, () => readReports(deps, reports));
