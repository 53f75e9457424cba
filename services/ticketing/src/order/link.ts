import { accessKeyOf } from './access.ts';

/** Opens an order without an account: the secret travels in the link of the mail and nowhere else. */
export const orderLink = (
  publicUrl: string,
  secret: string,
  order: { orderId: string; linkGeneration: number; eventId: number; quantity: number },
): string => {
  const url = new URL('/ticket-success', publicUrl);
  url.search = new URLSearchParams({
    eventId: String(order.eventId),
    quantity: String(order.quantity),
    orderId: order.orderId,
  }).toString();
  // Behind the #, which browsers send to no server: what is logged on the way holds no key.
  url.hash = new URLSearchParams({ key: accessKeyOf(secret, order) }).toString();
  return url.href;
};
