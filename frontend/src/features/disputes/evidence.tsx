import type { ManagedOrder } from '@beltway/contracts/orders';
import { formatCents, formatMoment } from '../../lib/format.ts';
import { History, Part } from '../../lib/managed-order/parts.tsx';

/** What a bank is sent: who bought what and when, what they were mailed, and what became of the order. */
export function Evidence({
  managed: { order, tickets, payment, paymentUnavailable, refunds, mails, history },
}: {
  managed: ManagedOrder;
}) {
  const sent = mails.filter(({ sentAt }) => sentAt !== null);
  return (
    <div className="grid gap-4 border-t border-line pt-4">
      <p className="max-w-prose text-note text-ink-soft">
        Send this in the provider’s dashboard: the order, the mails with its codes, and its times, with the refund rule
        that the buyer saw before paying.
      </p>
      <Part title="Order">
        <li>
          {order.orderNumber ?? order.orderId}: {order.quantity} × {formatCents(order.priceCents)} for{' '}
          {order.event.title}
        </li>
        <li className="[overflow-wrap:anywhere]">
          {order.ticketHolderName ?? 'No name'}, {order.ticketHolderEmail ?? 'no address'}
        </li>
        <li>
          {payment
            ? `${formatCents(payment.amountCents)} paid${payment.succeededAt ? ` ${formatMoment(payment.succeededAt)}` : ''}, ${formatCents(payment.returnedCents)} gone back`
            : paymentUnavailable
              ? 'What was paid cannot be said right now.'
              : 'Nothing was asked to be paid.'}
        </li>
      </Part>
      <Part title="Tickets">
        {tickets.map(({ id, status, price }, index) => (
          <li key={id}>
            Ticket {index + 1}: {formatCents(Math.round(price * 100))}, {status}
          </li>
        ))}
      </Part>
      {refunds.length > 0 && (
        <Part title="Refunds">
          {refunds.map(({ id, amount, state, requestedAt }) => (
            <li key={id}>
              {formatMoment(requestedAt)}: {formatCents(amount)}, {state}
            </li>
          ))}
        </Part>
      )}
      <Part title="Mails sent">
        {sent.length === 0 && <li>None.</li>}
        {sent.map(({ kind, sentAt }, index) => (
          <li key={index}>
            {formatMoment(sentAt ?? '')}: {kind.replaceAll('-', ' ')}
          </li>
        ))}
      </Part>
      <History of={history} />
    </div>
  );
}
