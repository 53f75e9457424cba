import { accessKeyOf } from './access.ts';

/** Opens an order without an account: the secret travels in the link of the mail and nowhere else. */
export const orderLink = (
  publicUrl: string,
  secret: string,
  order: { orderId: string; eventId: number; quantity: number },
): string => {
  const url = new URL('/ticket-success', publicUrl);
  url.search = new URLSearchParams({
    eventId: String(order.eventId),
    quantity: String(order.quantity),
    orderId: order.orderId,
    key: accessKeyOf(secret, order.orderId),
  }).toString();
  return url.href;
};
