import { ChargedPrices, ShownPrices, type InvariantCheck } from '@beltway/contracts/ops/invariants';
import type { InternalClient } from '@beltway/kit/internal';

const PAGE = 500;
/** 10,000 events that sell; of more, those made first are looked at. */
const MAX_PAGES = 20;

/** Checks that each sale charges what the catalog shows: neither service knows the other's table. */
export async function pricesAgree(catalog: InternalClient, ticketing: InternalClient): Promise<InvariantCheck> {
  const wrong: string[] = [];
  let after: number | null = 0;
  for (let page = 0; page < MAX_PAGES && after !== null; page++) {
    const { prices, next }: ShownPrices = ShownPrices.parse(
      await catalog.get(`/internal/prices?after=${after}&limit=${PAGE}`),
    );
    after = next;
    if (prices.length === 0) continue;
    const eventIds = prices.map(({ eventId }) => eventId);
    const charged = ChargedPrices.parse(await ticketing.post('/internal/prices', { eventIds }));
    const sales = new Map(charged.prices.map((sale) => [sale.eventId, sale]));
    for (const { eventId, priceCents } of prices) {
      const sale = sales.get(eventId);
      // A sale the catalog shows and ticketing never opened is wrong too.
      if (!sale || (!sale.isClosed && sale.priceCents !== priceCents)) wrong.push(String(eventId));
    }
  }
  return {
    name: 'each sale charges what the catalog shows',
    ok: wrong.length === 0,
    violations: wrong.length,
    examples: wrong.slice(0, 10),
  };
}
