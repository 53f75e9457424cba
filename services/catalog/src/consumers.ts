import { StockChangedV1 } from '@beltway/contracts/ticketing';
import type { Bus, Subscription } from '@beltway/kit/bus';
import { consume, onRepeatable } from '@beltway/kit/bus/consume';
import type { Logger } from '@beltway/kit/logger';
import type { Pool } from 'pg';
import { keepStock } from './stock/stock.ts';

/** When we hear X, we do Y. */
export const startConsumers = (deps: { bus: Bus; pool: Pool; log: Logger }): Promise<Subscription> =>
  consume({
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
