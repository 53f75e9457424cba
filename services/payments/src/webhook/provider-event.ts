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
 * Records a report of the provider, from a webhook or from the provider's list of events. The report's id is the
 * command's id. The id is therefore written to the event log, under a unique index, in the same transaction as the
 * report's effect. A separate table of seen reports could disagree with the log. A report without effect is not stored,
 * because a repeat has no effect either.
 */
export async function recordProviderEvent(deps: ProviderEventDeps, event: ProviderEvent): Promise<void> {
  const { id } = event;
  const accountId = accountIn(event);
  if (accountId !== undefined) return recordAccountEvent(deps, accountId, id);
  // All payments are made to the platform's own account. A charge in an organizer's account pays for nothing, whatever
  // metadata the charge has.
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
  // The charge does not list its new refunds. Our own refunds are already recorded and need no request to the provider.
  const row = await paymentByIntent(deps.pool, update.refundsOf);
  if (row && row.returnedCents >= update.returnedCents) return;
  for (const refund of await deps.provider.refunds(update.refundsOf)) {
    const command = updateFromRefund(refund);
    if (command) await record(deps, command, { commandId: `stripe:${id}:${refund.id}`, causationId: id });
  }
}
