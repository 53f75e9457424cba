import { platformFeeCents } from '@beltway/contracts/payments';
import type { OrderRefund, RefundState } from '@beltway/contracts/refunds';
import type { Order } from '@beltway/contracts/ticketing';
import { Printer } from 'lucide-react';
import { formatCents, formatMoment, formatPrice } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';

const STATES: Record<RefundState, string> = {
  requested: 'Refund requested',
  refunded: 'Refunded',
  failed: 'Refund failed, tried again',
};

const whenOf = ({ requestedAt, refundedAt }: OrderRefund) => formatMoment(refundedAt ?? requestedAt);

/** What was paid, whom it is for, and what went back. */
export function Receipt({ order }: { order: Order }) {
  const { orderNumber, amount, tickets, refunds, createdAt, event, ticketHolderName } = order;
  const fee = platformFeeCents(amount);
  const back = refunds.reduce((cents, refund) => cents + refund.amount, 0);
  return (
    <section aria-labelledby="receipt" className="grid max-w-prose gap-3 border-t border-line pt-6 print:border-0">
      <h2 id="receipt" className="text-title font-strong">
        Receipt
      </h2>
      <p className="text-note text-ink-soft">
        {orderNumber && <>Order {orderNumber} · </>}
        {formatMoment(tickets[0]?.purchaseDate ?? createdAt)}, New York time
        <br />
        {event.title}
        {ticketHolderName && <>, for {ticketHolderName}</>}
      </p>
      <dl className="grid gap-1.5 tabular">
        {tickets.map(({ id, price }, index) => (
          <Row key={id} name={`Ticket ${index + 1}`} value={formatPrice(price)} />
        ))}
        <Row name="Processing fee" value="$0.00" />
        <Row name="Total paid" value={formatCents(amount)} isStrong />
        <Row name="of it for the organiser" value={formatCents(amount - fee)} />
        <Row name="of it Beltway's fee, 5 %" value={formatCents(fee)} />
        {refunds.map((refund) => (
          <Row
            key={refund.id}
            name={`${STATES[refund.state]}, ${whenOf(refund)}`}
            value={`−${formatCents(refund.amount)}`}
            note={refund.reason}
          />
        ))}
        {back > 0 && <Row name="Left after refunds" value={formatCents(amount - back)} isStrong />}
      </dl>
      <Button variant="quiet" className="-ml-4 justify-self-start print:hidden" onClick={() => window.print()}>
        <Printer aria-hidden className="size-4" />
        Print the receipt
      </Button>
    </section>
  );
}

interface RowProps {
  name: string;
  value: string;
  isStrong?: boolean;
  note?: string | null;
}

const Row = ({ name, value, isStrong = false, note = null }: RowProps) => (
  <div
    className={
      isStrong ? 'flex justify-between gap-4 border-t border-line pt-1.5 font-strong' : 'flex justify-between gap-4'
    }
  >
    <dt className={isStrong ? '' : 'text-ink-soft'}>
      {name}
      {note && <span className="block text-note">‘{note}’</span>}
    </dt>
    <dd>{value}</dd>
  </div>
);
