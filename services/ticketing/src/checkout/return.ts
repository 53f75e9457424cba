import { forEach } from '@beltway/kit/for-each';
import { ordersToReturn, type OrderRow } from '../order/queries.ts';
import type { ReturnReason } from '../sale/events.ts';
import type { JobDeps, SaleDeps } from './sell.ts';

/** Returns a fulfilled order. The order is returned at most once, even if there are several reasons. */
export const returnTickets = (
  { sales }: Pick<SaleDeps, 'sales'>,
  { orderId, eventId, lines, paymentId }: OrderRow,
  reason: ReturnReason,
  cause: { correlationId?: string; causationId?: string } = {},
) =>
  sales.handle(
    eventId,
    { type: 'ReturnTickets', orderId, lines, paymentId: paymentId ?? '', reason },
    { commandId: `return:${orderId}`, ...cause },
  );

export interface Withdrawal {
  orderId: string;
  eventId: number;
  paymentId: string;
  /** The id of a lost dispute at the provider. */
  lostDispute?: string;
}

export interface WithdrawDeps extends Pick<SaleDeps, 'sales'> {
  /** Reads the order's current state. */
  find: (orderId: string) => Promise<OrderRow | undefined>;
}

/**
 * Handles a withdrawn payment: it was refunded as a whole at the provider, or a dispute over any amount was lost
 * (`lostDispute`). If the payment bought tickets, the tickets are returned; after a lost dispute they become void. If
 * the payment bought nothing, the sale records that it never buys tickets, because its success may still reach the sale
 * on another path (`sellOrder`). The sale may decide the purchase before it writes this record; then the read models
 * contain the purchase when the record is written. So the order is read a second time. A purchase decided after the
 * record gets no tickets.
 */
export async function withdrawMoney(
  { sales, find }: WithdrawDeps,
  { orderId, eventId, paymentId, lostDispute }: Withdrawal,
  cause: { correlationId?: string; causationId?: string },
): Promise<void> {
  const end = (order: OrderRow) =>
    lostDispute === undefined
      ? returnTickets({ sales }, order, 'refunded-by-provider', cause)
      : sales.handle(
          eventId,
          { type: 'VoidOrder', orderId, disputeId: lostDispute },
          { commandId: `lost:${lostDispute}`, ...cause },
        );
  const order = await find(orderId);
  const isSold = (row: OrderRow) => row.status === 'fulfilled' && row.paymentId === paymentId;
  if (order && isSold(order)) return void (await end(order));
  await sales.handle(
    eventId,
    { type: 'WithdrawMoney', orderId, paymentId },
    { commandId: `withdraw:${paymentId}`, ...cause },
  );
  const now = await find(orderId);
  if (now && isSold(now)) await end(now);
}

/**
 * The number of concurrent commands. A sale decides commands in groups, so more concurrent commands make larger groups.
 */
const AT_ONCE = 250;
const PAGE = 1_000;

async function* sold(deps: JobDeps, hasLease: () => boolean): AsyncGenerator<OrderRow> {
  for (let after: OrderRow | undefined; ;) {
    const page = await ordersToReturn(deps.pool, PAGE, after);
    for (const order of page) {
      if (!hasLease()) return;
      yield order;
      after = order;
    }
    if (page.length === 0) return;
  }
}

/** Refunds every buyer of a canceled event. */
export const returnCanceled = (deps: JobDeps, hasLease = () => true): Promise<void> =>
  forEach(sold(deps, hasLease), AT_ONCE, (order) =>
    returnTickets(deps, order, 'event-canceled').catch((error: unknown) =>
      deps.log.warn({ err: error, orderId: order.orderId }, 'tickets of a canceled event could not be returned yet'),
    ),
  );
