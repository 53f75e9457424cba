import { Rejected } from '@beltway/event-store';
import type { Payments } from './payments.ts';
import type { OrderRow } from './queries.ts';
import { sellOrder, type Selling } from './sell.ts';

/**
 * Before its buyer lets a hold go, its intent is closed at the provider: a card confirmed in another window must not pay for what
 * was given up. An order that turns out to be paid is sold. Answers which payment was closed, for the sale to compare with the one it
 * knows. Throws Rejected `already-paid`, `payment-under-way`.
 */
export async function closePayment(
  deps: Selling & { payments: Payments },
  order: OrderRow,
  correlationId: string,
): Promise<{ closedPaymentId?: string }> {
  const { paymentId, status } = order;
  if (status !== 'held' || !paymentId) return {};
  const payment = await deps.payments.cancel(paymentId);
  if (payment.status === 'cancelled' || payment.status === 'refunded') return { closedPaymentId: paymentId };
  if (payment.status !== 'succeeded')
    throw new Rejected('payment-under-way', 'The payment of these tickets is under way. Please wait a moment.');
  await sellOrder(deps, order, paymentId, { correlationId });
  throw new Rejected(
    'already-paid',
    'These tickets are paid already. You find them under My Tickets and in your mail.',
  );
}
