import { admits, type ShownTicketStatus } from '@beltway/contracts/ticketing/ticket-status';
import type { Attendee } from '@beltway/contracts/ticketing/tickets';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { formatMoment, formatPrice } from '../../lib/i18n/format.ts';
import { Badge, type BadgeTone } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { texts } from './texts.en.ts';

const tones: Record<ShownTicketStatus, BadgeTone> = {
  valid: 'success',
  frozen: 'warning',
  canceled: 'warning',
  refunding: 'warning',
  refunded: 'neutral',
  disputed: 'warning',
  unknown: 'neutral',
};
const NO_NUMBER = '–';
const cell = 'px-4 py-3 max-sm:p-0';

interface AttendeeTableProps {
  attendees: readonly Attendee[];
  /** Starts refunding an order with valid tickets. */
  onRefund: (attendee: Attendee) => void;
  /** Opens the organizer's actions for the buyer. */
  onHelp: (attendee: Attendee) => void;
}

/**
 * A table on wide screens. On a phone each row is a block, because a table would be cut off and hide its last columns.
 */
export function AttendeeTable({ attendees, onRefund, onHelp }: AttendeeTableProps) {
  const t = useTexts(texts);
  return (
    <table role="table" className="w-full border-collapse text-left max-sm:block">
      <caption className="sr-only">{t('orders')}</caption>
      <thead role="rowgroup" className="max-sm:sr-only">
        <tr role="row" className="border-b border-line text-note text-ink-soft">
          {(['name', 'tickets', 'status', 'order', 'paid', 'ordered'] as const).map((name) => (
            <th role="columnheader" key={name} scope="col" className="px-4 py-2 font-regular">
              {t(name)}
            </th>
          ))}
          <th role="columnheader" scope="col">
            <span className="sr-only">{t('actions')}</span>
          </th>
        </tr>
      </thead>
      <tbody role="rowgroup" className="max-sm:grid">
        {attendees.map((attendee) => {
          const { orderId, orderNumber, name, quantity, status, amount, orderedAt } = attendee;
          return (
            <tr
              role="row"
              key={orderId}
              className="border-b border-line tabular max-sm:grid max-sm:grid-cols-[minmax(0,1fr)_auto] max-sm:items-baseline max-sm:gap-x-4 max-sm:gap-y-1 max-sm:py-3"
            >
              <th role="rowheader" scope="row" className={`${cell} font-strong wrap-anywhere`}>
                {name}
              </th>
              <td role="cell" className={`${cell} max-sm:text-right`}>
                {quantity}
                <span className="sm:hidden"> {t('ticketsWord', { count: quantity })}</span>
              </td>
              <td role="cell" className={cell}>
                <Badge tone={tones[status]}>{t(status)}</Badge>
              </td>
              <td role="cell" className={`${cell} whitespace-nowrap max-sm:text-right`}>
                {orderNumber ?? NO_NUMBER}
              </td>
              <td role="cell" className={`${cell} text-ink-soft`}>
                {formatPrice(amount)}
              </td>
              <td role="cell" className={`${cell} text-ink-soft max-sm:text-right`}>
                {formatMoment(orderedAt)}
              </td>
              <td role="cell" className={`${cell} sm:text-right`}>
                <Button variant="quiet" className="px-3 text-note" onClick={() => onHelp(attendee)}>
                  {t.rich('helpOf', {
                    ...{ name, number: orderNumber ?? '' },
                    hidden: (words) => <span className="sr-only">{words}</span>,
                  })}
                </Button>
                {admits(status) && (
                  <Button variant="quiet" className="px-3 text-note" onClick={() => onRefund(attendee)}>
                    {t.rich('refundOf', {
                      ...{ name, number: orderNumber ?? '' },
                      hidden: (words) => <span className="sr-only">{words}</span>,
                    })}
                  </Button>
                )}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
