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
/** Of a payment too: after a restore this database may not know what was asked to be paid since. */
const READ = ['payment_intent.succeeded', ...CHANGES_AFTER_PAYMENT];
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
  deps: ProviderEventDeps & { provider: Pick<Provider, 'events'> },
  { everyMs, lagSeconds }: Reports,
): Promise<boolean> {
  const { pool, provider, log } = deps;
  const turn = await takeTurn(pool, NAME, everyMs);
  if (!turn) return false;
  const reports = await provider.events(READ, lagSeconds, turn.at).catch((error: unknown) => {
    // The provider forgets an event after thirty days: then from the newest on again.
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

/** Each sale would be decided twice. */
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
