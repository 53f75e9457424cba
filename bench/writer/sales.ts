import { randomUUID } from 'node:crypto';
import { openStore, Rejected, type Store } from '@beltway/event-store';
import { migrate } from '@beltway/kit/migrate';
import { toMessages } from '../../services/ticketing/src/sale/publish.ts';
import { openSales, type Sales } from '../../services/ticketing/src/sale/stream.ts';
import { serviceMigrations } from '../../scripts/launcher/migrations.ts';
import type { Options } from '../support/bench.ts';
import type { Server } from '../support/database.ts';
import { uuidV7 } from '../support/uuid.ts';

const AMPLE = 100_000_000;

/**
 * Ticketing's own store and sales on a separate database. `settings` are PostgreSQL settings for the store's
 * connections.
 */
export async function openWriter(
  server: Server,
  { onEnd }: Pick<Options, 'onEnd'>,
  settings: Record<string, string> = {},
): Promise<Store & { sales: Sales }> {
  const url = await server.database('ticketing');
  await migrate(url, serviceMigrations('ticketing'));
  const chosen = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  const query = chosen.length > 0 ? `?options=${encodeURIComponent(chosen.join(' '))}` : '';
  const store = openStore({ url: url + query, toMessages });
  onEnd(() => store.close());
  return { ...store, sales: openSales(store) };
}

/** A sale and the results of its holds. */
export interface HotSale {
  id: number;
  /** The number of promised tickets for each order id. */
  accepted: Map<string, number>;
  refused: string[];
  /** Requests tickets. Returns the order id, or undefined if the sale refused; throws on any other error. */
  hold(quantity?: number): Promise<string | undefined>;
}

let lastId = 0;
let lastBuyer = 0;

/** Opens a sale; without a capacity it never sells out. */
export async function openSale(sales: Sales, capacity = AMPLE): Promise<HotSale> {
  const id = ++lastId;
  const terms = {
    ...{ capacity, priceCents: 2_500, organizerId: 1, opensAt: null, closesAt: null },
    ...{ endsAt: '2100-01-01T00:00:00.000Z', catalogVersion: 1, refundDeadlineHours: 24 },
  };
  await sales.handle(id, { type: 'OfferTickets', terms }, { commandId: randomUUID() });
  const accepted = new Map<string, number>();
  const refused: string[] = [];
  return {
    id,
    accepted,
    refused,
    async hold(quantity = 1) {
      const orderId = uuidV7();
      const buyerId = ++lastBuyer;
      try {
        await sales.handle(
          id,
          {
            type: 'HoldTickets',
            orderId,
            wanted: [{ type: 'general', quantity }],
            buyerId,
            at: new Date().toISOString(),
          },
          { commandId: orderId, correlationId: orderId, userId: buyerId },
        );
        accepted.set(orderId, quantity);
        return orderId;
      } catch (error) {
        if (!(error instanceof Rejected)) throw error;
        refused.push(orderId);
        return undefined;
      }
    },
  };
}
