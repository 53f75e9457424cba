import type { Customer } from '@beltway/contracts/customers';
import type { ManagedOrder } from '@beltway/contracts/orders';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { formatCents, formatLongDate, formatMoment, formatPrice } from '../../lib/format.ts';
import { explain } from '../../lib/http.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorState, Loading, Skeleton } from '../../ui/states.tsx';
import { customerOrderQuery } from './api.ts';
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
        <OrderOf customer={customer} />
      </div>
    </Dialog>
  );
}

function OrderOf({ customer: { id } }: { customer: Customer }) {
  const order = useQuery(customerOrderQuery(id));
  if (order.isPending)
    return (
      <Loading label="The order is loading" className="grid gap-2">
        <Skeleton className="h-16" />
        <Skeleton className="h-16" />
      </Loading>
    );
  if (!order.data)
    return (
      <ErrorState
        title="The order could not be loaded"
        message={explain(order.error)}
        onRetry={() => void order.refetch()}
        retrying={order.isFetching}
      />
    );
  return <OrderParts {...order.data} />;
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
      <Part title="History">
        {history.map(({ at, text }, index) => (
          <li key={index}>
            {formatMoment(at)}: {text}
          </li>
        ))}
      </Part>
    </>
  );
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section>
    <h3 className="font-text text-body font-strong">{title}</h3>
    <ul className="mt-1 grid gap-1 tabular [overflow-wrap:anywhere]">{children}</ul>
  </section>
);
