import type { Attendee } from '@beltway/contracts/ticketing';
import { useQuery } from '@tanstack/react-query';
import { ManagedOrderOf, managedOrderQuery } from '../../lib/managed-order/managed-order.tsx';
import { RefundDialog } from '../../lib/refunds/refund-dialog.tsx';
import { Dialog } from '../../ui/dialog.tsx';

/** The organiser refunds tickets of one order of the own event. */
export function RefundOrder({ attendee, onClose }: { attendee: Attendee; onClose: () => void }) {
  const { orderId, orderNumber, name } = attendee;
  const { data } = useQuery(managedOrderQuery(orderId));
  if (data)
    return (
      <RefundDialog orderId={orderId} tickets={data.tickets} as="organiser" onClose={onClose}>
        <p>
          The order{orderNumber && ` ${orderNumber}`} of {name}.
        </p>
      </RefundDialog>
    );
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()} title="Refund tickets">
      <ManagedOrderOf orderId={orderId}>{() => null}</ManagedOrderOf>
    </Dialog>
  );
}
