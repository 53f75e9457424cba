import type { Customer } from '@beltway/contracts/ticketing/customers';
import { textsNow, useTexts } from '../../lib/i18n/catalog.ts';
import { formatMoment, formatPrice } from '../../lib/i18n/format.ts';
import { Badge, type BadgeTone } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { texts } from './texts.en.ts';

const tones: Record<NonNullable<Customer['refund']>, BadgeTone> = {
  refunding: 'warning',
  refunded: 'neutral',
  disputed: 'warning',
};
const cell = 'px-3 py-3 align-top max-md:p-0';

/** 'Paid' for a completed payment, otherwise 'Pending', followed by later refunds. */
export function PaymentBadges({ paymentStatus, refund, returnedTickets, quantity }: Customer) {
  const t = useTexts(texts);
  return (
    <span className="inline-flex flex-wrap gap-1">
      {paymentStatus === 'completed' ? (
        <Badge tone="success">{t('paid')}</Badge>
      ) : (
        <Badge tone="warning">{t('pending')}</Badge>
      )}
      {refund ? (
        <Badge tone={tones[refund]}>{t(refund)}</Badge>
      ) : (
        returnedTickets > 0 && (
          <Badge>{t('someRefunded', { count: String(returnedTickets), total: String(quantity) })}</Badge>
        )
      )}
    </span>
  );
}

export const nameOf = ({ customerName }: Pick<Customer, 'customerName'>): string =>
  customerName || textsNow(texts)('nameErased');

interface CustomerTableProps {
  customers: readonly Customer[];
  onDetails: (customer: Customer) => void;
}

/**
 * A table on wide screens. On a phone each row is a block, because a table would be cut off and hide its last columns.
 */
export function CustomerTable({ customers, onDetails }: CustomerTableProps) {
  const t = useTexts(texts);
  return (
    <table role="table" className="w-full border-collapse text-left max-md:block">
      <caption className="sr-only">{t('purchases')}</caption>
      <thead role="rowgroup" className="max-md:sr-only">
        <tr role="row" className="border-b border-line text-note text-ink-soft">
          {(['customer', 'event', 'tickets', 'total', 'payment', 'ordered', 'details'] as const).map((name) => (
            <th role="columnheader" key={name} scope="col" className="px-3 py-2 font-regular">
              {t(name)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup" className="max-md:grid">
        {customers.map((customer) => (
          <tr
            role="row"
            key={customer.id}
            className="border-b border-line tabular max-md:grid max-md:grid-cols-[minmax(0,1fr)_auto] max-md:gap-x-4 max-md:gap-y-1.5 max-md:py-4"
          >
            <th role="rowheader" scope="row" className={`${cell} font-regular wrap-anywhere`}>
              <bdi className="block font-strong">{nameOf(customer)}</bdi>
              <bdi className="block text-note text-ink-soft">{customer.customerEmail}</bdi>
            </th>
            <td role="cell" className={`${cell} wrap-anywhere max-md:order-1 max-md:col-span-2`}>
              <bdi>{customer.eventTitle}</bdi>
            </td>
            <td role="cell" className={`${cell} whitespace-nowrap text-ink-soft max-md:order-2`}>
              {t('ticketsAt', { count: String(customer.quantity), price: formatPrice(customer.ticketPrice) })}
            </td>
            <td role="cell" className={`${cell} font-strong max-md:text-right`}>
              {formatPrice(customer.totalAmount)}
            </td>
            <td role="cell" className={`${cell} max-md:order-3 max-md:text-right`}>
              <PaymentBadges {...customer} />
            </td>
            <td role="cell" className={`${cell} text-ink-soft max-md:order-4 max-md:self-center`}>
              {formatMoment(customer.purchaseDate)}
            </td>
            <td role="cell" className={`${cell} max-md:order-5 max-md:text-right`}>
              <Button
                variant="quiet"
                className="-my-2 whitespace-nowrap px-3"
                aria-haspopup="dialog"
                onClick={() => onDetails(customer)}
              >
                {t.rich('viewDetailsOf', {
                  name: nameOf(customer),
                  hidden: (words) => <span className="sr-only">{words}</span>,
                })}
              </Button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
