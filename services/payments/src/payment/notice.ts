import type { Notice } from '../provider/objects.ts';
import type { Provider } from '../provider/provider.ts';
import { toldByNotice, toldByRefund } from '../provider/told.ts';
import { paymentByIntent } from './queries.ts';
import { record, type Recording } from './record.ts';
import type { Pool } from 'pg';

export interface Hearing extends Recording {
  pool: Pool;
  provider: Pick<Provider, 'retrieve' | 'refunds'>;
}

/**
 * Records what a report of the provider says, by webhook or read from its list. The report's id is the command's id, so it stands in
 * the event log in the very transaction of its effect, under a unique index: a table of its own could say "seen" and be wrong.
 * A report without effect leaves no trace, and needs none: told again, it has no effect again.
 */
export async function recordNotice(deps: Hearing, notice: Notice): Promise<void> {
  const { id } = notice;
  const told = toldByNotice(notice);
  if (!told) return;
  if (!('refundsOf' in told)) {
    await record(deps, told, {
      commandId: `stripe:${id}`,
      causationId: id,
      ...(told.terms && { correlationId: told.terms.orderId }),
    });
    return;
  }
  // The charge does not say which refunds those are. Ours are known by then: nothing is asked for them.
  const row = await paymentByIntent(deps.pool, told.refundsOf);
  if (row && row.returnedCents >= told.returnedCents) return;
  for (const refund of await deps.provider.refunds(told.refundsOf)) {
    const command = toldByRefund(refund);
    if (command) await record(deps, command, { commandId: `stripe:${id}:${refund.id}`, causationId: id });
  }
}
