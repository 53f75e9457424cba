import { UserRegisteredV1 } from '@beltway/contracts/identity';
import { StockChangedV1 } from '@beltway/contracts/ticketing';
import type { Bus, Subscription } from '@beltway/kit/bus';
import { consume, onRepeatable } from '@beltway/kit/bus/consume';
import type { Logger } from '@beltway/kit/logger';
import type { Pool } from 'pg';
import { keepAccount } from './accounts/accounts.ts';
import { keepStock } from './stock/stock.ts';

/** When we hear X, we do Y. */
export async function startConsumers(deps: { bus: Bus; pool: Pool; log: Logger }): Promise<Subscription> {
  const stock = await consume({
    ...deps,
    group: 'catalog.stock',
    topics: ['ticketing.events'],
    handlers: {
      // No inbox row: the version alone makes a repeat harmless, and a hot sale tells of its stock very often.
      'ticketing.stock-changed': onRepeatable(
        StockChangedV1,
        async ({ data }) => void (await keepStock(deps.pool, data)),
      ),
    },
  });
  const accounts = await consume({
    ...deps,
    group: 'catalog.accounts',
    topics: ['identity.events'],
    handlers: {
      // An account is opened once, and nothing changes its name: a repeat says the same.
      'identity.user-registered': onRepeatable(
        UserRegisteredV1,
        async ({ data }) => void (await keepAccount(deps.pool, data)),
      ),
    },
  });
  return { stop: async () => void (await Promise.all([stock.stop(), accounts.stop()])) };
}
