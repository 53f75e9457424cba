import type { Attendee } from '@beltway/contracts/ticketing/tickets';
import { useQuery } from '@tanstack/react-query';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { ManagedOrderOf, managedOrderQuery } from '../../lib/managed-order/managed-order.tsx';
import { RefundDialog } from '../../lib/refunds/refund-dialog.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { texts } from './texts.en.ts';

/** Lets an organizer refund tickets of an order for their own event. */
export function RefundOrder({ attendee, onClose }: { attendee: Attendee; onClose: () => void }) {
  const t = useTexts(texts);
  const { orderId, orderNumber, name } = attendee;
  const { data } = useQuery(managedOrderQuery(orderId));
  if (data)
    return (
      <RefundDialog orderId={orderId} tickets={data.tickets} as="organizer" onClose={onClose}>
        <p>{orderNumber ? t('orderNumberOf', { number: orderNumber, name }) : t('orderOf', { name })}</p>
      </RefundDialog>
    );
  return (
    <Dialog onClose={onClose} title={t('refundTickets')}>
      <ManagedOrderOf orderId={orderId}>{() => null}</ManagedOrderOf>
    </Dialog>
  );
}
