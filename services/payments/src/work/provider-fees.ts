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
 * Reads the provider's fees from the provider's balance transactions, a page at a time. Books each fee once for its
 * payment; the fee's id prevents a second booking. Fees without a payment of ours belong to another product. Returns
 * true if there may be more fees.
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
      // The payment's success is not recorded yet, so the next read continues from here. Only paid payments have fees,
      // so the success will be recorded.
      if (error.code === 'not-paid') throw new Error(`the payment ${row.id} is not recorded yet`, { cause: error });
      log.error({ err: error, transactionId, paymentId }, 'a fee of the provider does not fit the payment');
    }
  }
  return reachedTo(pool, NAME, last ?? turn.at, isFull);
}

export const startProviderFees = (deps: FeeDeps, reports: Reports = { everyMs: 60_000, lagSeconds: 60 }): Poller =>
  startPolling(deps.log, 'provider fees', reports.everyMs, () => bookProviderFees(deps, reports));
