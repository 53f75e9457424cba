import type { Customer } from '@beltway/contracts/customers';
import type { ReactNode } from 'react';
import { formatLongDate, formatMoment, formatPrice } from '../../lib/format.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { nameOf, PaymentBadges } from './customer-table.tsx';

interface CustomerDialogProps {
  customer: Customer;
  onClose: () => void;
}

/** One purchase, with all that is known of it. */
export function CustomerDialog({ customer, onClose }: CustomerDialogProps) {
  const facts: Array<[string, ReactNode]> = [
    ['Order', customer.orderNumber ?? 'No number yet'],
    ['Email', customer.customerEmail || 'Erased'],
    ['Event', customer.eventTitle],
    ['When', formatLongDate(customer.eventDate)],
    ['Where', customer.eventLocation],
    ['Tickets', `${customer.quantity} × ${formatPrice(customer.ticketPrice)}`],
    ['Total', formatPrice(customer.totalAmount)],
    ['Payment', <PaymentBadges key="badges" {...customer} />],
    ['Ordered', formatMoment(customer.purchaseDate)],
  ];
  return (
    <Dialog open onOpenChange={onClose} title={<bdi>{nameOf(customer)}</bdi>} description="One purchase" size="wide">
      <dl className="grid gap-x-6 gap-y-3 pt-1 sm:grid-cols-2">
        {facts.map(([name, value]) => (
          <div key={name} className="grid gap-0.5 border-b border-line pb-2">
            <dt className="text-note text-ink-soft">{name}</dt>
            <dd className="tabular [overflow-wrap:anywhere]">
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
