import { platformFeeCents } from '@beltway/contracts/payments/payments';
import type { OrderRefund } from '@beltway/contracts/ticketing/refunds';
import type { Order } from '@beltway/contracts/ticketing/tickets';
import Printer from 'lucide-react/icons/printer';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { formatCents, formatMoment, formatPrice } from '../../lib/i18n/format.ts';
import { Button } from '../../ui/button.tsx';
import { Meta } from '../../ui/meta.tsx';
import { texts } from './texts.en.ts';

/** A person's own words, in quotes. */
const quoted = (words: string): string => `‘${words}’`;

const whenOf = ({ requestedAt, refundedAt }: OrderRefund) => formatMoment(refundedAt ?? requestedAt);

/** The payment, its ticket holder, and refunds. */
export function Receipt({ order }: { order: Order }) {
  const t = useTexts(texts);
  const { orderNumber, amount, tickets, refunds, createdAt, event, ticketHolderName } = order;
  const fee = platformFeeCents(amount);
  const when = formatMoment(tickets[0]?.purchaseDate ?? createdAt);
  const back = refunds.reduce((cents, refund) => cents + refund.amount, 0);
  return (
    <section aria-labelledby="receipt" className="grid max-w-prose gap-3 border-t border-line pt-6 print:border-0">
      <h2 id="receipt" className="text-title font-strong">
        {t('receipt')}
      </h2>
      <Meta>
        {orderNumber ? t('orderBoughtAt', { number: orderNumber, when }) : t('boughtAt', { when })}
        <br />
        {ticketHolderName ? t('titleFor', { title: event.title, name: ticketHolderName }) : event.title}
      </Meta>
      <dl className="grid gap-1.5 tabular">
        {tickets.map(({ id, price }, index) => (
          <Row key={id} name={t('ticketNumber', { number: String(index + 1) })} value={formatPrice(price)} />
        ))}
        <Row name={t('processingFee')} value={formatCents(0)} />
        <Row name={t('totalPaid')} value={formatCents(amount)} isStrong />
        <Row name={t('forOrganizer')} value={formatCents(amount - fee)} />
        <Row name={t('forUs')} value={formatCents(fee)} />
        {refunds.map((refund) => (
          <Row
            key={refund.id}
            name={t('refundLine', { state: t(refund.state), when: whenOf(refund) })}
            value={`−${formatCents(refund.amount)}`}
            note={refund.reason}
          />
        ))}
        {back > 0 && <Row name={t('leftAfter')} value={formatCents(amount - back)} isStrong />}
      </dl>
      <Button variant="quiet" className="-ml-4 justify-self-start print:hidden" onClick={() => window.print()}>
        <Printer aria-hidden className="size-4" />
        {t('print')}
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
      {note && <span className="block text-note">{quoted(note)}</span>}
    </dt>
    <dd>{value}</dd>
  </div>
);
