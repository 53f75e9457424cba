import { ManagedOrder } from '@beltway/contracts/orders';
import { AlertPage } from '@beltway/contracts/payments';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { get } from '../../lib/http.ts';

/** GET /api/platform/alerts, page by page; for admins. */
export const alertsQuery = (status: 'open' | 'all') =>
  infiniteQueryOptions({
    queryKey: ['/api/platform/alerts', status],
    queryFn: ({ signal, pageParam }) => {
      const asked = new URLSearchParams({ status, limit: '100', ...(pageParam && { before: pageParam }) });
      return get(`/api/platform/alerts?${asked.toString()}`, AlertPage, { signal });
    },
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  });

/** GET /api/orders/:orderId/managed: each look is written down, so it is asked for by a press only, and not again when orders change. */
export const evidenceQuery = (orderId: string) =>
  queryOptions({
    queryKey: ['managed-order', orderId],
    queryFn: ({ signal }) => get(`/api/orders/${orderId}/managed`, ManagedOrder, { signal }),
    staleTime: Infinity,
  });
