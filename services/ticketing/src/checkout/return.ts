import { forEach } from '@beltway/kit/for-each';
import { ordersToReturn, type OrderRow } from '../order/queries.ts';
import type { ReturnReason } from '../sale/events.ts';
import type { JobDeps, SaleDeps } from './sell.ts';

/** Undoes a fulfilled order, once, however many reasons there are. */
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
  /** The provider's id of a dispute that was lost. */
  lostDispute?: string;
}

export interface WithdrawDeps extends Pick<SaleDeps, 'sales'> {
  /** The order as the log has it by now. */
  find: (orderId: string) => Promise<OrderRow | undefined>;
}

/**
 * The provider has withdrawn a payment: given back as a whole, or (`lostDispute`) lost in a dispute, whatever part of it. What it bought is
 * returned, and void after a lost dispute. Where it has bought nothing, the sale
 * records that it never will, for its success may still reach the sale on another path (`sellOrder`). A sale decided
 * before that record is in the read models when the record is written, so a second look finds it; one decided after it
 * gives no tickets.
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

/** Commands of a sale are decided in groups: the more at a time, the larger those. */
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

/** A canceled event gives every buyer their money back. */
export const returnCanceled = (deps: JobDeps, hasLease = () => true): Promise<void> =>
  forEach(sold(deps, hasLease), AT_ONCE, (order) =>
    returnTickets(deps, order, 'event-canceled').catch((error: unknown) =>
      deps.log.warn({ err: error, orderId: order.orderId }, 'tickets of a canceled event could not be returned yet'),
    ),
  );
