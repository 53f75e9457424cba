import type { ManagedOrder } from '@beltway/contracts/ticketing/orders';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { formatCents, formatLine, formatMoment } from '../../lib/i18n/format.ts';
import { History, Part, useRefundLine, useTicketLine } from '../../lib/managed-order/parts.tsx';
import { names, useNames } from '../../lib/i18n/names.ts';
import { Meta } from '../../ui/meta.tsx';
import { texts } from './texts.en.ts';

const mailNames = names(() => import('./mails.names.es.ts'));

/** The evidence for a bank: who bought what and when, the mails that the buyer got, and the order's history. */
export function Evidence({
  managed: { order, tickets, payment, paymentUnavailable, refunds, mails, history },
}: {
  managed: ManagedOrder;
}) {
  const t = useTexts(texts);
  const ticketLine = useTicketLine();
  const mailOf = useNames(mailNames);
  const refundLine = useRefundLine();
  const paid = payment && { amount: formatCents(payment.amountCents), back: formatCents(payment.returnedCents) };
  const sent = mails.filter(({ sentAt }) => sentAt !== null);
  return (
    <div className="grid gap-4 border-t border-line pt-4">
      <Meta className="max-w-prose">{t('sendThis')}</Meta>
      <Part title={t('order')}>
        <li>
          {t('orderLine', {
            order: order.orderNumber ?? order.orderId,
            tickets: order.lines.map(formatLine).join(' + '),
            title: order.event.title,
          })}
        </li>
        <li className="wrap-anywhere">
          {t('nameAndAddress', {
            name: order.ticketHolderName ?? t('noName'),
            address: order.ticketHolderEmail ?? t('noAddress'),
          })}
        </li>
        <li>
          {paid
            ? payment.succeededAt
              ? t('paidAtBack', { ...paid, when: formatMoment(payment.succeededAt) })
              : t('paidBack', paid)
            : paymentUnavailable
              ? t('paidUnknown')
              : t('nothingAsked')}
        </li>
      </Part>
      <Part title={t('tickets')}>
        {tickets.map((ticket, index) => (
          <li key={ticket.id}>{ticketLine(ticket, index)}</li>
        ))}
      </Part>
      {refunds.length > 0 && (
        <Part title={t('refunds')}>
          {refunds.map((refund) => (
            <li key={refund.id}>{refundLine(refund)}</li>
          ))}
        </Part>
      )}
      <Part title={t('mailsSent')}>
        {sent.length === 0 && <li>{t('none')}</li>}
        {sent.map(({ kind, sentAt }, index) => (
          <li key={index}>
            {t('mailLine', { when: formatMoment(sentAt ?? ''), kind: mailOf(kind, kind.replaceAll('-', ' ')) })}
          </li>
        ))}
      </Part>
      <History of={history} />
    </div>
  );
}
