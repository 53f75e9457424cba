import type { Customer } from '@beltway/contracts/ticketing/customers';
import type { ManagedOrder } from '@beltway/contracts/ticketing/orders';
import type { ReactNode } from 'react';
import { textsNow, useTexts } from '../../lib/i18n/catalog.ts';
import { formatCents, formatLongDate, formatMoment, formatPrice } from '../../lib/i18n/format.ts';
import { ManagedOrderOf } from '../../lib/managed-order/managed-order.tsx';
import { OrderHelp } from '../../lib/managed-order/order-help.tsx';
import { History, Part, useRefundLine, useTicketLine } from '../../lib/managed-order/parts.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Meta } from '../../ui/meta.tsx';
import { nameOf, PaymentBadges } from './customer-table.tsx';
import { texts } from './texts.en.ts';

interface CustomerDialogProps {
  customer: Customer;
  onClose: () => void;
}

/** One order: the list's columns, and below them its tickets, payment, refunds and history. */
export function CustomerDialog({ customer, onClose }: CustomerDialogProps) {
  const t = useTexts(texts);
  const facts: Array<[string, ReactNode]> = [
    [t('order'), customer.orderNumber ?? t('noNumber')],
    [
      t('email'),
      customer.customerEmail ? (
        <a href={`mailto:${encodeURIComponent(customer.customerEmail)}`} className="underline underline-offset-4">
          {customer.customerEmail}
        </a>
      ) : (
        t('erased')
      ),
    ],
    [t('event'), customer.eventTitle],
    [t('when'), formatLongDate(customer.eventDate)],
    [t('where'), customer.eventLocation],
    [t('tickets'), t('ticketsAt', { count: String(customer.quantity), price: formatPrice(customer.ticketPrice) })],
    [t('total'), formatPrice(customer.totalAmount)],
    [t('payment'), <PaymentBadges key="badges" {...customer} />],
    [t('ordered'), formatMoment(customer.purchaseDate)],
  ];
  return (
    <Dialog onClose={onClose} title={<bdi>{nameOf(customer)}</bdi>} description={t('onePurchase')} size="wide">
      <div className="grid gap-6 pt-1">
        <dl className="grid gap-x-6 gap-y-3 sm:grid-cols-2">
          {facts.map(([name, value]) => (
            <div key={name} className="grid gap-0.5 border-b border-line pb-2">
              <Meta as="dt">{name}</Meta>
              <dd className="tabular wrap-anywhere">
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
  const t = textsNow(texts);
  if (paymentUnavailable) return t('paidUnknown');
  if (!payment) return t('nothingAsked');
  const { amountCents, feeCents, organizerCents, returnedCents, succeededAt, status } = payment;
  if (!succeededAt) return t('asked', { amount: formatCents(amountCents), status });
  const paid = {
    ...{ amount: formatCents(amountCents), when: formatMoment(succeededAt) },
    ...{ organizer: formatCents(organizerCents), fee: formatCents(feeCents) },
  };
  return returnedCents > 0 ? t('paidTextBack', { ...paid, back: formatCents(returnedCents) }) : t('paidText', paid);
};

function OrderParts(managed: ManagedOrder) {
  const t = useTexts(texts);
  const ticketLine = useTicketLine();
  const refundLine = useRefundLine();
  const { tickets, refunds, history } = managed;
  return (
    <>
      <Part title={t('payment')}>
        <li>{paymentText(managed)}</li>
      </Part>
      <Part title={t('tickets')}>
        {tickets.length === 0 && <li>{t('noneYet')}</li>}
        {tickets.map((ticket, index) => {
          const line = ticketLine(ticket, index);
          return <li key={ticket.id}>{ticket.isCheckedIn ? t('checkedIn', { ticket: line }) : line}</li>;
        })}
      </Part>
      <Part title={t('refunds')}>
        {refunds.length === 0 && <li>{t('none')}</li>}
        {refunds.map((refund) => {
          const line = refundLine(refund);
          const { id, reason } = refund;
          return (
            <li key={id}>
              {reason ? t.rich('refundFor', { refund: line, reason, bdi: (words) => <bdi>{words}</bdi> }) : line}
            </li>
          );
        })}
      </Part>
      <OrderHelp order={managed.order} tickets={tickets} />
      <History of={history} />
    </>
  );
}
