import { ManagedOrder } from '@beltway/contracts/orders';
import type { Attendee } from '@beltway/contracts/ticketing';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { explain, get } from '../../lib/http.ts';
import { RefundDialog } from '../../lib/refunds/refund-dialog.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorState, Loading, Skeleton } from '../../ui/states.tsx';

/** GET /api/orders/:orderId/managed: each look is written down, so it is asked for by a press only, and not again when orders change. */
const managedOrderQuery = (orderId: string) =>
  queryOptions({
    queryKey: ['managed-order', orderId],
    queryFn: ({ signal }) => get(`/api/orders/${orderId}/managed`, ManagedOrder, { signal }),
    staleTime: Infinity,
    gcTime: 0,
  });

/** The organiser refunds tickets of one order of the own event. */
export function RefundOrder({ attendee, onClose }: { attendee: Attendee; onClose: () => void }) {
  const { orderId, orderNumber, name } = attendee;
  const found = useQuery(managedOrderQuery(orderId));
  if (found.data)
    return (
      <RefundDialog orderId={orderId} tickets={found.data.tickets} as="organiser" onClose={onClose}>
        <p>
          The order{orderNumber && ` ${orderNumber}`} of {name}.
        </p>
      </RefundDialog>
    );
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()} title="Refund tickets">
      {found.isError ? (
        <ErrorState
          title="The order could not be loaded"
          message={explain(found.error)}
          onRetry={() => void found.refetch()}
          retrying={found.isFetching}
        />
      ) : (
        <Loading label="The order is loading" className="grid gap-2">
          <Skeleton className="h-11" />
          <Skeleton className="h-11" />
        </Loading>
      )}
    </Dialog>
  );
}
