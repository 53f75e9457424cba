import type { ProviderEvent } from '../provider/objects.ts';
import { recordAccountEvent, type PayoutDeps } from '../payout/record.ts';
import type { Provider } from '../provider/provider.ts';
import { accountIn, updateFromEvent, updateFromRefund } from '../provider/updates.ts';
import { paymentByIntent } from '../payment/queries.ts';
import { record, type RecordDeps } from '../payment/record.ts';
import type { Pool } from 'pg';

export interface ProviderEventDeps extends RecordDeps {
  pool: Pool;
  payoutAccounts: PayoutDeps['payoutAccounts'];
  provider: Pick<Provider, 'retrieve' | 'refunds'> & PayoutDeps['provider'];
}

/**
 * Records what a report of the provider says, by webhook or read from its list. The report's id is the command's id, so it stands in
 * the event log in the very transaction of its effect, under a unique index: a table of its own could say "seen" and be wrong.
 * A report without effect leaves no trace, and needs none: reported again, it has no effect again.
 */
export async function recordProviderEvent(deps: ProviderEventDeps, event: ProviderEvent): Promise<void> {
  const { id } = event;
  const accountId = accountIn(event);
  if (accountId !== undefined) return recordAccountEvent(deps, accountId, id);
  // All payments are the platform's own: what is charged in an organizer's account pays for nothing, whatever its metadata say.
  if (event.account != null) return;
  const update = updateFromEvent(event);
  if (!update) return;
  if (!('refundsOf' in update)) {
    await record(deps, update, {
      commandId: `stripe:${id}`,
      causationId: id,
      ...(update.terms && { correlationId: update.terms.id }),
    });
    return;
  }
  // The charge does not say which refunds those are. Ours are known by then: nothing is asked for them.
  const row = await paymentByIntent(deps.pool, update.refundsOf);
  if (row && row.returnedCents >= update.returnedCents) return;
  for (const refund of await deps.provider.refunds(update.refundsOf)) {
    const command = updateFromRefund(refund);
    if (command) await record(deps, command, { commandId: `stripe:${id}:${refund.id}`, causationId: id });
  }
}
