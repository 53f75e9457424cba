import type { OrderRow } from './queries.ts';
import { returnTickets } from './return.ts';
import type { Selling } from './sell.ts';

export interface Withdrawing extends Pick<Selling, 'sales'> {
  /** The order as the log has it by now. */
  find: (orderId: string) => Promise<OrderRow | undefined>;
}

/**
 * The provider has taken a payment back, whole and unasked. What it bought is returned; where it has bought nothing, the sale notes
 * that it never will, for its success may be on its way to the sale by another road (`sellOrder`). A sale decided before that note is
 * in the read models when the note is written, so looking once more finds it; one decided after it gives no tickets. Answers what the
 * order was found as before that.
 */
export async function withdrawMoney(
  { sales, find }: Withdrawing,
  { orderId, paymentId }: { orderId: string; paymentId: string },
  cause: { correlationId?: string; causationId?: string },
): Promise<OrderRow> {
  const order = await find(orderId);
  if (!order) throw new Error(`payment ${paymentId} is for order ${orderId}, which does not exist`);
  const isSold = (row: OrderRow) => row.status === 'fulfilled' && row.paymentId === paymentId;
  if (isSold(order)) {
    await returnTickets({ sales }, order, 'refunded-by-provider', cause);
    return order;
  }
  await sales.handle(
    order.eventId,
    { type: 'WithdrawMoney', orderId, paymentId },
    { commandId: `withdraw:${paymentId}`, ...cause },
  );
  const now = await find(orderId);
  if (now && isSold(now)) await returnTickets({ sales }, now, 'refunded-by-provider', cause);
  return order;
}
