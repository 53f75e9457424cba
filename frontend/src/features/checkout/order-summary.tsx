import type { Event } from '@beltway/contracts/catalog/events';
import { totalCents, type OrderLine } from '@beltway/contracts/ticketing/order-lines';
import type { ReactNode } from 'react';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { When } from '../../lib/events/event-lines.tsx';
import { formatCents, formatLine } from '../../lib/i18n/format.ts';
import { refundLine } from '@beltway/contracts/ticketing/refund-promise';
import { language } from '../../lib/i18n/language.ts';
import { useRefundTerms } from '../../lib/refunds/deadline.ts';
import { cx } from '../../ui/cx.ts';
import { Meta } from '../../ui/meta.tsx';
import { Poster } from '../../ui/poster.tsx';
import { texts } from './texts.en.ts';

interface OrderSummaryProps {
  event: Event;
  /** The price lines; null while the quantity is unknown. */
  lines: OrderLine[] | null;
  /** The hold's clock, while there is a hold. */
  clock: ReactNode;
  isWide: boolean;
}

/** The order and, if there is room beside the form, the price lines. No fees are added. */
export function OrderSummary({ event, lines, clock, isWide }: OrderSummaryProps) {
  const t = useTexts(texts);
  const words = (
    <div className="grid min-w-0 content-center gap-0.5">
      <h2 className="text-title font-strong">{event.title}</h2>
      <When event={event} className="text-note text-ink-soft" />
      <Meta>{event.location}</Meta>
      <RefundNote event={event} />
    </div>
  );
  if (!isWide)
    return (
      <aside aria-label={t('orderSummary')} className="flex gap-3">
        <Poster
          src={event.imageUrl}
          alt=""
          sizes="6rem"
          className="aspect-[16/10] w-24 shrink-0 self-center rounded-md max-[15rem]:hidden"
        />
        {words}
      </aside>
    );
  return (
    <aside
      aria-label={t('orderSummary')}
      className="sticky top-[calc(var(--below-header)+2rem)] overflow-hidden rounded-lg border border-line bg-surface shadow-card"
    >
      <Poster src={event.imageUrl} alt="" sizes="24rem" className="aspect-[16/10]" />
      <div className={lines ? 'px-5 pt-5' : 'p-5'}>{words}</div>
      {lines && <Sums lines={lines} />}
      {clock}
    </aside>
  );
}

/** The time until which a buyer who pays now may cancel. Highlighted if the buyer cannot cancel at all. */
function RefundNote({ event }: { event: Event }) {
  const terms = useRefundTerms(event);
  const look = terms.refundable ? 'text-ink-soft' : 'font-strong text-warning-ink';
  return <p className={cx('text-note', look)}>{refundLine(terms, language())}</p>;
}

/**
 * The note at the button, for a buyer who cannot cancel. The summary also shows it, but on a phone the summary may be
 * out of view.
 */
export const NoRefundNote = ({ event }: { event: Event }) =>
  useRefundTerms(event).refundable ? null : <RefundNote event={event} />;

function Sums({ lines }: { lines: OrderLine[] }) {
  const t = useTexts(texts);
  return (
    <dl className="grid gap-2 px-5 py-4 tabular">
      {lines.map((line) => (
        <Row key={line.type} name={formatLine(line)} value={formatCents(totalCents([line]))} />
      ))}
      <Row name={t('processingFee')} value={formatCents(0)} isQuiet />
      <div className="mt-1 flex items-baseline justify-between gap-4 border-t border-line pt-3 font-strong">
        <dt>{t('total')}</dt>
        <dd aria-live="polite" className="text-title">
          {formatCents(totalCents(lines))}
        </dd>
      </div>
    </dl>
  );
}

const Row = ({ name, value, isQuiet = false }: { name: string; value: string; isQuiet?: boolean }) => (
  <div className={cx('flex justify-between gap-4', isQuiet && 'text-note text-ink-soft')}>
    <dt className="text-ink-soft">{name}</dt>
    <dd>{value}</dd>
  </div>
);
