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
