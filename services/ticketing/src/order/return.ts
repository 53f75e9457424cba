import type { ReturnReason } from '../sale/events.ts';
import type { OrderRow } from './queries.ts';
import type { Selling } from './sell.ts';

/** Undoes a fulfilled order, once, however many reasons there are. */
export const returnTickets = (
  { sales }: Pick<Selling, 'sales'>,
  { orderId, eventId, quantity, priceCents, paymentId }: OrderRow,
  reason: ReturnReason,
  cause: { correlationId?: string; causationId?: string } = {},
) =>
  sales.handle(
    eventId,
    {
      type: 'ReturnTickets',
      orderId,
      quantity,
      paymentId: paymentId ?? '',
      amountCents: quantity * priceCents,
      reason,
    },
    { commandId: `return:${orderId}`, ...cause },
  );
