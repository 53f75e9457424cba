import { useTexts } from '../../lib/i18n/catalog.ts';
import { ManagedOrderOf } from '../../lib/managed-order/managed-order.tsx';
import { OrderHelp } from '../../lib/managed-order/order-help.tsx';
import { History } from '../../lib/managed-order/parts.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { texts } from './texts.en.ts';

/** Lets an organizer help the buyer of an order for their own event. */
export function HelpBuyer({ orderId, onClose }: { orderId: string; onClose: () => void }) {
  const t = useTexts(texts);
  return (
    <Dialog onClose={onClose} title={t('helpBuyer')}>
      <ManagedOrderOf orderId={orderId}>
        {({ order, tickets, history }) => (
          <div className="grid gap-6 pt-1">
            <p>
              {t(order.orderNumber ? 'orderNumberOf' : 'orderOf', {
                ...{ number: order.orderNumber ?? '', name: order.ticketHolderName ?? '' },
              })}
            </p>
            <OrderHelp order={order} tickets={tickets} />
            <History of={history} />
          </div>
        )}
      </ManagedOrderOf>
    </Dialog>
  );
}
