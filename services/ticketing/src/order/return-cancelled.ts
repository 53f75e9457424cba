import type { Rounds } from '@beltway/kit/rounds';
import { forEach, startJob, type Settling } from './jobs.ts';
import { ordersToReturn, type OrderRow } from './queries.ts';
import { returnTickets } from './return.ts';

/** Commands of a sale are decided in groups: the more at a time, the larger those. */
const AT_ONCE = 250;
const PAGE = 1_000;

async function* sold(deps: Settling, held: () => boolean): AsyncGenerator<OrderRow> {
  for (let after: OrderRow | undefined; ;) {
    const page = await ordersToReturn(deps.pool, PAGE, after);
    for (const order of page) {
      if (!held()) return;
      yield order;
      after = order;
    }
    if (page.length === 0) return;
  }
}

/** A cancelled event gives every buyer their money back. */
export const returnCancelled = (deps: Settling, held = () => true): Promise<void> =>
  forEach(sold(deps, held), AT_ONCE, (order) =>
    returnTickets(deps, order, 'event-cancelled').catch((error: unknown) =>
      deps.log.warn({ err: error, orderId: order.orderId }, 'tickets of a cancelled event could not be returned yet'),
    ),
  );

/** Every second, and at once when this instance hears of a cancellation. */
export const startReturning = (deps: Settling, everyMs?: number): Rounds =>
  startJob(deps, {
    name: 'return cancelled orders',
    everyMs,
    isDue: async () => (await ordersToReturn(deps.pool, 1)).length > 0,
    work: (held) => returnCancelled(deps, held),
  });
