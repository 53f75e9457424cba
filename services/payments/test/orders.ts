import { randomUUID } from 'node:crypto';
import { linesOf } from '@beltway/contracts/testing/lines';
import { anOrder, type Stack } from './stack.ts';

export interface Paid {
  order: ReturnType<typeof anOrder>;
  paymentId: string;
}

/** Actions of buyers and ticketing on orders. */
export function ordersOf(stack: Stack) {
  const facts = ({ order, paymentId }: Paid) => ({
    orderId: order.orderId,
    eventId: order.eventId,
    quantity: 2,
    paymentId,
  });
  return {
    paid: async (card = 'pm_card_visa', change = {}): Promise<Paid> => {
      const order = anOrder(change);
      const { paymentId } = (await stack.request(order)).body as { paymentId: string };
      await stack.pay(paymentId, card);
      await stack.settle(paymentId);
      return { order, paymentId };
    },
    askRefund: (payment: Paid, reason = 'too-late', id?: string) =>
      stack.say(
        'refund-requested',
        { ...facts(payment), amountCents: payment.order.amountCents, reason, requestId: null },
        id,
      ),
    purchased: (payment: Paid) =>
      stack.say('ticket-purchased', {
        ...facts(payment),
        ...{ lines: linesOf(1, payment.order.amountCents), totalCents: payment.order.amountCents, buyerId: null },
      }),
    until: (orderId: string, type: string) =>
      stack.eventually(async () => (await stack.events(orderId)).includes(type), { what: `${type} of ${orderId}` }),
  };
}
export type Orders = ReturnType<typeof ordersOf>;

/** Prevents the worker from making a part refund that the test itself records. */
export const leavePartRefund = (stack: Stack, requestId: string) =>
  stack.query(
    `insert into provider_tasks (kind, payment_id, attempts, next_at)
     values ('part-refund', $1, 1, now() + interval '1 hour')`,
    [requestId],
  );

/** Records a part refund that stays due. */
export async function recordPartRefund(
  stack: Stack,
  { paymentId, cents, hoursAgo = 0 }: { paymentId: string; cents: number; hoursAgo?: number },
): Promise<void> {
  const requestId = randomUUID();
  await leavePartRefund(stack, requestId);
  await stack.query(
    `insert into part_refunds (request_id, payment_id, cents, reason, status, requested_at)
     values ($1, $2, $3, 'asked', 'due', now() - make_interval(hours => $4))`,
    [requestId, paymentId, cents, hoursAgo],
  );
}

/** Restarts the minute in which a payment must be fulfilled, for payments of earlier tests. */
export const forgiveUnfulfilled = (stack: Stack) =>
  stack.query('update payments set succeeded_at = now() where fulfilled_at is null and succeeded_at is not null');
