import { Order, type ShownOrderStatus } from '@beltway/contracts/ticketing/tickets';
import { queryOptions } from '@tanstack/react-query';
import { get } from '../http/http.ts';
import { saveFile } from '../browser/save-file.ts';
import { tabStorage } from '../storage/tab-storage.ts';

const keySlot = (orderId: string) => `beltway.order-key.${orderId}`;

/** The storage key of this browser's open order for an event. */
export const orderSlot = (eventId: number): string => `beltway.order.${eventId}`;

/** The secrets of order links, in this tab's storage so that they are not in the address bar. */
export const orderKeys = {
  get: (orderId: string): string | null => tabStorage.get(keySlot(orderId)),
  set: (orderId: string, key: string): void => tabStorage.set(keySlot(orderId), key),
};

/** The header that authorizes access with the secret from an order's link. */
export const keyHeaders = (key: string | null): Record<string, string> => (key ? { 'x-order-key': key } : {});

/** GET /api/orders/:orderId, as its buyer or with the link's secret. */
export const orderQuery = (orderId: string) =>
  queryOptions({
    queryKey: ['/api/orders', orderId],
    queryFn: ({ signal }) =>
      get(`/api/orders/${orderId}`, Order, { signal, headers: keyHeaders(orderKeys.get(orderId)) }),
  });

/**
 * True when the order ended without a payment. In any other status except `held`, money has moved, and the success page
 * shows the order.
 */
export const isUnpaid = (status: ShownOrderStatus): boolean => status === 'released' || status === 'expired';

/** The path of an order's page. */
export const orderPath = ({ eventId, quantity, orderId }: { eventId: number; quantity: number; orderId: string }) =>
  `/ticket-success?${new URLSearchParams({ eventId: String(eventId), quantity: String(quantity), orderId }).toString()}`;

/** Saves one of the order's files. Rejects when the order cannot be opened. */
export async function saveOrderFile(orderId: string, name: 'tickets.pdf' | 'event.ics'): Promise<void> {
  const headers = keyHeaders(orderKeys.get(orderId));
  await get(`/api/orders/${orderId}`, Order, { headers }); // renews an expired session
  await saveFile(`/api/orders/${orderId}/${name}`, name, headers);
}
