import type { Pool } from 'pg';
import { Rejected } from '@beltway/event-store';
import type { Logger } from '@beltway/kit/logger';
import { startPolling, type Poller } from '@beltway/kit/polling';
import type { Payments } from '../payment/stream.ts';
import { paymentByIntent } from '../payment/queries.ts';
import type { ConnectProvider } from '../provider/connect.ts';
import { reachedTo, takeTurn } from './positions.ts';
import type { Reports } from './reports.ts';

const NAME = 'balance';

export interface FeeDeps {
  pool: Pool;
  log: Logger;
  payments: Payments;
  provider: Pick<ConnectProvider, 'fees'>;
}

/**
 * What the provider takes for its work is read from its balance transactions, a page at a time, and booked with the payment it was for:
 * each once, by its id. What is of no payment of ours is another product's. True: there may be more.
 */
export async function bookProviderFees(deps: FeeDeps, { everyMs, lagSeconds }: Reports): Promise<boolean> {
  const { pool, payments, provider, log } = deps;
  const turn = await takeTurn(pool, NAME, everyMs);
  if (!turn) return false;
  const { reports, last, isFull } = await provider.fees(lagSeconds, turn.at);
  for (const { transactionId, paymentId, cents } of reports) {
    const row = paymentId === null ? undefined : await paymentByIntent(pool, paymentId);
    if (!row || paymentId === null) continue;
    try {
      await payments.handle(
        row.id,
        { type: 'RecordProviderFee', paymentId, transactionId, cents },
        { commandId: `fee:${transactionId}`, correlationId: row.id },
      );
    } catch (error) {
      if (!(error instanceof Rejected)) throw error;
      // Its success is not recorded yet: read on from here later. A success that never comes is not one of ours.
      if (error.code === 'not-paid') throw new Error(`the payment ${row.id} is not recorded yet`, { cause: error });
      log.error({ err: error, transactionId, paymentId }, 'a fee of the provider does not fit the payment');
    }
  }
  return reachedTo(pool, NAME, last ?? turn.at, isFull);
}

export const startProviderFees = (deps: FeeDeps, reports: Reports = { everyMs: 60_000, lagSeconds: 60 }): Poller =>
  startPolling(deps.log, 'provider fees', reports.everyMs, () => bookProviderFees(deps, reports));
