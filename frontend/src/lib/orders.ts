import { Order } from '@beltway/contracts/ticketing';
import { queryOptions } from '@tanstack/react-query';
import { get } from './http.ts';

const keySlot = (orderId: string) => `beltway.order-key.${orderId}`;

/** The secret of an order's link, kept by this tab so that it need not stand in the address bar. */
export const orderKeys = {
  get: (orderId: string): string | null => sessionStorage.getItem(keySlot(orderId)),
  set: (orderId: string, key: string): void => sessionStorage.setItem(keySlot(orderId), key),
};

/** Headers that open an order for who has its link. */
export const keyHeaders = (key: string | null): Record<string, string> => (key ? { 'x-order-key': key } : {});

/** GET /api/orders/:orderId, for its buyer, or with the link's secret. */
export const orderQuery = (orderId: string) =>
  queryOptions({
    queryKey: ['/api/orders', orderId],
    queryFn: ({ signal }) =>
      get(`/api/orders/${orderId}`, Order, { signal, headers: keyHeaders(orderKeys.get(orderId)) }),
  });
