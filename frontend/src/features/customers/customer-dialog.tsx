import type { Customer } from '@beltway/contracts/customers';
import type { ManagedOrder } from '@beltway/contracts/orders';
import type { ReactNode } from 'react';
import { formatCents, formatLongDate, formatMoment, formatPrice } from '../../lib/format.ts';
import { ManagedOrderOf } from '../../lib/managed-order/managed-order.tsx';
import { History, Part } from '../../lib/managed-order/parts.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { nameOf, PaymentBadges } from './customer-table.tsx';

interface CustomerDialogProps {
  customer: Customer;
  onClose: () => void;
}

/** One purchase: what the list says of it, and below it tickets, payment, refunds and history of its order. */
export function CustomerDialog({ customer, onClose }: CustomerDialogProps) {
  const facts: Array<[string, ReactNode]> = [
    ['Order', customer.orderNumber ?? 'No number yet'],
    [
      'Email',
      customer.customerEmail ? (
        <a href={`mailto:${encodeURIComponent(customer.customerEmail)}`} className="underline underline-offset-4">
          {customer.customerEmail}
        </a>
      ) : (
        'Erased'
      ),
    ],
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
      <div className="grid gap-6 pt-1">
        <dl className="grid gap-x-6 gap-y-3 sm:grid-cols-2">
          {facts.map(([name, value]) => (
            <div key={name} className="grid gap-0.5 border-b border-line pb-2">
              <dt className="text-note text-ink-soft">{name}</dt>
              <dd className="tabular [overflow-wrap:anywhere]">
                <bdi>{value}</bdi>
              </dd>
            </div>
          ))}
        </dl>
        <ManagedOrderOf orderId={customer.id}>{(managed) => <OrderParts {...managed} />}</ManagedOrderOf>
      </div>
    </Dialog>
  );
}

const paymentText = ({ payment, paymentUnavailable }: ManagedOrder): string => {
  if (paymentUnavailable) return 'What was paid cannot be said right now.';
  if (!payment) return 'Nothing was asked to be paid.';
  const { amountCents, feeCents, organiserCents, returnedCents, succeededAt, status } = payment;
  if (!succeededAt) return `${formatCents(amountCents)} is asked for; the payment is ${status}.`;
  const back = returnedCents > 0 ? ` ${formatCents(returnedCents)} of it went back.` : '';
  return (
    `${formatCents(amountCents)} paid ${formatMoment(succeededAt)}: ${formatCents(organiserCents)} for the organizer, ` +
    `${formatCents(feeCents)} platform fee.${back}`
  );
};

function OrderParts(managed: ManagedOrder) {
  const { tickets, refunds, history } = managed;
  return (
    <>
      <Part title="Payment">
        <li>{paymentText(managed)}</li>
      </Part>
      <Part title="Tickets">
        {tickets.length === 0 && <li>None yet.</li>}
        {tickets.map(({ id, status, price, isCheckedIn }, index) => (
          <li key={id}>
            Ticket {index + 1}: {formatPrice(price)}, {status}
            {isCheckedIn && ', checked in'}
          </li>
        ))}
      </Part>
      <Part title="Refunds">
        {refunds.length === 0 && <li>None.</li>}
        {refunds.map(({ id, amount, state, requestedAt, reason }) => (
          <li key={id}>
            {formatMoment(requestedAt)}: {formatCents(amount)}, {state}
            {reason && (
              <>
                {' '}
                (<bdi>{reason}</bdi>)
              </>
            )}
          </li>
        ))}
      </Part>
      <History of={history} />
    </>
  );
}
