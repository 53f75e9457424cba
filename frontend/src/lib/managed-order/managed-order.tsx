import { ManagedOrder } from '@beltway/contracts/ticketing/orders';
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorState, Loading, Skeleton } from '../../ui/states.tsx';
import { useTexts } from '../i18n/catalog.ts';
import { explain, get } from '../http/http.ts';
import { texts } from './texts.en.ts';

/**
 * GET /api/orders/:orderId/managed. Each request writes an audit entry, so it is sent only after a press, and not
 * refetched when orders change or the window regains the focus.
 */
export const managedOrderQuery = (orderId: string) =>
  queryOptions({
    queryKey: ['managed-order', orderId],
    queryFn: ({ signal }) => get(`/api/orders/${orderId}/managed`, ManagedOrder, { signal }),
    staleTime: Infinity,
    gcTime: 0,
  });

/** Loads an order on mount and shows the order as the organizer and admins see it. */
export function ManagedOrderOf({
  orderId,
  children,
}: {
  orderId: string;
  children: (managed: ManagedOrder) => ReactNode;
}) {
  const t = useTexts(texts);
  const found = useQuery(managedOrderQuery(orderId));
  if (found.data) return children(found.data);
  return found.isError ? (
    <ErrorState
      title={t('notLoaded')}
      message={explain(found.error)}
      onRetry={() => void found.refetch()}
      retrying={found.isFetching}
    />
  ) : (
    <Loading label={t('loading')} className="grid gap-2">
      <Skeleton className="h-14" />
      <Skeleton className="h-14" />
    </Loading>
  );
}
